"""`GatewayView`: the base of every /v1 view. A view declares its routes; what happens around them happens here, once."""

from typing import Any, ClassVar

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.views import APIView

from apps.gateway import rate_limits, search_quota, steps
from apps.gateway.call import Answer, Call
from apps.gateway.envelope import JSON, error_body, render
from apps.gateway.errors import AccountNotActive, GatewayError
from apps.gateway.finish import finish
from apps.gateway.middleware import from_exception
from apps.gateway.replay import replay
from apps.gateway.routes import Route

METHODS = ("get", "post", "patch", "delete")


class GatewayView(APIView):
    """One path of /v1. Methods are declared with `@route` and take (call, **path arguments)."""

    routes: ClassVar[dict[str, Route]] = {}

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.routes = {
            name.upper(): handler.route
            for name in METHODS
            if (handler := getattr(cls, name, None)) is not None and hasattr(handler, "route")
        }

    def dispatch(self, request: HttpRequest, *args: object, **path_arguments: str) -> HttpResponseBase:
        call = Call(request, request.request_id, self.routes, path_arguments)  # type: ignore[attr-defined]
        error: GatewayError | None = None
        replayed = False
        try:
            stored = steps.take(call)
            replayed = stored is not None
            answer = self.operate(call) if stored is None else replay(call, stored)
        except Exception as raised:
            error = from_exception(raised)
            answer = Answer(error_body(error, call.request_id), error.status_code)
        answer, error = finish(call, answer, error, replayed=replayed)
        return respond(call, answer, error, replayed=replayed)

    def operate(self, call: Call) -> Answer:
        """Step 17: the operation itself. An account may have been stopped since step 8."""
        handler = getattr(self, call.method.lower())
        try:
            with call.step("operation"):
                answer: Answer = handler(call, **call.path_arguments)
                return answer
        except AccountNotActive as refused:
            refused.status_code = call.route.inactive_status
            raise


def respond(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> HttpResponse:
    """The answer with every header that contract §2 promises."""
    content = answer.body if isinstance(answer.body, bytes) else b""
    if not isinstance(answer.body, bytes) and answer.body is not None:
        content = render(answer.body)
    response = HttpResponse(content, status=answer.status, content_type=JSON)
    if answer.status == 204:
        del response["Content-Type"]
    for name, value in headers(call, error, replayed=replayed).items():
        response[name] = value
    return response


def headers(call: Call, error: GatewayError | None, *, replayed: bool) -> dict[str, str]:
    """Limits, quota, environment, billing and trigger headers, as far as the call came."""
    found: dict[str, str] = dict(error.headers) if error else {}
    if call.partner_found is not None:
        found["X-Environment"] = call.partner.environment
        call.window = call.window or rate_limits.peek(call.partner, steps.rate_class_of(call))
        found |= quota_headers(call)
    if call.window is not None:
        found |= call.window.headers
    if call.partner_found is not None and call.method in call.routes and call.route.counts_quota:
        found["X-Search-Billable"] = "true" if call.billable else "false"
    if replayed:
        found["Idempotent-Replayed"] = "true"
    if call.trigger.fired:
        found["X-Sandbox-Trigger"] = call.trigger.value
    if call.trigger_ignored:
        found["X-Sandbox-Trigger-Ignored"] = call.trigger_ignored
    return found


def quota_headers(call: Call) -> dict[str, str]:
    """The day's quota: as the steps or the operation read it, else read now; left out while the database is away."""
    try:
        call.quota = call.quota or search_quota.read(call.partner)
    except (DatabaseError, InterfaceError):
        return {}
    return call.quota.headers
