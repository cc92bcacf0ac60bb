from apps.gateway.viewsets import GatewayRouter
from apps.transfers.views import TransferOrderViewSet, TransferSearchViewSet

router = GatewayRouter()
router.register("searches", TransferSearchViewSet, "transfer-search")
router.register("orders", TransferOrderViewSet, "transfer-order")

urlpatterns = router.urls
