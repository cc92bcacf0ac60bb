"""/portal/<test|live>/… for what belongs to one environment, /portal/… for the account as a whole. One file an area."""

from django.urls import include, path, register_converter

from apps.common.environments import Environment
from apps.portal.views.gallery import Gallery
from apps.portal.views.switch import SwitchAccount


class EnvironmentConverter:
    regex = "|".join(Environment.values)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(EnvironmentConverter, "environment")

app_name = "portal"
urlpatterns = [
    path("switch/", SwitchAccount.as_view(), name="switch_account"),
    path("production-access/", include("apps.portal.urls.production_access")),
    path("team/", include("apps.portal.urls.team")),
    path("audit/", include("apps.portal.urls.audit")),
    path("<environment:environment>/", include("apps.portal.urls.home")),
    path("<environment:environment>/components/", Gallery.as_view(), name="components"),
    path("<environment:environment>/quick-start/", include("apps.portal.urls.quick_start")),
    path("<environment:environment>/keys/", include("apps.portal.urls.keys")),
    path("<environment:environment>/requests/", include("apps.portal.urls.requests")),
    path("<environment:environment>/bookings/", include("apps.portal.urls.bookings")),
    path("<environment:environment>/balance/", include("apps.portal.urls.balance")),
    path("<environment:environment>/webhooks/", include("apps.portal.urls.webhooks")),
]
