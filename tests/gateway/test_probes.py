"""The probes outside /v1: what they say when a part is away, and what they never say."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.db import OperationalError, connection
from django.test import Client

from apps.gateway import heartbeats, probes
from tests.support.private_redis import PrivateRedis

AT_START = probes._migrated


@pytest.fixture(autouse=True)
def as_a_new_process(monkeypatch):
    """Nothing is known of the migrations yet."""
    monkeypatch.setattr(probes, "_migrated", AT_START)


def fail(*_: object, **__: object) -> None:
    raise OperationalError("connection to server at 10.0.0.5, user app, failed")


@pytest.fixture
def database_away(monkeypatch):
    monkeypatch.setattr(connection, "cursor", fail)


@pytest.fixture
def redis_away(tmp_path: Path, settings):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    settings.REDIS_TIMEOUT_SECONDS = 0.05


@pytest.fixture
def own_redis(tmp_path: Path, settings):
    server = PrivateRedis(tmp_path)
    settings.REDIS_URL = server.url
    yield server
    server.kill()


def answer(path: str) -> tuple[int, object]:
    response = Client(raise_request_exception=False).get(path)
    assert response["Content-Type"] == "application/json"
    return response.status_code, response.json()


@pytest.mark.django_db
def test_with_everything_there_all_is_well(own_redis):
    for who in heartbeats.PROCESSES:
        heartbeats.leave(who)

    assert answer("/health") == (200, {"status": "ok"})
    assert answer("/health/ready") == (200, {"status": "ok"})
    status, full = answer("/health/full")
    assert (status, full["status"]) == (200, "ok")


def test_a_process_is_alive_whatever_is_away(database_away, redis_away):
    assert answer("/health") == (200, {"status": "ok"})


@pytest.mark.django_db
def test_without_redis_the_service_is_ready_and_degraded(redis_away):
    assert answer("/health/ready") == (200, {"status": "degraded"})


def test_without_the_database_it_is_not_ready(database_away):
    assert answer("/health/ready") == (503, {"status": "unavailable"})


@pytest.mark.django_db
def test_with_a_migration_missing_it_is_not_ready():
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'gateway'")

    assert answer("/health/ready") == (503, {"status": "unavailable"})


@pytest.mark.django_db
def test_the_full_probe_lists_every_part_with_its_latency():
    status, full = answer("/health/full")

    assert status == 200
    expected = {"database", "redis", "bookings", "deliveries", *heartbeats.PROCESSES}
    assert expected <= set(full["parts"])
    for part in full["parts"].values():
        assert part["status"] in {"ok", "degraded", "unavailable"}
        assert part["milliseconds"] >= 0


def test_the_full_probe_answers_while_everything_is_away(database_away, redis_away):
    status, full = answer("/health/full")

    assert (status, full["status"]) == (200, "degraded")
    assert {
        part["status"] for name, part in full["parts"].items() if name in {"database", "redis", "worker"}
    } == {"unavailable"}


def test_no_probe_shows_a_secret_or_a_host_even_while_parts_are_away(database_away, redis_away):
    database = configured.DATABASES["default"]
    private = {
        configured.SECRET_KEY,
        str(database["NAME"]),
        str(database["HOST"]),
        str(database.get("PASSWORD") or "no-password"),
        configured.REDIS_URL,
        "nobody.sock",
        "10.0.0.5",
    } - {""}
    shown = "".join(json.dumps(answer(path)[1]) for path in ("/health", "/health/ready", "/health/full"))

    assert [text for text in private if text in shown] == []
    assert re.findall(r"\d+\.\d+\.\d+\.\d+|://|\.sock|localhost", shown) == []


@pytest.mark.parametrize("path", ["/health", "/health/ready", "/health/full", "/v1/ping"])
@pytest.mark.django_db
def test_probes_need_no_key_and_count_in_no_window(path: str):
    responses = [Client().get(path, headers={"Authorization": "Bearer junk"}) for _ in range(3)]

    assert [response.status_code for response in responses] == [200] * 3
    assert {name for name in responses[-1].headers if name.startswith(("X-RateLimit", "X-Search"))} == set()


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["10.0.0.7:8000", "evil.example", "no host at all!", ""])
@pytest.mark.parametrize("path", ["/health", "/health/ready"])
def test_a_balancer_may_ask_by_address(own_redis, caplog, settings, path: str, host: str):
    settings.SECURE_SSL_REDIRECT = True
    response = Client().get(path, headers={"Host": host})
    assert (response.status_code, response.content) == (200, b'{"status":"ok"}')
    assert response["Content-Length"] == str(len(response.content))
    assert response["X-Request-Id"]
    assert [record for record in caplog.records if record.exc_info] == []
    assert Client().post(path, headers={"Host": host}).status_code == 405


def test_a_balancer_that_asks_by_address_is_told_that_the_database_is_away(database_away, caplog):
    response = Client().get("/health/ready", headers={"Host": "10.0.0.7"})
    assert (response.status_code, response.json()) == (503, {"status": "unavailable"})
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/health/full", "/health/", "/health/ready/", "/v1/ping", "/login", "/docs", "/admin/", "/"]
)
def test_nothing_else_answers_to_a_host_that_is_not_ours(path: str):
    assert Client(raise_request_exception=False).get(path, headers={"Host": "10.0.0.7"}).status_code == 400


@pytest.mark.django_db
def test_where_a_token_is_set_only_who_has_it_reads_the_parts(settings) -> None:
    settings.HEALTH_TOKEN = "how-are-you"
    refused = Client().get("/health/full", headers={"Authorization": "Bearer something"})
    assert (refused.status_code, refused.json()["error"]["type"]) == (401, "authentication_required")
    told = Client().get("/health/full", headers={"Authorization": "Bearer how-are-you"})
    assert (told.status_code, "database" in told.json()["parts"]) == (200, True)
    assert {Client().get(path).status_code for path in ("/health", "/health/ready")} == {200}
