"""Which paths and methods there are under /v1: anything else answers 404 or 405 in the envelope (contract §2, steps 1 and 3)."""

import pytest
from django.test import Client

from apps.gateway.models import IdempotencyRecord
from tests.factories.gateway import api_of_new_partner
from tests.gateway.refused import refusal
from tests.support.api import Api
from tests.support.operations import operations

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE")


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner()


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
        response = client.generic(operation.method, operation.url.partition("?")[0] + "/")
        assert (response.status_code, "Location" in response) == (404, False)
        if operation.path.startswith("/v1/"):
            assert "without a slash" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "path_", ["/v1/openapi.json", "/v1/ping", "/health", "/health/ready", "/health/full"]
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_public_paths_take_get_alone(client, path_: str, method: str):
    """A POST without a CSRF token, as partners send it, is a wrong method and not a forgery."""
    response = client.generic(method, path_, b"{}", content_type="application/json")

    assert refusal(response) == (405, "method_not_allowed")
    assert response["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path_", ["/v1/account", "/v1/flights/orders", "/v1/ping", "/v1/openapi.json", "/health", "/health/ready"]
)
@pytest.mark.parametrize(
    "method", ["get", "Get", "FOO", "PROPFIND", "CONNECT", "GET ", "G\xc9T", "X" * 300, ""]
)
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


@pytest.mark.parametrize("path_", [
    "/v1/account\0", "/v1/flights/orders/a\0b", "/v1/account;x=1", "/v1/account%00", "/v1/account%2F", "/v1/./account",
    "/v1/../v1/account", "/v1//account", "/v1/account\xff", "/v1/account ", "/v1/account\t", "/v1/account\\ledger",
    "/v1/account\r\nX: y", "/v1/\xe2\x80\xae", "/v1/" + "a" * 60_000, "/v1" + "/" * 10_000, "/v1/" + "a/" * 20_000,
], ids=lambda path_: repr(path_)[:40])  # fmt: skip
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


def test_allow_lists_what_is_really_served(api: Api):
    """Each method of it is taken, HEAD on every path that has GET, and no other."""
    paths = sorted({operation.path for operation in operations()})
    assert len(paths) > 30
    for path_ in paths:
        url = next(operation.url for operation in operations() if operation.path == path_)
        declared = {operation.method for operation in operations() if operation.path == path_}
        allowed = api.send("OPTIONS", url).headers["Allow"].split(", ")
        assert allowed == sorted(declared | ({"HEAD"} if "GET" in declared else set())), path_
        for method in METHODS:
            is_served = api.send(method, url).status != 405
            assert is_served is (method in allowed), (method, path_)
