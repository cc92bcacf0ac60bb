from django.urls import path

from apps.portal.notifications.views import NotificationsView

urlpatterns = [
    path("", NotificationsView.as_view(), name="notifications"),
]
