"""Django's WSGI handler, with a shorter way for partners' calls in a web process.

Around each request Django sends two signals, and sets what only pages need: a script's name, a URL map, cookies. That was a tenth
of what `GET /v1/account` cost. The middleware is the same on both ways.
"""

from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from typing import Any

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http.response import HttpResponseBase

from apps.common import connections

PARTNER_PATHS = ("/v1/", "/sandbox/")


class Sent:
    """The body as the web server iterates and closes it."""

    __slots__ = ("_response",)

    def __init__(self, response: HttpResponseBase) -> None:
        self._response: Any = response

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._response)

    def close(self) -> None:
        """As Django's `close`, which tells `connections.end` by a signal. Only what has something to close takes that way."""
        if self._response._resource_closers:
            self._response.close()
        else:
            connections.end()


class Handler(WSGIHandler):
    """For calls as `connections.take_over` has prepared the process for them; Django's own for everything else."""

    _middleware_chain: Any

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        if not connections.is_taken_over or not environ["PATH_INFO"].startswith(PARTNER_PATHS):
            return super().__call__(environ, start_response)
        connections.begin()
        response: HttpResponseBase = self._middleware_chain(WSGIRequest(environ))
        start_response(_status(response.status_code), list(response.items()))
        return Sent(response)


@cache
def _status(code: int) -> str:
    return f"{code} {HTTPStatus(code).phrase}"
