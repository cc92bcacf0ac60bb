"""A web process answers partners' calls on a shorter way than Django's, and answers the same."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.http import HttpResponse
from django.test import RequestFactory

from apps.common import connections
from apps.gateway import handler
from config.wsgi import application
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api

Answered = tuple[str, dict[str, str], bytes]
OF_ITS_OWN = {"X-Request-Id", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
"""Headers that differ from one call to the next."""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """As in a web process, without its receivers: what was told of the ends of requests, and how."""
    told: list[str] = []
    monkeypatch.setattr(connections, "is_taken_over", True)
    monkeypatch.setattr(connections, "begin", lambda: told.append("begin"))
    monkeypatch.setattr(connections, "end", lambda: told.append("end"))
    return told


@pytest.fixture
def signals() -> Iterator[list[str]]:
    told: list[str] = []

    def began(**kwargs: object) -> None:
        told.append("began")

    def finished(**kwargs: object) -> None:
        told.append("finished")

    request_started.connect(began)
    request_finished.connect(finished)
    yield told
    request_started.disconnect(began)
    request_finished.disconnect(finished)


def ask(
    api: Api, method: str, path: str, body: bytes = b"", content_type: str = "application/json"
) -> Answered:
    environ = RequestFactory()._base_environ(  # type: ignore[attr-defined]
        REQUEST_METHOD=method,
        PATH_INFO=path,
        CONTENT_TYPE=content_type,
        CONTENT_LENGTH=str(len(body)),
        HTTP_AUTHORIZATION=f"Bearer {api.secret}",
        **{"wsgi.input": BytesIO(body)},
    )
    started: list[tuple[str, dict[str, str]]] = []
    result: Any = application(environ, lambda status, headers, *more: started.append((status, dict(headers))))
    content = b"".join(result)
    result.close()
    ((status, headers),) = started
    return status, headers, content


def alike(answered: Answered) -> tuple[str, dict[str, str], int]:
    """What two answers to the same call have in common."""
    status, headers, content = answered
    return status, {name: value for name, value in headers.items() if name not in OF_ITS_OWN}, len(content)


@pytest.mark.parametrize(
    ("method", "path", "content_type"),
    [
        ("GET", "/v1/account", ""),
        ("HEAD", "/v1/account", ""),
        ("GET", "/v1/openapi.json", ""),
        ("GET", "/v1/no-such-path", ""),
        ("DELETE", "/v1/account", ""),
        ("get", "/v1/account", ""),
        ("POST", "/v1/hotels/searches", "text/plain"),
        ("POST", "/v1/hotels/searches", "application/json"),
        ("GET", "/sandbox/clock", ""),
        ("GET", "/v1/hotels/bookings/\xff", ""),
    ],
)
def test_both_ways_answer_alike(
    method: str, path: str, content_type: str, ends: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    api = api_of_new_partner()
    monkeypatch.setattr(connections, "is_taken_over", False)
    by_django = ask(api, method, path, content_type=content_type)
    assert ends == []

    monkeypatch.setattr(connections, "is_taken_over", True)
    shorter = ask(api, method, path, content_type=content_type)

    assert alike(shorter) == alike(by_django)
    assert ends == ["begin", "end"]


def test_a_call_tells_no_signal_and_a_page_does(ends: list[str], signals: list[str]) -> None:
    api = api_of_new_partner()

    ask(api, "GET", "/v1/account")
    assert (ends, signals) == (["begin", "end"], [])

    ask(api, "GET", "/docs/")
    assert (ends, signals) == (["begin", "end"], ["began", "finished"])


def test_what_an_answer_holds_open_is_closed(ends: list[str], signals: list[str]) -> None:
    closed: list[str] = []
    response = HttpResponse(b"a file")
    close: Callable[[], None] = lambda: closed.append("file")  # noqa: E731
    response._resource_closers.append(close)  # type: ignore[attr-defined]

    handler.Sent(response).close()

    assert (closed, ends, signals) == (["file"], [], ["finished"])
