"""`PublicView`: operations that need no key (ping, probes), declared like the others."""

from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.views import APIView

from apps.gateway.call import Answer
from apps.gateway.envelope import JSON, error_response, render
from apps.gateway.errors import MethodNotAllowed
from apps.gateway.middleware import from_exception
from apps.gateway.routes import Route


class PublicView(APIView):
    """One path open to everybody. GET is declared with `@route` and takes no call: nobody is known to be calling."""

    routes: ClassVar[dict[str, Route]] = {}

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.routes = {"GET": cls.get.route}  # type: ignore[attr-defined]

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        request_id: str = request.request_id  # type: ignore[attr-defined]
        if request.method not in {"GET", "HEAD"}:
            return error_response(MethodNotAllowed(headers={"Allow": "GET"}), request_id)
        try:
            answer: Answer = self.get()  # type: ignore[attr-defined]
        except Exception as error:
            return error_response(from_exception(error), request_id)
        return HttpResponse(render(answer.body), status=answer.status, content_type=JSON)
