from django.urls import path

from apps.portal.views.requests import Request, Requests

urlpatterns = [
    path("", Requests.as_view(), name="requests"),
    path("<str:request_id>/", Request.as_view(), name="request"),
]
