"""The list by `updatedSince` and the feed beside writers that pause, and a clock that moves (reliability I8, W9)."""

import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection, transaction

from apps.accounts.clocks import move_clock
from apps.bookings import listing, statements
from apps.bookings.erasure import forget
from apps.bookings.flow.settle import emit_events
from apps.bookings.listing import HELD_BACK
from apps.bookings.models import Booking
from apps.bookings.statements import LATE, save_change
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.webhooks.events import Fact
from apps.webhooks.models import Event
from tests.chaos.test_feed import Reader
from tests.support.api import Api
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db(transaction=True)

FACT = Fact("payment.refunded", {"refundCents": 7})


@dataclass(frozen=True)
class Scale:
    writers: int
    changes: int
    """In all."""
    late: timedelta
    held_back: timedelta
    longest_before_statement: float
    longest_before_commit: float
    pausing: float
    """The share of changes before whose statement, and before whose commit, the writer pauses."""
    moves: int


WHOLE = Scale(8, 10_000, LATE, HELD_BACK, 20, 4, 0.03, 20)
SHORT = Scale(8, 240, timedelta(seconds=0.1), timedelta(seconds=0.4), 0.8, 0.3, 0.2, 4)


@pytest.fixture
def account(transactional_db: None) -> Onboarded:
    rates = {"SEARCH": 10**6, "BOOKING": 10**6, "READ": 10**6}
    return onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=10**7, scopes=list(ENFORCED), rates=rates)
    )


class Follower:
    """Follows the orders by `updatedSince`, from the last `updatedAt` it saw."""

    def __init__(self, api: Api) -> None:
        self.seen: dict[str, int] = {}
        self.answers = 0
        self._api, self._since = api, "2020-01-01T00:00:00Z"

    def follow(self, over: threading.Event) -> None:
        try:
            while True:
                last_time = over.is_set()
                self.read_to_the_end()
                if last_time:
                    return
                over.wait(0.05)
        finally:
            connection.close()

    def read_to_the_end(self) -> None:
        since, cursor = self._since, ""
        while True:
            reply = self._api.get(f"/v1/flights/orders?limit=100&updatedSince={since}{cursor}")
            assert reply.status == 200, reply.body
            self.answers += 1
            instants = [order["updatedAt"] for order in reply.body["data"]]
            assert [self._since, *instants] == sorted([self._since, *instants])
            self._since = instants[-1] if instants else self._since
            self.seen |= {order["id"]: order["totalCents"] for order in reply.body["data"]}
            if not reply.body["hasMore"]:
                return
            cursor = f"&cursor={reply.body['nextCursor']}"


def orders(api: Api, count: int) -> list[Booking]:
    """Of travellers who are forgotten: then any number of copies can be shown."""
    shop = FlightShop(api)
    shop.order(shop.offer())
    booking = Booking.objects.get()
    with transaction.atomic():
        forget(booking)
    columns = {field.attname: getattr(booking, field.attname) for field in Booking._meta.concrete_fields}
    long_ago = booking.created_at - timedelta(days=1)
    return Booking.objects.bulk_create(
        Booking(**columns | own | {"event_count": 0, "total_cents": 0, "updated_at": long_ago})
        for own in ({"id": f"{booking.id[:-6]}{n:06}", "reference": f"F-{n}"} for n in range(count))
    )


def write(scale: Scale, bookings: list[Booking], changes: int, seed: int) -> None:
    """Change these bookings, each at least once, with pauses between the instant, the statement and the commit."""
    chance = random.Random(seed)

    def pause(longest: float) -> None:
        time.sleep(chance.uniform(0, longest) if chance.random() < scale.pausing else 0)

    again = chance.choices(bookings, k=changes - len(bookings))
    try:
        for booking in chance.sample([*bookings, *again], changes):
            now = booking.now()
            pause(scale.longest_before_statement)
            with transaction.atomic():
                booking.total_cents += 1
                save_change(booking, "total_cents", now=now)
                emit_events(booking, "", (FACT, FACT))
                pause(scale.longest_before_commit)
    finally:
        connection.close()


def repeatedly(over: threading.Event, every: Callable[[], float], act: Callable[[], Any]) -> int:
    """How often it was done."""
    done = 0
    try:
        while not over.wait(every()):
            act()
            done += 1
    finally:
        connection.close()
    return done


def hold_an_event() -> None:
    """As a replay does, until its delivery is written."""
    with transaction.atomic():
        unplaced = Event.objects.filter(feed_position=None).order_by("?").values_list("pk", flat=True)[:5]
        list(Event.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=list(unplaced)))
        time.sleep(0.1)


def test_no_change_is_missed_while_writers_pause_and_the_clock_moves(
    account: Onboarded, chaos_runs: int, monkeypatch: pytest.MonkeyPatch, figure: Callable[[str], None]
) -> None:
    scale = WHOLE if chaos_runs else SHORT
    monkeypatch.setattr(statements, "LATE", scale.late)
    monkeypatch.setattr(listing, "HELD_BACK", scale.held_back)
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    api = Api(account.test_secret)
    each = scale.changes // scale.writers
    bookings = orders(api, scale.writers * each * 4 // 5)
    follower, reader = Follower(api), Reader(api, "limit=100")
    over, written = threading.Event(), threading.Event()
    began, chance = time.monotonic(), random.Random(seed)
    moved = 0

    def move() -> None:
        nonlocal moved
        if moved < scale.moves:
            move_clock(account_id=account.account.pk, by=timedelta(hours=chance.randint(1, 300)))
            moved += 1

    with ThreadPoolExecutor(scale.writers + 4) as pool:
        following = [pool.submit(one.follow, over) for one in (follower, reader)]
        pace = scale.changes / 10_000 * 20
        beside = [
            pool.submit(repeatedly, written, lambda: chance.uniform(0, max(pace, 0.6)), move),
            pool.submit(repeatedly, written, lambda: 0.02, hold_an_event),
        ]
        writing = [
            pool.submit(write, scale, bookings[number :: scale.writers], each, seed + number)
            for number in range(scale.writers)
        ]
        try:
            for future in writing:
                future.result()
            seconds = time.monotonic() - began
        finally:
            written.set()
            time.sleep(scale.held_back.total_seconds() + 0.5)
            over.set()
        for future in (*following, *beside):
            future.result()

    stored = dict(Booking.objects.exclude(total_cents__gt=10**4).values_list("pk", "total_cents"))
    assert sum(stored.values()) == each * scale.writers
    missed = {pk for pk, version in stored.items() if follower.seen.get(pk) != version}
    sequences = defaultdict(list)
    for event in reader.events:
        if "sequence" in event and event["data"]["bookingId"] in stored:  # type: ignore[index]
            sequences[event["data"]["bookingId"]].append(event["sequence"])  # type: ignore[index]
    assert (missed, moved > 0) == (set(), True)
    assert sorted(sequences) == sorted(stored)
    assert sum(map(len, sequences.values())) == 2 * each * scale.writers
    assert all(before + 1 == after for told in sequences.values() for before, after in pairwise(told))
    figure(
        f"I8, W9: {scale.writers} writers, {each * scale.writers:,} changes in {seconds:,.0f} s with pauses up to"
        f" {scale.longest_before_statement} s and {scale.longest_before_commit} s, clock moved {moved} times;"
        f" {follower.answers:,} lists and {reader.pages:,} pages of the feed: 0 missed, sequence ascending"
    )
