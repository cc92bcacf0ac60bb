from django.urls import path

from apps.portal.notifications.chat_views import ChatRemoveView, ChatView
from apps.portal.notifications.views import NotificationsView

urlpatterns = [
    path("", NotificationsView.as_view(), name="notifications"),
    path("chat/", ChatView.as_view(), name="notifications_chat"),
    path("chat/remove/", ChatRemoveView.as_view(), name="notifications_chat_remove"),
]
