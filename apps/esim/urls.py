from apps.esim.views import EsimOrderViewSet, EsimPlanViewSet, EsimTopUpViewSet
from apps.gateway.viewsets import GatewayRouter

router = GatewayRouter()
router.register("plans", EsimPlanViewSet, "esim-plan")
router.register("orders", EsimOrderViewSet, "esim-order")
router.register("orders/<str:id>/topups", EsimTopUpViewSet, "esim-top-up")

urlpatterns = router.urls
