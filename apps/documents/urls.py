from apps.documents.views import (
    EsimDocumentViewSet,
    FlightDocumentViewSet,
    HotelDocumentViewSet,
    TransferDocumentViewSet,
)
from apps.gateway.viewsets import GatewayRouter

router = GatewayRouter()
router.register("hotels/bookings", HotelDocumentViewSet, "hotel-document")
router.register("flights/orders", FlightDocumentViewSet, "flight-document")
router.register("transfers/orders", TransferDocumentViewSet, "transfer-document")
router.register("esim/orders", EsimDocumentViewSet, "esim-document")

urlpatterns = router.urls
