"""/portal/<test|live>/… for pages of one environment, /portal/… for pages of the whole account. Each page has its own urls.py."""

from django.urls import include, path, register_converter

from apps.common.environments import Environment


class EnvironmentConverter:
    regex = "|".join(Environment.values)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(EnvironmentConverter, "environment")

app_name = "portal"
urlpatterns = [
    path("switch/", include("apps.portal.switch_account.urls")),
    path("production-access/", include("apps.portal.production_access.urls")),
    path("team/", include("apps.portal.team.urls")),
    path("audit/", include("apps.portal.audit.urls")),
    path("time-zone/", include("apps.portal.time_zone.urls")),
    path("<environment:environment>/", include("apps.portal.home.urls")),
    path("<environment:environment>/components/", include("apps.portal.components.urls")),
    path("<environment:environment>/find/", include("apps.portal.find.urls")),
    path("<environment:environment>/views/", include("apps.portal.saved_views.urls")),
    path("<environment:environment>/quick-start/", include("apps.portal.quick_start.urls")),
    path("<environment:environment>/keys/", include("apps.portal.keys.urls")),
    path("<environment:environment>/sandbox/", include("apps.portal.sandbox.urls")),
    path("<environment:environment>/requests/", include("apps.portal.requests.urls")),
    path("<environment:environment>/call-outcomes/", include("apps.portal.call_outcomes.urls")),
    path("<environment:environment>/bookings/", include("apps.portal.bookings.urls")),
    path("<environment:environment>/balance/", include("apps.portal.balance.urls")),
    path("<environment:environment>/notifications/", include("apps.portal.notifications.urls")),
    path("<environment:environment>/webhooks/", include("apps.portal.webhooks.urls")),
]
