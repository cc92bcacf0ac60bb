"""What never reaches a view of ours still answers in the envelope (contract §2, steps 1 to 3 and fine print)."""

import json
import uuid
from typing import Any

import pytest
from django.db import DataError, InterfaceError, OperationalError
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from apps.common import errors
from apps.gateway.middleware import GatewayMiddleware, from_exception, replace
from apps.gateway.models import IdempotencyRecord
from config.urls import urlpatterns
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api
from tests.support.operations import operations

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE")
KIB = 1024


def crash(request: Any) -> None:
    raise ValueError("a secret of ours")


class Urls:
    """The real map, and a path that crashes."""

    urlpatterns = [*urlpatterns, path("v1/crash", crash), path("crash", crash)]


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner()


def refusal(response: Any) -> tuple[int, str]:
    """Status and type; the envelope and its request id are asserted."""
    error = json.loads(response.content)["error"]
    assert response["Content-Type"] == "application/json"
    assert error["requestId"] == response["X-Request-Id"] == str(uuid.UUID(error["requestId"]))
    return response.status_code, error["type"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "unknown", ["/v1", "/v1/", "/v1/nowhere", "/v1/account/", "/v1/hotels", "/v1/%00", "/v1/a/%ff/b"]
)
def test_an_unknown_path_is_404_for_every_method_and_shows_nothing_but_a_request_id(
    client, method: str, unknown: str
):
    response = client.generic(method, unknown)

    assert refusal(response) == (404, "not_found")
    told = {name for name in response.headers if name.startswith("X-")} - {"X-Content-Type-Options"}
    assert told == {"X-Request-Id"}


@pytest.mark.parametrize(
    "meant", ["//v1/account", "///v1", "/V1/account", "/V1", "//V1/", "//v1/ping", "/V1/openapi.json"]
)
def test_a_path_that_merely_means_v1_is_an_unknown_path_of_it(client, meant: str):
    response = client.get("/", PATH_INFO=meant)

    assert refusal(response) == (404, "not_found")


@pytest.mark.parametrize("path_", ["/v10/account", "/xv1/account", "/nowhere/v1/account", "//"])
def test_a_path_that_merely_resembles_v1_is_a_pages(client, path_: str):
    response = client.get("/", PATH_INFO=path_)

    assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_no_redirect_adds_or_removes_a_slash_and_the_refusal_says_so(client):
    known = list(operations())
    assert known
    for operation in known:
        response = client.generic(operation.method, operation.url + "/")
        assert (response.status_code, "Location" in response) == (404, False)
        if operation.path.startswith("/v1/"):
            assert "without a slash" in response.json()["error"]["message"]


@pytest.mark.parametrize("sent", ["mine", "00000000-0000-4000-8000-000000000000"])
def test_a_request_id_of_the_callers_is_not_trusted(api: Api, sent: str):
    first, second = (api.get("/v1/account", X_Request_Id=sent).headers["X-Request-Id"] for _ in range(2))

    assert len({first, second, sent}) == 3
    assert uuid.UUID(first).version == 4


@pytest.mark.parametrize(
    "accept", ["text/html", "application/xml", "image/*;q=0.1", "*/*;q=0", "garbage", ""]
)
def test_json_answers_whatever_accept_says(api: Api, accept: str):
    for path_, status in (("/v1/account", 200), ("/v1/nowhere", 404), ("/v1/flights/orders/x", 404)):
        reply = api.get(path_, Accept=accept)
        assert (reply.status, reply.headers["Content-Type"]) == (status, "application/json")


@pytest.mark.parametrize(
    "host", ["evil.example", "a b", "[::", "testserver:port", "x" * 300, "testserver, evil.example"]
)
def test_a_bad_host_is_refused_in_the_envelope(client, host: str):
    response = client.get("/v1/ping", headers={"Host": host})

    assert refusal(response) == (400, "invalid_request")
    assert response.json()["error"]["message"] == "The Host header names no address of this service."


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (str(256 * KIB), (401, "authentication_required")),
        (str(256 * KIB + 1), (413, "payload_too_large")),
        ("9" * 30, (413, "payload_too_large")),
        ("-1", (400, "invalid_request")),
        ("1e3", (400, "invalid_request")),
        ("５", (400, "invalid_request")),
        (" 5", (400, "invalid_request")),
        ("0x10", (400, "invalid_request")),
        ("", (401, "authentication_required")),
    ],
)
def test_the_size_is_told_from_content_length_before_anything_else(db, client, length: str, expected: tuple):
    response = client.generic("POST", "/v1/flights/searches", b"", CONTENT_LENGTH=length)

    assert refusal(response) == expected


@pytest.mark.parametrize("size", [256 * KIB, 256 * KIB + 1])
def test_a_body_may_have_256_kib_exactly(api: Api, size: int):
    body = b"{}" + b" " * (size - 2)
    reply = api.send("POST", "/v1/flights/searches", body, Idempotency_Key="size-of-a-body")

    assert (reply.status, reply.error_type) == (
        (400, "invalid_request") if size == 256 * KIB else (413, "payload_too_large")
    )


