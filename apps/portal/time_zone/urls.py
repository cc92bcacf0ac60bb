from django.urls import path

from apps.portal.time_zone.views import TimeZoneView

urlpatterns = [
    path("", TimeZoneView.as_view(), name="time_zone"),
]
