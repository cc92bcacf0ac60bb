from django.urls import path

from apps.sandbox.clock_views import ClockViewSet

urlpatterns = [
    path("clock", ClockViewSet.as_view({"get": "retrieve", "post": "advance"})),
]
