"""Answers leave compressed for those who ask for it, and say what they depend on (contract §2, fine print)."""

import gzip
import json
import random
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from apps.common.ids import new_id
from apps.gateway import compression
from apps.gateway.compression import LEAST_BYTES, encode, least_bytes, packed
from apps.gateway.models import IdempotencyRecord
from apps.gateway.routes import ANY_SCOPE
from apps.keys.scopes import GRANTABLE
from config.web.answering import Started, outgoing
from config.web.environ import environ_of
from config.web.limits import configured
from config.web.reading import RequestReader
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


def sizes(response: Any) -> tuple[str | None, bool]:
    """The coding, and whether the length is that of what is sent."""
    return response.get("Content-Encoding"), int(response["Content-Length"]) == len(response.content)


@pytest.mark.parametrize(
    ("accept_encoding", "least"),
    [
        ("", None),
        ("gzip", LEAST_BYTES),
        ("GZip", LEAST_BYTES),
        ("x-gzip", LEAST_BYTES),
        ("gzip, deflate, br, zstd", LEAST_BYTES),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", LEAST_BYTES),
        ("*", LEAST_BYTES),
        ("*;q=0.5", LEAST_BYTES),
        (" gzip ; q=0.001 ", LEAST_BYTES),
        ("gzip;Q=1.000", LEAST_BYTES),
        ("gzip;q=1.", LEAST_BYTES),
        ("gzip;q=0.5, identity;q=0.5", LEAST_BYTES),
        ("deflate, br", None),
        ("identity", None),
        ("identity, gzip;q=0.9", None),
        ("identity;q=0.5, *;q=0.4", None),
        ("gzip;q=0", None),
        ("gzip;q=0.000", None),
        ("gzip;q=0, *", None),
        ("x-gzip;q=0, *", None),
        ("*;q=0", None),
        ("gzip;q=nan", None),
        ("gzip;q=-1", None),
        ("gzip;q=1.5", None),
        ("gzip;q=0.1234", None),
        ("gzip;q", None),
        ("gzip;q=", None),
        ("gzipped", None),
        (",;,;q=1,", None),
        ("gzip, identity;q=0", 1),
        ("identity;q=0, *", 1),
        ("gzip, *;q=0", 1),
        ("gzip, *;q=0, identity;q=0.1", LEAST_BYTES),
        ("identity;q=0", None),
        ("identity;q=0, *;q=0", None),
        ("gzip".ljust(256), LEAST_BYTES),
        ("gzip".ljust(257), None),
        ("gzip," * 100, None),
    ],
)
def test_what_is_asked_for_is_read_with_its_weights(accept_encoding: str, least: int | None):
    assert least_bytes(accept_encoding) == least


@pytest.mark.parametrize(
    ("accept_encoding", "length", "is_packed"),
    [
        ("gzip", 1_024, True),
        ("gzip", 1_023, False),
        ("gzip, *;q=0", 1, True),
        ("gzip, *;q=0", 0, False),
        (None, 100_000, False),
    ],
)
def test_a_short_answer_is_compressed_only_for_who_takes_nothing_else(
    accept_encoding: str | None, length: int, is_packed: bool
):
    headers = {} if accept_encoding is None else {"Accept-Encoding": accept_encoding}
    response = HttpResponse(b"x" * length)

    encode(RequestFactory().get("/v1/ping", headers=headers), response)

    assert response["Vary"] == "Accept-Encoding"
    assert response.get("Content-Encoding") == ("gzip" if is_packed else None)
    assert (gzip.decompress(response.content) if is_packed else response.content) == b"x" * length


def test_an_answer_that_is_compressed_already_stays_as_it_is():
    response = HttpResponse(b"x" * 9_999, headers={"Content-Encoding": "br"})

    encode(RequestFactory().get("/", headers={"Accept-Encoding": "gzip"}), response)

    assert (response.content, response["Content-Encoding"]) == (b"x" * 9_999, "br")


def test_the_same_content_gives_the_same_bytes():
    assert packed(b"x" * 9_999) == packed(b"x" * 9_999)
    assert gzip.decompress(packed(b"")) == b""


def test_what_repeats_far_apart_is_sent_once() -> None:
    noise = random.Random(1).randbytes(1_000)

    assert len(packed(noise + b"x" * 20_000 + noise)) < 1_350


def test_a_search_is_the_same_in_both_codings_and_so_is_its_replay(api: Api):
    plain = asked(api, "POST", SEARCHES, {}, accept="identity", key="one-and-the-same")
    tight = asked(api, "POST", SEARCHES, {}, key="one-and-the-same")

    assert (plain.status_code, tight.status_code, tight["Idempotent-Replayed"]) == (201, 201, "true")
    assert (sizes(plain), sizes(tight)) == ((None, True), ("gzip", True))
    assert gzip.decompress(tight.content) == plain.content
    assert len(tight.content) < len(plain.content) / 3
    assert plain["Vary"] == tight["Vary"] == "Accept-Encoding"


def test_who_does_not_ask_costs_no_work(api: Api, monkeypatch: pytest.MonkeyPatch):
    def unwanted(content: bytes) -> bytes:
        raise AssertionError("compressed")

    monkeypatch.setattr(compression, "packed", unwanted)
    for accept in ("", "identity", "br", "gzip;q=0"):
        response = asked(api, "POST", SEARCHES, {}, accept=accept)
        assert (response.status_code, *sizes(response)) == (201, None, True)


def test_a_refusal_is_compressed_as_an_answer_is(api: Api):
    response = asked(api, "POST", SEARCHES, {f"unknown{number}": 1 for number in range(40)})

    assert (response.status_code, *sizes(response)) == (400, "gzip", True)
    assert len(json.loads(gzip.decompress(response.content))["error"]["details"]) == 40


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


def test_every_answer_that_is_stored_encrypted_says_that_it_shows_a_secret(api: Api):
    asked(api, "POST", ENDPOINTS, ENDPOINT)
    asked(api, "POST", SEARCHES, {})

    assert sorted(IdempotencyRecord.objects.values_list("encrypted", flat=True)) == [False, True]


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


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("path", "status"), [("/v1/openapi.json", "200 OK"), ("/v1/nowhere", "404 Not Found")]
)
def test_the_web_server_sends_it_whole_and_with_its_length(method: str, path: str, status: str):
    reader = RequestReader(configured())
    accepted = "Accept-Encoding: br\r\nAccept-Encoding: gzip, identity;q=0\r\n"
    reader.feed(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{accepted}\r\n".encode())
    request, started = reader.ready.popleft(), Started()
    joined = environ_of(request, "127.0.0.1", ("localhost", 80))["HTTP_ACCEPT_ENCODING"]
    answer = Client().generic(method, path, headers={"Accept-Encoding": joined})
    started(f"{answer.status_code} {answer.reason_phrase}", list(answer.items()))
    sent = outgoing(request, started, [answer.content], last=True, memory_bytes=1_000_000)

    head, _, body = b"".join(sent.pieces).partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    assert (started.status, headers["Content-Encoding"]) == (status, "gzip")
    if method == "HEAD":
        assert (body, int(headers["Content-Length"]) > 100) == (b"", True)
    else:
        assert len(body) == int(headers["Content-Length"])
        assert {"openapi", "error"} & json.loads(gzip.decompress(body)).keys()


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


def test_nor_is_the_public_ping():
    assert Client().get("/v1/ping")["Cache-Control"] == "no-store"
