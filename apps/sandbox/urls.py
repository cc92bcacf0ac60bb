from django.urls import path

from apps.sandbox.clock_views import ClockViewSet
from apps.sandbox.environment_views import EnvironmentViewSet

urlpatterns = [
    path("clock", ClockViewSet.as_view({"get": "retrieve", "post": "advance"})),
    path("reset", EnvironmentViewSet.as_view({"post": "reset"})),
    path("funds", EnvironmentViewSet.as_view({"post": "add_funds"})),
]
