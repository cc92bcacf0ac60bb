"""The URL map: /v1 and /sandbox for partners, suppliers' webhooks and probes outside it, the back office."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path, re_path
from django.utils.functional import lazy
from django.views.generic import RedirectView

from apps.docs import machines
from apps.esim.views import qr_picture
from apps.gateway.metrics import metrics
from apps.gateway.urls import probes
from apps.hotels.pictures import hotel_picture
from apps.mcp.views import mcp
from apps.portal.errors import other_slash
from apps.portal.home import start
from apps.portal.theme import choose_theme
from apps.suppliers.webhooks import incoming

# The back office asks for the same sign-in as the portal, with the same limits and the same second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("v1/", include("apps.gateway.urls")),
    path("v1/", include("apps.account_api.urls")),
    path("v1/", include("apps.bookings.urls")),
    path("v1/", include("apps.places.urls")),
    path("v1/", include("apps.trips.urls")),
    path("v1/hotels/", include("apps.hotels.urls")),
    path("v1/flights/", include("apps.flights.urls")),
    path("v1/transfers/", include("apps.transfers.urls")),
    path("v1/esim/", include("apps.esim.urls")),
    path("v1/", include("apps.documents.urls")),
    path("sandbox/", include("apps.sandbox.urls")),
    path("mcp", mcp),
    path("esim/qr/<str:token>.svg", qr_picture),
    path("hotels/pictures/<str:name>.svg", hotel_picture),
    path("v1/", include("apps.webhooks.urls")),
    path("suppliers/<str:supplier>/webhooks", incoming),
    path("", include(probes.urls)),
    path("metrics", metrics),
    path("", start, name="start"),
    path("portal/", start),
    path("portal/", include("apps.portal.urls")),
    path("docs/", include("apps.docs.urls")),
    path("llms.txt", machines.llms),
    path("llms-full.txt", machines.llms_full),
    path("robots.txt", machines.robots),
    path("sitemap.xml", machines.sitemap),
    path(".well-known/api-catalog", machines.api_catalog),
    path(".well-known/security.txt", machines.security),
    path("account/", include("apps.portal.sign_in.urls")),
    path("account/theme/", choose_theme, name="theme"),
    path("admin/", include("apps.portal.staff.urls")),
    path("admin/", admin.site.urls),
    # Where browsers look for it whose page names none: those of the back office.
    path("favicon.ico", RedirectView.as_view(url=lazy(static, str)("img/icon.svg"))),
    re_path(r"^(?P<path>(?:portal|docs|account|admin)(?:/.*)?)\Z", other_slash),
]

handler400 = "apps.gateway.middleware.bad_request"
handler429 = "apps.portal.errors.too_many_requests"
handler500 = "apps.portal.errors.server_error"
