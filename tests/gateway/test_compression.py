"""Answers leave compressed for those who ask for it, and say what they depend on (contract §2, fine print)."""

import gzip
import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from apps.common.ids import new_id
from apps.gateway.middleware import CompressionMiddleware, accepts_gzip
from apps.gateway.operations import ANY_SCOPE
from apps.keys.scopes import GRANTABLE
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api
from tests.support.operations import partner_operations

SEARCHES = "/v1/hotels/searches"
ENDPOINTS = "/v1/webhooks/endpoints"
ENDPOINT = {"url": "https://example.com/hooks", "events": ["booking.confirmed"], "description": "x" * 255}


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner(scopes=GRANTABLE)


def asked(
    api: Api, method: str, path: str, body: object = None, *, accept: str = "gzip", key: str = ""
) -> Any:
    """The answer as it is, not unpacked."""
    headers = {
        "Authorization": f"Bearer {api.secret}",
        "Idempotency-Key": key or new_id("idem"),
        "Accept-Encoding": accept,
    }
    raw = b"" if body is None else json.dumps(body).encode()
    return Client().generic(method, path, raw, "application/json", headers=headers)


def sent(path: str, response: HttpResponse) -> Any:
    """What the middleware makes of the response to somebody who takes gzip."""
    request = RequestFactory().get(path, headers={"Accept-Encoding": "gzip"})
    return CompressionMiddleware(lambda request: response)(request)


def sizes(response: Any) -> tuple[str | None, bool]:
    """The coding, and whether the length is that of what is sent."""
    return response.get("Content-Encoding"), int(response["Content-Length"]) == len(response.content)


@pytest.mark.parametrize(
    ("accept_encoding", "accepts"),
    [
        ("gzip", True),
        ("x-gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        (" gzip ; q=0.001 ", True),
        ("gzip, identity;q=0", True),
        ("", False),
        ("deflate, br", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip;q=0.000, br", False),
        ("gzip ; q=0. ,br", False),
        ("gzipped", False),
        ("gzip;q=0," * 10_000, False),
    ],
)
def test_gzip_is_used_if_it_is_named_and_not_with_a_weight_of_0(accept_encoding: str, accepts: bool):
    request = RequestFactory().get("/v1/ping", headers={"Accept-Encoding": accept_encoding})

    assert accepts_gzip(request) is accepts


@pytest.mark.parametrize(
    ("path", "length", "coding", "vary"),
    [
        ("/v1/ping", 1_024, "gzip", "Accept-Encoding"),
        ("/v1/ping", 1_023, None, "Accept-Encoding"),
        ("/v1/ping", 0, None, None),
        ("/portal/", 9_999, None, None),
    ],
)
def test_answers_of_1_kib_and_more_are_compressed_and_no_page(
    path: str, length: int, coding: str | None, vary: str | None
):
    response = sent(path, HttpResponse(b"x" * length))

    assert (response.get("Content-Encoding"), response.get("Vary")) == (coding, vary)
    assert (gzip.decompress(response.content) if coding else response.content) == b"x" * length


def test_a_search_is_the_same_in_both_codings_and_so_is_its_replay(api: Api):
    plain = asked(api, "POST", SEARCHES, {}, accept="identity", key="one-and-the-same")
    tight = asked(api, "POST", SEARCHES, {}, key="one-and-the-same")

    assert (plain.status_code, tight.status_code, tight["Idempotent-Replayed"]) == (201, 201, "true")
    assert (sizes(plain), sizes(tight)) == ((None, True), ("gzip", True))
    assert gzip.decompress(tight.content) == plain.content
    assert len(tight.content) < len(plain.content) / 3
    assert plain["Vary"] == tight["Vary"] == "Accept-Encoding"


def test_an_answer_with_a_secret_is_never_compressed(api: Api):
    """Nor is its replay; and what shows no secret any more is."""
    made, again = (
        asked(api, "POST", ENDPOINTS, ENDPOINT, accept="gzip, *;q=0", key="make-it-once") for _ in "12"
    )
    path = f"{ENDPOINTS}/{made.json()['id']}"
    rotated, once_more = (asked(api, "POST", f"{path}/rotate-secret", key="rotate-it-once") for _ in "12")
    for _ in range(3):
        asked(api, "POST", ENDPOINTS, ENDPOINT)

    for response in (made, again, rotated, once_more):
        assert response.json()["secret"].startswith("whsec_")
        assert sizes(response) == (None, True)
    assert again["Idempotent-Replayed"] == once_more["Idempotent-Replayed"] == "true"
    assert made.content == again.content
    listed = asked(api, "GET", ENDPOINTS)
    assert sizes(listed) == ("gzip", True)
    assert b"whsec_" not in gzip.decompress(listed.content)


def test_head_says_what_get_says(api: Api):
    search = asked(api, "POST", SEARCHES, {}, accept="").json()["id"]
    for accept, coding in (("gzip", "gzip"), ("identity", None)):
        got, headed = (
            asked(api, method, f"{SEARCHES}/{search}", accept=accept) for method in ("GET", "HEAD")
        )
        assert (got.status_code, headed.status_code, headed.content) == (200, 200, b"")
        assert sizes(got) == (coding, True)
        for name in ("Content-Encoding", "Content-Length", "Vary", "Content-Type", "Cache-Control"):
            assert headed.get(name) == got.get(name), name


@pytest.mark.parametrize("operation", partner_operations(), ids=str)
def test_nothing_of_an_operation_is_kept_by_a_cache(api: Api, operation: Any):
    """Answers and refusals alike: with a key, without one, by another method, without a scope."""
    known = api.send(operation.method, operation.url)
    statuses = {known.status}
    too_large = b"x" * 300_000 if operation.method != "GET" else None
    for reply in (
        known,
        Api("svc_test_x").send(operation.method, operation.url),
        api.send("PURGE", operation.url),
        api_of_new_partner(scopes=["stream:subscribe"]).send(operation.method, operation.url),
        api.send(operation.method, f"{operation.url.partition('?')[0]}/"),
        api.send(operation.method, operation.url, too_large),
    ):
        statuses.add(reply.status)
        assert reply.headers["Cache-Control"] == "no-store", reply.status
        assert reply.headers.get("Vary") == (None if reply.status == 204 else "Accept-Encoding")
    of_scopes = [] if operation.route.scope == ANY_SCOPE else [403]
    assert {401, 404, 405, *of_scopes, *([413] if too_large else [])} <= statuses
