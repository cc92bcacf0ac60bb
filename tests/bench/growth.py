"""What a million bookings cost: listings and claims of a partner with a thousand beside those of one with a million.

Both services run at once and are asked in turn, so that a change of the machine's speed meets both.
"""

import os
import time
import uuid
from statistics import median
from urllib.parse import quote, urlsplit

import django
import psycopg
import urllib3
from django.db import connection
from django.test.utils import setup_test_environment

from tests.support.multiply import multiply
from tests.support.own_service import Service, running_service
from tests.support.stack import HttpApi

FEW, MANY = 1_000, 1_000_000
ROUNDS = 300
WARM_UP = 30
PAGE = 20
LIST = "/v1/hotels/bookings"
AT_MOST = 1.3


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.settings"
    django.setup()
    setup_test_environment()
    with running_service("growth_few") as few, running_service("growth_many") as many:
        started = time.monotonic()
        first = {service.url: fill(service, count) for service, count in ((few, FEW), (many, MANY))}
        print(
            f"{FEW:,} and {MANY:,} bookings, and as many Idempotency-Keys, in {time.monotonic() - started:.0f} s"
        )
        few_asked, many_asked = (
            asked(service, first[service.url], count) for service, count in ((few, FEW), (many, MANY))
        )
        report(few_asked, many_asked)
        print_plans(many, many_asked)


def fill(service: Service, count: int) -> str:
    """The partner's own booking, and `count` made of it; its id."""
    api = HttpApi(service.url, service.secret)
    rate = api.post("/v1/hotels/searches").body["hotels"][0]["rates"][0]
    guest = {"firstName": "Ada", "lastName": "Lovelace", "type": "adult"}
    body = {
        "rateId": rate["rateId"],
        "guests": [guest],
        "contact": {"email": "ada@example.com", "phone": "+351210000000"},
    }
    booking = api.post(LIST, body).body
    with psycopg.connect(str(service.environment["DATABASE_URL"]), autocommit=True) as connection:
        multiply(connection.cursor(), booking["id"], count)
        connection.execute("VACUUM bookings_booking")
        connection.execute("VACUUM gateway_idempotencyrecord")
    return str(booking["id"])


def asked(service: Service, model: str, count: int) -> dict[str, str]:
    """The requests that are compared, by name. Page 5,000 of a million rows, the middle one of a thousand."""
    from tests.support.plans import deep

    place = 5_000 * PAGE if count > 5_000 * PAGE else count // 2
    with psycopg.connect(str(service.environment["DATABASE_URL"])) as connection:
        row = connection.execute(
            "SELECT id, created_at FROM bookings_booking WHERE reference = %s", [f"N-{place}"]
        ).fetchone()
    assert row is not None
    cursor = HttpApi(service.url, service.secret).get(LIST).body["nextCursor"]
    return {
        "first page": LIST,
        "page 5,000 by cursor": f"{LIST}?cursor={deep(cursor, row[0], row[1].isoformat())}",
        "by externalReference": f"{LIST}?externalReference={quote(f'trip-{count // 2}')}",
        "by status": f"{LIST}?status=cancelled",
        "service": service.url,
        "secret": service.secret,
    }


def report(few: dict[str, str], many: dict[str, str]) -> None:
    """A line a request: medians, and their ratio."""
    print(f"\n{'':24}{FEW:>12,}{MANY:>12,}{'ratio':>8}")
    for name in [name for name in few if name not in {"service", "secret"}]:
        show(name, lambda side, name=name: ("GET", side[name]), few, many)
    show("Idempotency-Key claim", lambda side: ("POST", f"{LIST}/hbk_unknown/cancel"), few, many)
    print("Medians in ms of the whole request, asked in turn.")


def show(name: str, request: object, few: dict[str, str], many: dict[str, str]) -> None:
    sides = [(side, urllib3.PoolManager(), []) for side in (few, many)]
    for number in range(WARM_UP + ROUNDS):
        for side, pool, times in sides:
            method, path = request(side)  # type: ignore[operator]
            began = time.perf_counter()
            answer = pool.request(
                method,
                side["service"] + path,
                headers={"Authorization": f"Bearer {side['secret']}", "Idempotency-Key": str(uuid.uuid4())},
            )
            if number >= WARM_UP:
                times.append(1000 * (time.perf_counter() - began))
            if answer.status not in {200, 404}:
                raise RuntimeError(f"{path} answered {answer.status}: {answer.data!r}")
    small, large = (median(times) for _, _, times in sides)
    print(
        f"{name:24}{small:12.2f}{large:12.2f}{large / small:8.2f}{'' if large <= AT_MOST * small else '  above the goal'}"
    )


def print_plans(service: Service, requests: dict[str, str]) -> None:
    """How the large table is read: the same requests, sent through this process."""
    from tests.support.api import Api
    from tests.support.plans import plans_of

    connection.settings_dict["NAME"] = urlsplit(str(service.environment["DATABASE_URL"])).path.strip("/")
    for name, path in requests.items():
        if path.startswith(LIST):
            for plan in plans_of(Api(service.secret), path, "bookings_booking"):
                print(f"\n{name}\n{plan}")
