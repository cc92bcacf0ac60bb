from apps.account_api.views import AccountViewSet
from apps.gateway.viewsets import SingletonRouter

router = SingletonRouter()
router.register("account", AccountViewSet, "account")

urlpatterns = router.urls
