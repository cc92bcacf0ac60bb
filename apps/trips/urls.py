from apps.gateway.viewsets import GatewayRouter
from apps.trips.views import BookingViewSet, TripViewSet

router = GatewayRouter()
router.register("bookings", BookingViewSet, "booking")
router.register("trips", TripViewSet, "trip")

urlpatterns = router.urls
