from apps.gateway.viewsets import GatewayRouter
from apps.hotels.views import (
    HotelBookingViewSet,
    HotelMinRatesViewSet,
    HotelPropertyViewSet,
    HotelRateViewSet,
    HotelSearchViewSet,
)

router = GatewayRouter()
router.register("searches", HotelSearchViewSet, "hotel-search")
router.register("min-rates", HotelMinRatesViewSet, "hotel-min-rates")
router.register("rates", HotelRateViewSet, "hotel-rate")
router.register("properties", HotelPropertyViewSet, "hotel-property")
router.register("bookings", HotelBookingViewSet, "hotel-booking")

urlpatterns = router.urls
