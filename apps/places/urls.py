from apps.gateway.viewsets import GatewayRouter
from apps.places.views import PlaceViewSet

router = GatewayRouter()
router.register("places", PlaceViewSet, "place")

urlpatterns = router.urls
