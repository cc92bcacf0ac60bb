from django.urls import path

from apps.portal.requests.csv_view import RequestFileView
from apps.portal.requests.views import RequestDetailView, RequestListView

urlpatterns = [
    path("", RequestListView.as_view(), name="requests"),
    path("requests.csv", RequestFileView.as_view(), name="requests_file"),
    path("<str:request_id>/", RequestDetailView.as_view(), name="request"),
]