@pytest.mark.parametrize("encoding", ["chunked", "gzip, Chunked", "CHUNKED"])
def test_a_body_of_unknown_length_is_not_read(client, encoding: str):
    response = client.post(
        "/v1/flights/searches",
        b"{}",
        content_type="application/json",
        headers={"Transfer-Encoding": encoding},
    )

    assert refusal(response) == (400, "invalid_request")
    assert response.json()["error"]["message"] == "Send the body with a Content-Length, not chunked."


def test_a_crash_is_an_internal_error_that_tells_nothing(client, settings):
    settings.ROOT_URLCONF = Urls
    response = client.get("/v1/crash")

    assert refusal(response) == (500, "internal_error")
    assert b"secret" not in response.content
    assert set(response.json()["error"]) == {"type", "message", "requestId"}


def test_a_crash_inside_an_operation_keeps_the_callers_headers(api: Api, monkeypatch):
    def fail(*_: object) -> None:
        raise ValueError("a secret of ours")

    monkeypatch.setattr("apps.account_api.views.overview_of", fail)
    reply = api.get("/v1/account")

    assert (reply.status, reply.error_type) == (500, "internal_error")
    assert reply.headers["X-RateLimit-Remaining"] == "299"
    assert b"secret" not in reply.content


def test_outside_v1_pages_stay_pages_and_still_carry_a_request_id(client):
    response = client.get("/nowhere")

    assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert uuid.UUID(response["X-Request-Id"])


@pytest.mark.parametrize(
    "path_", ["/v1/openapi.json", "/v1/ping", "/health", "/health/ready", "/health/full"]
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_public_paths_take_get_alone(client, path_: str, method: str):
    """A POST without a CSRF token, as partners send it, is a wrong method and not a forgery."""
    response = client.generic(method, path_, b"{}", content_type="application/json")

    assert refusal(response) == (405, "method_not_allowed")
    assert "GET" in response["Allow"]


@pytest.mark.parametrize(
    "path_", ["/v1/account", "/v1/flights/orders", "/v1/ping", "/v1/openapi.json", "/health", "/health/ready"]
)
@pytest.mark.parametrize("method", ["get", "Get", "PROPFIND", "CONNECT", "GET ", "G\xc9T", "X" * 300, ""])
def test_a_method_that_is_none_of_ours_is_405_however_it_is_written(api: Api, path_: str, method: str):
    client = Client(raise_request_exception=False)
    response = client.generic(method, path_, headers={"Authorization": f"Bearer {api.secret}"})

    assert refusal(response) == (405, "method_not_allowed")
    assert "GET" in response["Allow"]


@pytest.mark.parametrize("method", ["post", "Post"])
def test_a_post_that_is_not_spelt_so_books_nothing(api: Api, method: str):
    headers = {"Authorization": f"Bearer {api.secret}", "Idempotency-Key": "misspelt-method"}
    response = Client().generic(method, "/v1/flights/searches", b"{}", "application/json", headers=headers)

    assert refusal(response) == (405, "method_not_allowed")
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.parametrize(
    "path_",
    [
        *(
            "/v1/account\0",
            "/v1/\0",
            "/v1/flights/orders/a\0b",
            "/v1/account;x=1",
            "/v1/account%00",
            "/v1/account%2F",
        ),
        *(
            "/v1/./account",
            "/v1/../v1/account",
            "/v1/flights/orders/../../account",
            "/v1//account",
            "/v1/account//ledger",
        ),
        *(
            "/v1/\xff\xfe",
            "/v1/account\xff",
            "/v1/account ",
            "/v1/ account",
            "/v1/account\t",
            "/v1/account\\ledger",
        ),
        *(
            "/v1/account\r\nX: y",
            "/v1/\xe2\x80\xae",
            "/v1/" + "a" * 60_000,
            "/v1" + "/" * 10_000,
            "/v1/" + "a/" * 20_000,
        ),
    ],
    ids=lambda path_: repr(path_)[:40],
)
def test_a_path_that_is_not_spelt_as_declared_is_404(api: Api, path_: str):
    response = Client(raise_request_exception=False).get(
        "/", PATH_INFO=path_, headers={"Authorization": f"Bearer {api.secret}"}
    )

    assert refusal(response) == (404, "not_found")
    assert "Location" not in response


@pytest.mark.parametrize("path_", ["/v1/account", "/v1/ping", "/v1/openapi.json", "/health"])
def test_head_answers_as_get_without_a_body(api: Api, path_: str):
    headers = {"Authorization": f"Bearer {api.secret}"}
    got, headed = (Client().generic(method, path_, headers=headers) for method in ("GET", "HEAD"))

    assert (got.status_code, headed.status_code, headed.content) == (200, 200, b"")
    assert set(headed.headers) == set(got.headers)


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PURGE", "PUT"])
def test_other_methods_are_405_with_allow(api: Api, method: str):
    reply = api.send(method, "/v1/flights/orders")

    assert (reply.status, reply.headers["Allow"]) == (405, "GET, POST")


def test_more_query_parameters_than_django_reads_are_a_refusal_not_a_crash(api: Api):
    query = "&".join(f"p{number}=1" for number in range(1_001))
    reply = api.get(f"/v1/flights/orders?{query}")

    assert (reply.status, reply.error_type) == (400, "invalid_request")


def test_unknown_query_parameters_are_ignored(api: Api):
    assert api.get("/v1/flights/orders?colour=blue&limit=1&constructor=1").status == 200


def test_cookies_mean_nothing_and_none_are_set(client, db):
    response = client.get("/v1/account", headers={"Cookie": "sessionid=abc; csrftoken=def"})

    assert refusal(response) == (401, "authentication_required")
    assert response.cookies == {}


def failed(error: Exception, state: str) -> Exception:
    cause = Exception()
    cause.sqlstate = state  # type: ignore[attr-defined]
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (errors.NotFound(), errors.NotFound),
        (OperationalError("the connection is lost"), errors.UpstreamUnavailable),
        (InterfaceError("connection already closed"), errors.UpstreamUnavailable),
        (failed(OperationalError(), "55P03"), errors.UpstreamUnavailable),  # lock timeout
        (failed(OperationalError(), "57014"), errors.UpstreamUnavailable),  # statement timeout
        (failed(OperationalError(), "57P01"), errors.UpstreamUnavailable),  # shutting down
        (failed(OperationalError(), "40P01"), errors.UpstreamUnavailable),  # deadlock
        (failed(OperationalError(), "53300"), errors.UpstreamUnavailable),  # too many connections
        (failed(OperationalError(), "25P03"), errors.UpstreamUnavailable),  # idle in transaction
        (failed(DataError(), "22003"), errors.InternalError),
        (KeyError("x"), errors.InternalError),
        (RecursionError(), errors.InternalError),
    ],
)
def test_exceptions_become_the_refusal_that_says_whether_to_repeat(error: Exception, found: type):
    assert type(from_exception(error)) is found


