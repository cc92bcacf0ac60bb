from django.urls import path

from apps.portal.views.quick_start import Arrived, QuickStart, QuickStartKey, QuickStartWith

urlpatterns = [
    path("", QuickStart.as_view(), name="quick_start"),
    path("arrived/", Arrived.as_view(), name="quick_start_arrived"),
    path("key/", QuickStartKey.as_view(), name="quick_start_key"),
    path("key/<str:key_id>/", QuickStartWith.as_view(), name="quick_start_with"),
]
