"""What ten million events cost: pages of the feed of a partner with ten thousand beside those of one with ten million.

Both services run at once and are asked in turn, so that a change of the machine's speed meets both.
"""

import os
import time
from contextlib import ExitStack

import django
import psycopg
from django.test.utils import setup_test_environment

from tests.bench.feed_rows import OF_A_BOOKING, fill
from tests.bench.growth import show
from tests.support.own_service import Service, running_service

FEW, MANY = 10_000, 10_000_000
UNREAD = """
INSERT INTO webhooks_event (id, account_id, environment, type, payload, booking_id, booking_reference, request_id, created_at)
SELECT 'evt_9' || replace(gen_random_uuid()::text, '-', ''), account_id, 'test', type, payload, '', '', '', now()
  FROM webhooks_event WHERE id = 'evt_' || lpad('1', 26, '0')
"""


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.settings"
    django.setup()
    setup_test_environment()
    growth()


def growth() -> None:
    """A line a kind of page: medians, and their ratio."""
    with running_service("feed_few") as few, running_service("feed_many") as many, ExitStack() as its:
        started = time.monotonic()
        sides = []
        for service, count in ((few, FEW), (many, MANY)):
            database = its.enter_context(
                psycopg.connect(str(service.environment["DATABASE_URL"]), autocommit=True)
            )
            prepare(database, count)
            sides.append((side(service, count), database))
        print(f"{FEW:,} and {MANY:,} events in {time.monotonic() - started:.0f} s")
        print(f"\n{'':24}{FEW:>12,}{MANY:>12,}{'ratio':>8}")
        (small, _), (large, _) = sides
        databases = {id(told): database for told, database in sides}
        for name in small:
            if name not in {"service", "secret"}:
                show(name, lambda side, name=name: ("GET", side[name]), small, large)

        def after_an_event(told: dict[str, str]) -> tuple[str, str]:
            databases[id(told)].execute(UNREAD)
            return "GET", told["the end"]

        show("the end, an event more", after_an_event, small, large)
        print("Medians in ms of the whole request, asked in turn.")


def prepare(database: psycopg.Connection, count: int) -> None:
    row = database.execute("SELECT id FROM accounts_account LIMIT 1").fetchone()
    assert row is not None
    database.execute("SET synchronous_commit = off")
    fill(database, row[0], count)
    database.execute("VACUUM (ANALYZE) webhooks_event")


def side(service: Service, count: int) -> dict[str, str]:
    """The requests that are compared, by name."""
    middle = f"evt_{count // 2:026}"
    return {
        "from the beginning": "/v1/events?limit=100",
        "from the middle": f"/v1/events?limit=100&after={middle}",
        "the end": f"/v1/events?limit=100&after=evt_{count:026}",
        "a rare type": f"/v1/events?limit=100&type=payment.refunded&after={middle}",
        "a booking": f"/v1/events?bookingReference=H-{count // 2 // OF_A_BOOKING}",
        "no such booking": "/v1/events?bookingReference=H-0K",
        "service": service.url,
        "secret": service.secret,
    }
