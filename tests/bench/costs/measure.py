"""What the largest requests cost, against a usual search: `python -m tests.bench costs`.

Each operation is asked the most that it allows, through the whole of Django in this process, on a real PostgreSQL and Redis. What
counts is the processor's time of the thread that answers, because that is what a caller takes from the others; beside it stands
the time from request to answer, which PostgreSQL has its part in. The search that the others are measured by is asked again
before every one of them, so that a change of the machine's speed meets both.
"""

import json
import os
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import django
from django.test.utils import setup_test_environment

from tests.bench.server import LIMITS, drop_database, fresh_database, manage

if TYPE_CHECKING:
    from tests.bench.costs.partner import Ask, Partner  # they read the settings as they are imported

ROUNDS = 9
WARM_UP = 2
AGAIN = 5
MOST = 10.0
"""Usual searches: no request may cost more."""
SCOPES = (
    "account:read,ledger:read,hotels:search,hotels:book,flights:search,flights:book,transfers:search,transfers:book,"
    "esim:read,esim:book,webhooks:manage"
)


def main(rounds: int = ROUNDS) -> None:
    with own_database() as made:
        dearest = report(made["testKey"], made["accountId"], rounds)
    if dearest > MOST:
        sys.exit(f"A request costs {dearest:.1f} usual searches; {MOST:.0f} are the most.")


@contextmanager
def own_database() -> Iterator[dict[str, str]]:
    """Django set up in this process, and a partner whose limits are out of the way."""
    before = dict(os.environ)
    environment = {**before, **fresh_database(), "DJANGO_SETTINGS_MODULE": "tests.bench.settings"}
    try:
        os.environ.update(environment)
        manage(environment, "migrate", "--no-input", "--verbosity", "0")
        terms = [
            "--name",
            "Costs",
            "--currency",
            "EUR",
            "--balance-cents",
            "900000000000",
            "--scopes",
            SCOPES,
        ]
        limits = ["--rate", LIMITS, "--search-quota", "100000000", "--json"]
        made = json.loads(manage(environment, "create_partner", *terms, *limits))
        django.setup()
        setup_test_environment()
        yield made
    finally:
        os.environ.update(before)
        drop_database()


@dataclass(frozen=True)
class Cost:
    """Of one answer, in seconds, and its bytes."""

    processor: float
    wall: float
    size: int


def parts() -> "tuple[Callable[[Partner], Iterator[Ask]], ...]":
    """All there is to ask, in the order of the table."""
    from tests.bench.costs import flights, hotels, others, refused, webhooks

    sold = (hotels.asks, flights.asks, others.transfers, others.esims)
    return (*sold, webhooks.asks, others.account, others.probes, refused.asks)


def report(secret: str, account_id: str, rounds: int) -> float:
    """A line a request; the highest ratio of them all."""
    from apps.accounts.models import Account
    from tests.bench.costs import hotels
    from tests.bench.costs.partner import Partner
    from tests.support.api import Api

    partner = Partner(Api(secret), Account.objects.get(id=account_id))
    usual = partner.ask("searchHotels", "a usual search", hotels.usual)
    dearest = 0.0
    print("| Request | processor | time | ms | answer, KB |\n|---|---:|---:|---:|---:|")
    asked = []
    for part in parts():
        for ask in part(partner):
            asked.append(ask)
            ours, theirs = measured(partner, ask, usual, rounds)
            processor = ours.processor / theirs.processor
            dearest = max(dearest, processor)
            print(
                f"| {ask}{' **above the goal**' if processor > MOST else ''} | {processor:.2f} | {ours.wall / theirs.wall:.2f} "
                f"| {ours.processor * 1000:.1f} | {ours.size / 1000:.1f} |",
                flush=True,
            )
    first = resident_mb()
    for _ in range(AGAIN):
        for ask in asked:
            once(partner, ask)
    print(
        f"\nThis process: {first} MB after all of these, {resident_mb()} MB after all of them {AGAIN} times more."
    )
    return dearest


def resident_mb() -> int:
    """Memory that this process has at present, what makes the requests included."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1_000_000


def measured(partner: "Partner", ask: "Ask", usual: "Ask", rounds: int) -> tuple[Cost, Cost]:
    """The medians of the request, and of the usual searches between."""
    ours, theirs = [], []
    for _ in range(WARM_UP + rounds):
        theirs.append(once(partner, usual))
        ours.append(once(partner, ask))
    return middle(ours[WARM_UP:]), middle(theirs[WARM_UP:])


def middle(costs: list[Cost]) -> Cost:
    return Cost(
        median(cost.processor for cost in costs),
        median(cost.wall for cost in costs),
        max(cost.size for cost in costs),
    )


def once(partner: "Partner", ask: "Ask") -> Cost:
    """One request, answered as it should be. What makes it, and reads the answer, is not counted."""
    request = ask.make()
    headers = {"Authorization": f"Bearer {partner.api.secret}", "Idempotency-Key": uuid.uuid4().hex}
    processor, wall = time.thread_time(), time.perf_counter()
    response = partner.api.client.generic(
        request.method, request.path, request.body, content_type="application/json", headers=headers
    )
    cost = Cost(time.thread_time() - processor, time.perf_counter() - wall, len(response.content))
    if response.status_code != ask.status:
        raise RuntimeError(f"{ask} answered {response.status_code}: {response.content[:500]!r}")
    return cost
