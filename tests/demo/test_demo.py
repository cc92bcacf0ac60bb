"""The demo as it is run, and that it can fail: a story that ends well whatever happens would show nothing.

Flights alone; .ci/run plays every product, before stand-ins of the real suppliers.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import requests

from apps.webhooks.signatures import new_secret, signature_headers
from tests.demo.partner import direct_session
from tests.demo.receiver import Inbox
from tests.support.databases import drop_database
from tests.support.ports import free_port
from tests.support.private_redis import PrivateRedis
from tests.support.programs import Done, done
from tests.support.template import template

Environment = dict[str, str]


@pytest.fixture
def database() -> Iterator[str]:
    """The URL of a database beside the tests' own, with all tables and nothing in them."""
    name = f"demo_{os.getpid()}"
    server = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(server._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template()}")
        yield server._replace(path=f"/{name}").geturl()
        drop_database(connection, name)


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    server = PrivateRedis(tmp_path)
    yield server.url
    server.kill()


def environment(database_url: str, redis_url: str, log: Path) -> Environment:
    """As `make run` would find it with these servers, its waits shortened, and nothing running on PORT."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return {
        **ours,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "PORT": str(free_port()),
        "DEMO_LOG": str(log),
        "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
        "SIMULATE_LIVE_KEYS": "true",
        "REDIS_TIMEOUT_SECONDS": "2",  # other tests run beside
        "RECONCILIATION_SECONDS": "1",
        "SANDBOX_SLOW_SECONDS": "1",
        "WEB_WORKERS": "1",
        "WORKER_PROCESSES": "1",
    }


def demo(environment: Environment, *products: str) -> Done:
    return done(["-m", "tests.demo", *products], environment)


@pytest.mark.slow
def test_a_flights_story_ends_with_every_webhook_verified_and_the_books_balanced(
    database, redis_url, tmp_path
):
    ended = demo(environment(database, redis_url, tmp_path / "demo.log"), "flights")
    assert (ended.code, ended.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in ended.stdout.splitlines()]
    assert "booking.confirmed 3 3 3" in lines
    assert "booking.schedule_changed 1 1 1" in lines
    assert "booking.cancelled 1 1 1" in lines
    assert "payment.refunded 2 2 2" in lines
    assert "The ledger balances: no difference." in lines
    assert lines[-1].startswith("All as it should be, in ")
    assert "settled: false" in ended.stdout
    [address] = [line.split()[1].rstrip(",") for line in lines if line.startswith("on http://")]
    with pytest.raises(requests.ConnectionError):
        direct_session().get(f"{address}/health")


@pytest.mark.slow
def test_a_service_that_does_not_start_is_a_failure_with_its_last_words(redis_url, tmp_path):
    broken = environment("postgres://nobody@127.0.0.1:1/nothing", redis_url, tmp_path / "demo.log")
    ended = demo(broken, "flights")
    assert ended.code == 1
    assert ended.stderr.startswith("\nFAILED: the service did not start:\n")
    assert "error: the database cannot be prepared: " in ended.stderr


def test_an_unknown_product_is_named():
    ended = demo(dict(os.environ), "trains")
    assert (ended.code, ended.stdout) == (2, "")
    assert ended.stderr == "error: no product trains: flights, hotels, transfers, esim\n"


@pytest.fixture
def now() -> int:
    return int(time.time())


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    inbox = Inbox()
    inbox.secret = new_secret()
    yield inbox
    inbox.close()


BODY = b'{"id":"evt_1","type":"booking.confirmed","data":{"bookingId":"ford_1"}}'


def signed(secret: str, timestamp: int) -> dict[str, str]:
    return signature_headers(event_id="evt_1", timestamp=timestamp, body=BODY, signing_secrets=[secret])


def test_a_delivery_signed_with_another_secret_is_refused_and_remembered(inbox, now):
    answer = direct_session().post(inbox.url, BODY, headers=signed(new_secret(), now))
    assert answer.status_code == 400
    assert inbox.count() == {}
    assert [objection.split(":")[0] for objection in inbox.refused] == ["stripe", "standardwebhooks"]
