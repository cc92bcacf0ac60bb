"""The Host header: which is ours, and how another is refused (contract §2, steps 1 to 3 and fine print)."""

import pytest
from django.test import Client

from tests.gateway.refused import refusal


def test_without_a_host_the_servers_own_name_is_looked_at_each_time(client, settings):
    settings.ALLOWED_HOSTS = ["api.example"]
    found = [
        client.get("/v1/nowhere", SERVER_NAME=name).status_code
        for name in ("api.example", "evil.example", "api.example")
    ]
    assert found == [404, 400, 404]


@pytest.mark.parametrize(
    "host", ["evil.example", "a b", "[::", "testserver:port", "x" * 300, "testserver, evil.example"]
)
def test_a_bad_host_is_refused_in_the_envelope(client, host: str):
    response = client.get("/v1/ping", headers={"Host": host})

    assert refusal(response) == (400, "invalid_request")
    assert response.json()["error"]["message"] == "The Host header names no address of this service."


def test_a_bad_host_is_refused_in_the_envelope_where_all_is_led_to_https_too(settings):
    settings.SECURE_SSL_REDIRECT = True
    for target in ("/v1/ping", "/sandbox/clock", "/V1/nowhere"):
        response = Client().get(target, headers={"Host": "evil.example"})
        assert (response.status_code, response["Cache-Control"]) == (400, "no-store")
        assert response.json()["error"] == {
            "type": "invalid_request",
            "message": "The Host header names no address of this service.",
            "requestId": response["X-Request-Id"],
            "details": [],
        }
    assert Client().get("/portal/", headers={"Host": "evil.example"})["Content-Type"].startswith("text/html")
