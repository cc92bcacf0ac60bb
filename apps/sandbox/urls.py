from django.urls import path

from apps.sandbox.views import ClockViewSet, EnvironmentViewSet, FaultsViewSet, SimulateViewSet

urlpatterns = [
    path("clock", ClockViewSet.as_view({"get": "retrieve", "post": "advance"})),
    path("reset", EnvironmentViewSet.as_view({"post": "reset"})),
    path("funds", EnvironmentViewSet.as_view({"post": "add_funds"})),
    path("faults", FaultsViewSet.as_view({"get": "retrieve", "put": "replace"})),
    path("bookings/<str:booking_id>/simulate", SimulateViewSet.as_view({"post": "create"})),
]
