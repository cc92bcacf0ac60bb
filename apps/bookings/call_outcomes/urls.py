from apps.bookings.call_outcomes.views import CallOutcomeViewSet
from apps.gateway.routers import SingletonRouter

router = SingletonRouter()
router.register("operations", CallOutcomeViewSet, "operations")

urlpatterns = router.urls
