"""The service's URLs, and the two views that do nothing."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.urls import urlpatterns as service


def plain(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok"})


class Empty(APIView):
    def get(self, request: Request) -> Response:
        return Response({"status": "ok"})


urlpatterns = [path("bench/plain", plain), path("bench/drf", Empty.as_view()), *service]
