"""`PublicViewSet`: operations that need no key (ping and the probes), declared like the others."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.common.errors import MethodNotAllowed, UpstreamUnavailable
from apps.gateway.answer import Answer
from apps.gateway.envelope import error_response, json_response, render
from apps.gateway.middleware import from_exception, method_as_sent
from apps.gateway.routes import methods_served
from apps.gateway.viewsets import OperationViewSet


class PublicViewSet(OperationViewSet):
    """Paths that everybody may GET. An action takes no call, because nobody is known to be calling."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        request_id: str = request.request_id  # type: ignore[attr-defined]
        served = methods_served(self.routes)
        if method_as_sent(request) not in served:
            return error_response(MethodNotAllowed(headers={"Allow": ", ".join(served)}), request_id)
        action: Any = getattr(self, self.names["GET"])
        try:
            answer: Answer = action()
        except Exception as error:
            return error_response(from_exception(error), request_id)
        later = {"Retry-After": str(UpstreamUnavailable.retry_after)}
        away = answer.status == UpstreamUnavailable.status
        return json_response(render(answer.body), status=answer.status, headers=later if away else {})
