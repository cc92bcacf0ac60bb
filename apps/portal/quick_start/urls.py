from django.urls import path

from apps.portal.quick_start.views import (
    FirstCallView,
    QuickStartKeyView,
    QuickStartSecretView,
    QuickStartView,
)

urlpatterns = [
    path("", QuickStartView.as_view(), name="quick_start"),
    path("arrived/", FirstCallView.as_view(), name="quick_start_arrived"),
    path("key/", QuickStartKeyView.as_view(), name="quick_start_key"),
    path("key/<str:key_id>/", QuickStartSecretView.as_view(), name="quick_start_with"),
]