@pytest.mark.parametrize("path", ["/v1/account", "/v1/ping", "/v1/openapi.json", "/v1/nowhere"])
def test_every_answer_tells_its_length(client, db: None, path: str):
    response = client.get(path)

    assert response["Content-Length"] == str(len(response.content))


@pytest.mark.django_db
def test_no_answer_of_v1_may_be_kept_by_a_cache_on_the_way():
    api = api_of_new_partner()
    replies = [
        api.get("/v1/account"),
        api.get("/v1/nowhere"),
        api.get("/v1/ping"),
        api.post("/v1/account", {}),
        api.post("/v1/flights/searches", {}),
        Api("junk").get("/v1/account"),
    ]
    stranger = Client().get("/v1/account", headers={"Host": "evil.example"})

    assert [reply.status for reply in replies] == [200, 404, 200, 405, 400, 401]
    assert (stranger.status_code, stranger["Cache-Control"]) == (400, "no-store")
    assert {reply.headers["Cache-Control"] for reply in replies} == {"no-store"}
    assert "Server" not in replies[0].headers


@pytest.mark.parametrize(("status", "told"), [(200, True), (204, False), (304, False), (400, True)])
def test_what_has_no_body_tells_no_length(monkeypatch, rf, status: int, told: bool):
    answer = HttpResponse(b"{}" if told else b"", content_type="application/json", status=status)
    monkeypatch.setattr(GatewayMiddleware, "answer", staticmethod(lambda request: answer))

    response = GatewayMiddleware(lambda request: HttpResponse())(rf.get("/v1/account"))

    assert response.has_header("Content-Length") == told


@pytest.mark.parametrize(
    ("status", "refused"),
    [
        (400, (400, "invalid_request")),
        (401, (400, "invalid_request")),
        (402, (400, "invalid_request")),
        (403, (403, "ip_not_allowed")),
        (404, (404, "not_found")),
        (405, (405, "method_not_allowed")),
        (406, (400, "invalid_request")),
        (413, (413, "payload_too_large")),
        (414, (400, "invalid_request")),
        (415, (415, "unsupported_media_type")),
        (416, (400, "invalid_request")),
        (502, (500, "internal_error")),
        (503, (503, "upstream_unavailable")),
        (504, (500, "internal_error")),
        (418, (400, "invalid_request")),
        (499, (400, "invalid_request")),
        (500, (500, "internal_error")),
        (599, (500, "internal_error")),
    ],
)
def test_a_refusal_of_the_framework_takes_the_envelope(status: int, refused: tuple[int, str]):
    theirs = HttpResponse(b"<h1>No</h1>", status=status, headers={"Allow": "GET"})

    ours = replace(theirs, "a-request")

    assert (ours.status_code, json.loads(ours.content)["error"]["type"]) == refused
    assert (ours["Allow"], json.loads(ours.content)["error"]["requestId"]) == ("GET", "a-request")


@pytest.mark.django_db
@pytest.mark.parametrize(("length", "status"), [("000000002", 401), ("0000000002", 413)])
def test_a_length_has_nine_digits_at_most(client, length: str, status: int):
    response = client.generic("POST", "/v1/flights/searches", b"{}", CONTENT_LENGTH=length)
    assert response.status_code == status
