"""The URL map: /v1 for partners, probes outside it, the back office."""

from django.contrib import admin
from django.urls import include, path

from apps.esim.views import qr_picture
from apps.gateway import probes
from apps.gateway.openapi import OpenApiDocument
from apps.gateway.ping import Ping

urlpatterns = [
    path("v1/openapi.json", OpenApiDocument.as_view()),
    path("v1/ping", Ping.as_view()),
    path("v1/account", include("apps.accounts.urls")),
    path("v1/hotels/", include("apps.hotels.urls")),
    path("v1/flights/", include("apps.flights.urls")),
    path("v1/transfers/", include("apps.transfers.urls")),
    path("v1/esim/", include("apps.esim.urls")),
    path("esim/qr/<str:token>.svg", qr_picture),
    path("v1/webhooks/", include("apps.webhooks.urls")),
    path("health", probes.Health.as_view()),
    path("health/ready", probes.Ready.as_view()),
    path("health/full", probes.Full.as_view()),
    path("admin/", admin.site.urls),
]
