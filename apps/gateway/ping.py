"""GET /v1/ping: public, proves nothing but that the service answers."""

from django.http import HttpRequest, HttpResponse
from django.views import View

from apps.common import clock
from apps.gateway.envelope import JSON, render


class Ping(View):
    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse(render({"status": "ok", "time": clock.rfc3339(clock.now())}), content_type=JSON)
