from django.urls import path

from apps.gateway.openapi import OpenApiDocument
from apps.sandbox.views import ClockViewSet, EnvironmentViewSet, FaultsViewSet, SimulateViewSet

urlpatterns = [
    path("openapi.json", OpenApiDocument.as_view(sandbox=True)),
    path("clock", ClockViewSet.as_view({"get": "retrieve", "post": "advance"})),
    path("reset", EnvironmentViewSet.as_view({"post": "reset"})),
    path("funds", EnvironmentViewSet.as_view({"post": "add_funds"})),
    path("faults", FaultsViewSet.as_view({"get": "retrieve", "put": "replace"})),
    path("bookings/<str:bookingId>/simulate", SimulateViewSet.as_view({"post": "create"})),
]
