from apps.esim.views import EsimOrderViewSet, EsimPlanViewSet
from apps.gateway.routers import GatewayRouter

router = GatewayRouter()
router.register("plans", EsimPlanViewSet, "esim-plan")
router.register("orders", EsimOrderViewSet, "esim-order")

urlpatterns = router.urls
