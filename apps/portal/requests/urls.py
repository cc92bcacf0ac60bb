from django.urls import path

from apps.portal.requests.views import RequestDetailView, RequestListView

urlpatterns = [
    path("", RequestListView.as_view(), name="requests"),
    path("<str:request_id>/", RequestDetailView.as_view(), name="request"),
]
