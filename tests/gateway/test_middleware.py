"""What never reaches a view of ours still answers in the envelope (contract §2, steps 1 to 3 and fine print)."""

import json
import uuid
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from apps.gateway.middleware import replace
from config.urls import urlpatterns
from tests.factories.gateway import api_of_new_partner
from tests.gateway.refused import refusal
from tests.support.api import Api

KIB = 1024


def crash(request: Any) -> None:
    raise ValueError("a secret of ours")


class Urls:
    """The real map, a path that crashes."""

    urlpatterns = [
        *urlpatterns,
        path("v1/crash", crash),
        path("crash", crash),
    ]


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner()


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
    ("length", "expected"),
    [
        (str(256 * KIB), (401, "authentication_required")),
        (str(256 * KIB + 1), (413, "payload_too_large")),
        ("9" * 30, (413, "payload_too_large")),
        ("-1", (400, "invalid_request")),
        ("５", (400, "invalid_request")),
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


def test_more_query_parameters_than_django_reads_are_a_refusal_not_a_crash(api: Api):
    query = "&".join(f"p{number}=1" for number in range(1_001))
    reply = api.get(f"/v1/flights/orders?{query}")

    assert (reply.status, reply.error_type) == (400, "invalid_request")


def test_cookies_mean_nothing_and_none_are_set(client, db):
    response = client.get("/v1/account", headers={"Cookie": "sessionid=abc; csrftoken=def"})

    assert refusal(response) == (401, "authentication_required")
    assert response.cookies == {}


@pytest.mark.parametrize(
    ("status", "refused"),
    [
        (400, (400, "invalid_request")),
        (403, (403, "ip_not_allowed")),
        (404, (404, "not_found")),
        (405, (405, "method_not_allowed")),
        (413, (413, "payload_too_large")),
        (415, (415, "unsupported_media_type")),
        (503, (503, "upstream_unavailable")),
        (418, (400, "invalid_request")),
        (500, (500, "internal_error")),
    ],
)
def test_a_refusal_of_the_framework_takes_the_envelope(status: int, refused: tuple[int, str]):
    theirs = HttpResponse(b"<h1>No</h1>", status=status, headers={"Allow": "GET"})

    ours = replace(theirs, "a-request")

    assert (ours.status_code, json.loads(ours.content)["error"]["type"]) == refused
    assert (ours["Allow"], json.loads(ours.content)["error"]["requestId"]) == ("GET", "a-request")
