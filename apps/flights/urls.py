from apps.flights.views import FlightOfferViewSet, FlightOrderViewSet, FlightSearchViewSet
from apps.gateway.viewsets import GatewayRouter

router = GatewayRouter()
router.register("searches", FlightSearchViewSet, "flight-search")
router.register("offers", FlightOfferViewSet, "flight-offer")
router.register("orders", FlightOrderViewSet, "flight-order")

urlpatterns = router.urls
