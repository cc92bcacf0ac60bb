from apps.gateway.viewsets import GatewayRouter
from apps.trips.views import BookingViewSet

router = GatewayRouter()
router.register("bookings", BookingViewSet, "booking")

urlpatterns = router.urls
