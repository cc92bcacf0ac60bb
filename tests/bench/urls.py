"""The service's URLs, the two views that do nothing, and the account without the gateway around it."""

from functools import cache

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.account_api.overview import overview_of
from apps.account_api.presenters import account_json
from apps.gateway.envelope import JSON, render
from apps.keys import authentication
from apps.keys.partner import Partner
from config.urls import urlpatterns as service


def plain(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok"})


class Empty(APIView):
    schema = None  # no operation of the document

    def get(self, request: Request) -> Response:
        return Response({"status": "ok"})


class Account(APIView):
    """What GET /v1/account does and answers, with none of the gateway's checks, headers or log."""

    schema = None

    def get(self, request: Request) -> HttpResponse:
        secret = request.headers["Authorization"].removeprefix("Bearer ")
        partner = known(secret)
        return HttpResponse(render(account_json(partner, overview_of(partner, secret))), content_type=JSON)


@cache
def known(secret: str) -> Partner:
    return authentication.authenticate(secret)


urlpatterns = [
    path("bench/plain", plain),
    path("bench/drf", Empty.as_view()),
    path("bench/account", Account.as_view()),
    *service,
]
