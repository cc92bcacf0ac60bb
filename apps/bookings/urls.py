from apps.bookings.views import CallOutcomeViewSet
from apps.gateway.viewsets import SingletonRouter

router = SingletonRouter()
router.register("operations", CallOutcomeViewSet, "operations")

urlpatterns = router.urls
