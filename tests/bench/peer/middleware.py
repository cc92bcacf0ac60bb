"""How the peer gets its threads."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class TellTheServer:
    """Tells our web server whose call it is, as the gateway does. It keeps few threads for callers whom nobody knows."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        ticket = request.META.get("web.ticket")
        if ticket is not None:
            ticket.account = (request.META.get("HTTP_AUTHORIZATION", ""), "test")
        return self._get_response(request)
