"""Through the WSGI application itself: Django's test client makes its requests elsewhere."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory

from apps.gateway import middleware
from apps.gateway.middleware import with_readable_headers
from tests.factories.gateway import api_of_new_partner

application = with_readable_headers(WSGIHandler())
ENCODED = "application/json; charset*={}''utf-8"


def answer(method: str, path: str, secret: str, content_type: str) -> tuple[str, dict[str, Any]]:
    """Status line and body of a request as a web server hands it over."""
    raw = b"{}" if method == "POST" else b""
    environ = RequestFactory()._base_environ(  # type: ignore[attr-defined]
        REQUEST_METHOD=method,
        PATH_INFO=path.partition("?")[0],
        QUERY_STRING=path.partition("?")[2],
        CONTENT_TYPE=content_type,
        CONTENT_LENGTH=str(len(raw)),
        HTTP_AUTHORIZATION=f"Bearer {secret}",
        HTTP_IDEMPOTENCY_KEY="through-wsgi",
        **{"wsgi.input": BytesIO(raw)},
    )
    started: list[str] = []
    body = b"".join(application(environ, lambda status, headers, *more: started.append(status)))
    return started[0], json.loads(body)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "content_type",
    [
        ENCODED.format("no-such-encoding"),
        ENCODED.format("punycode"),
        "application/json; charset=base64",
        "x/y; charset=idna",
        "application/json;" + " " * 496,
        'a;b="' + "\\\\;" * 60_000,
    ],
)
def test_a_content_type_that_cannot_be_read_is_refused_as_one_that_is_wrong(content_type: str):
    secret = api_of_new_partner().secret

    status, body = answer("POST", "/v1/flights/searches", secret, content_type)
    assert (status, body["error"]["type"]) == ("415 Unsupported Media Type", "unsupported_media_type")
    status, body = answer("GET", "/v1/flights/orders?limit=5&cursor=%ff", secret, content_type)
    assert (status, body["error"]["type"]) == ("400 Bad Request", "invalid_request"), (
        "the cursor is what is wrong"
    )
    assert answer("GET", "/v1/flights/orders?limit=5", secret, content_type)[0] == "200 OK"


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("sessionid=abc; csrftoken=def", "sessionid=abc; csrftoken=def"),
        (r'sessionid=abc; other="a\"b\054c"', 'sessionid=abc; other="a"b054c"'),
        ("a=" + "x" * 16_382, "a=" + "x" * 16_382),
        ("a=" + "x" * 16_383, ""),
    ],
)
def test_cookies_have_no_backslashes_and_a_bounded_length(sent: str, read: str):
    seen: list[str] = []

    def application(environ: dict[str, Any], start_response: object) -> list[bytes]:
        seen.append(environ["HTTP_COOKIE"])
        return []

    middleware.with_readable_headers(application)({"HTTP_COOKIE": sent}, None)

    assert seen == [read]
