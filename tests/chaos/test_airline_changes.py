"""Airlines move flights while the workers that read of it are killed, and the suppliers' webhooks are lost or come twice.

Each change is told once, with the right difference (reliability W1).
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from orjson import loads

from apps.bookings.models import Booking
from apps.common import clock
from apps.flights.suppliers.duffel.mapping import local_time
from apps.ledger.consistency import check_ledger
from apps.suppliers.models import SupplierEvent
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Attempt, Event
from apps.webhooks.sender import Sender
from tests.chaos.beat import wait_until_none
from tests.chaos.forks import Forks, forking
from tests.factories.webhooks import EndpointFactory
from tests.flights.desk import Desk, a_partner, desk_of
from tests.flights.suppliers.duffel.live import live_keys_at_duffel
from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.support.receiver import Receiver, receiving

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ADDRESS = "/suppliers/duffel/webhooks"
DETECTED = "order.airline_initiated_change_detected"
CHANGES_OF_AN_ORDER = 5
SHORTEST_LIFE, LONGEST_LIFE = 0.05, 1.5

LONGEST_SECONDS = 600

Difference = tuple[str, str, str]
"""The order at Duffel, and when the first flight left before and leaves after."""


@dataclass
class Words:
    """What the suppliers' webhooks said, and when each change's first one came."""

    lost: int = 0
    doubled: int = 0
    heard_at: dict[Difference, float] = field(default_factory=dict)


@pytest.fixture
def stub(transactional_db: None) -> Iterator[DuffelStub]:
    with live_keys_at_duffel() as stub:
        yield stub


@pytest.fixture
def seller(stub: DuffelStub) -> Desk:
    return desk_of(a_partner().live_secret)


@pytest.fixture
def forks(stub: DuffelStub) -> Iterator[Forks]:
    supplier = {"FLIGHTS_SUPPLIER": "duffel", "DUFFEL_ACCESS_TOKEN": TOKEN, "DUFFEL_BASE_URL": stub.url}
    with forking(**supplier) as running:
        yield running


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


@pytest.fixture
def orders(chaos_runs: int) -> int:
    """How many: 100, for 500 changes, in `make chaos`."""
    return 10 * chaos_runs or 4


def difference_of(reference: str, change: dict[str, Any]) -> Difference:
    def leaves(slices: list[dict[str, Any]]) -> str:
        first = slices[0]["segments"][0]
        return local_time(first["departing_at"], first["origin"]).isoformat()

    return reference, leaves(change["removed"]), leaves(change["added"])


@contextmanager
def again_and_again(work: Callable[[], object]) -> Iterator[None]:
    """In a thread of its own, until the end of the block."""
    over, errors = threading.Event(), list[BaseException]()

    def run() -> None:
        try:
            while not over.wait(0.01):
                work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    assert errors == []


def move_all(
    stub: DuffelStub, references: list[str], chance: random.Random, *, at_a_time: bool
) -> tuple[Words, list[Difference]]:
    """Every order is moved several times. A third of the words are lost, a third come twice, some late.

    `at_a_time`: each word is heard before the next is said. Else they pile up.
    """
    words, made, late = Words(), list[Difference](), list[tuple[dict[str, str], bytes]]()
    for _ in range(CHANGES_OF_AN_ORDER):
        for reference in references:
            change = stub.change_by_airline(reference, minutes=chance.randrange(5, 90, 5))
            made.append(difference_of(reference, change))
            told = stub.webhook(DETECTED, stub.announced(change))
            match chance.randrange(3):
                case 0:
                    words.lost += 1
                    continue
                case 1:
                    words.doubled += 1
                    late.append(told)
            words.heard_at[made[-1]] = time.time()
            hear(*told)
            if len(late) > 5:
                hear(*late.pop(chance.randrange(len(late))))
            if at_a_time:
                wait_until_all_is_heard()
    for told in late:
        hear(*told)
    return words, made


def hear(headers: dict[str, str], body: bytes) -> None:
    assert Client().post(ADDRESS, body, content_type="application/json", headers=headers).status_code == 200


def told() -> list[tuple[Event, Difference]]:
    references = dict(Booking.objects.values_list("pk", "supplier_reference"))
    events = Event.objects.filter(type="booking.schedule_changed").order_by("created_at", "pk")
    found = []
    for event in events:
        data = loads(event.payload)["data"]
        (before,), (after,) = data["before"], data["after"]
        assert before["sliceId"] == after["sliceId"]
        found.append((event, (references[data["bookingId"]], before["departureAt"], after["departureAt"])))
    return found


def first_attempts() -> dict[str, float]:
    attempts = Attempt.objects.filter(number=1).values_list("delivery__event_id", "attempted_at")
    return {event_id: at.timestamp() for event_id, at in attempts}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at_once", "dying"),
    [(True, True), (False, True), (True, False)],
    ids=["shown at once", "shown once accepted", "nobody dies"],
)
def test_each_change_of_an_airline_is_told_once_whatever_dies(
    stub: DuffelStub,
    seller: Desk,
    forks: Forks,
    receiver: Receiver,
    orders: int,
    at_once: bool,
    dying: bool,
    figure: Callable[[str], None],
) -> None:
    stub.shown_at_once = at_once
    references = [seller.ordered()["supplier"]["reference"] for _ in range(orders)]
    account_id = Booking.objects.values_list("account_id", flat=True)[0]
    EndpointFactory(
        account_id=account_id,
        account=None,
        environment="live",
        url=receiver.url,
        events=["booking.schedule_changed"],
    )
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance, lives = random.Random(seed), random.Random(seed + 1)
    killed: list[float] = []

    def live_and_die() -> None:
        if dying:
            killed.append(lives.uniform(SHORTEST_LIFE, LONGEST_LIFE))
        forks.run(f"hear {killed[-1]:.3f}" if dying else "hear -1")

    sender = Sender(allow_local=True)
    dispatcher = Dispatcher(using=sender)
    with again_and_again(live_and_die), again_and_again(dispatcher.run):
        words, made = move_all(stub, references, chance, at_a_time=not dying)
        wait_until_all_is_heard()
    # The day after: the polls find what no webhook told.
    Booking.objects.update(next_news_at=clock.now())
    forks.run("hear -1")
    dispatcher.run()
    sender.close_idle(everything=True)

    events = told()
    assert len(made) == orders * CHANGES_OF_AN_ORDER
    assert Counter(difference for _, difference in events) == Counter(made)
    assert [d for _, d in sorted(events, key=in_order(made))] == made
    received = Counter(request.headers["webhook-id"] for request in receiver.requests)
    assert received == Counter(event.pk for event, _ in events)
    assert check_ledger() == []
    tell(figure, words, len(made), len(killed), events)


def in_order(made: list[Difference]) -> Callable[[tuple[Event, Difference]], int]:
    return lambda event: made.index(event[1])


def wait_until_all_is_heard() -> None:
    wait_until_none(SupplierEvent.objects.filter(handled_at=None).count, LONGEST_SECONDS)


def tell(
    figure: Callable[[str], None],
    words: Words,
    made: int,
    killed: int,
    events: list[tuple[Event, Difference]],
) -> None:
    attempts = first_attempts()
    waited = sorted(
        attempts[event.pk] - words.heard_at[difference]
        for event, difference in events
        if difference in words.heard_at and attempts[event.pk] >= words.heard_at[difference]
    )
    p95 = waited[int(0.95 * (len(waited) - 1))] if waited else 0.0
    figure(
        f"airline changes: {made} made, {killed} workers killed, {words.lost} words lost, {words.doubled} doubled:"
        f" {len(events)} events, each with its difference; word to first attempt p95 {p95:.2f} s of {len(waited)}"
    )
