"""The feed of events under writers that commit late, undo, and are killed (reliability W8)."""

import random
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.db import connection

from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.webhooks.models import Event
from tests.bookings.rows import a_booking
from tests.chaos.beat import wait_until_none
from tests.chaos.forks import Forks, forking
from tests.chaos.test_webhooks_kills import commits_under_way
from tests.support.api import Api

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WRITERS = 8
BOOKINGS = 40
EACH = 1_000  # events of a writer, for one of CHAOS_RUNS: 10,000 with the ten of `make chaos`
FEW, EACH_OF_FEW = 4, 150
PAUSE_SECONDS = 0.02


class Reader:
    """Follows the feed to its end, again and again until it is told that nothing more comes."""

    def __init__(self, api: Api, query: str) -> None:
        self.events: list[dict[str, object]] = []
        self.pages = 0
        self._api, self._query = api, query
        self._after = ""

    def follow(self, over: threading.Event) -> None:
        try:
            while True:
                last_time = over.is_set()
                while self.read_page():
                    pass
                if last_time:
                    return
                over.wait(PAUSE_SECONDS)
        finally:
            connection.close()

    def read_page(self) -> bool:
        """Whether there is more."""
        after = f"&after={self._after}" if self._after else ""
        reply = self._api.get(f"/v1/events?{self._query}{after}")
        assert reply.status == 200, reply.body
        self.events += reply.body["data"]
        self.pages += 1
        self._after = reply.body["nextAfter"]
        return bool(reply.body["hasMore"])

    @property
    def ids(self) -> list[object]:
        return [event["id"] for event in self.events]


@pytest.fixture
def account(transactional_db: None) -> Onboarded:
    rates = {"SEARCH": 10**6, "BOOKING": 10**6, "READ": 10**6}
    return onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=0, scopes=["webhooks:manage"], rates=rates)
    )


def write(forks: Forks, writer: str, seed: int, count: int, bookings: list[str]) -> int:
    """Have `writer` commit at least `count` events, however often it is killed. Returns how often that was."""
    chance, kills = random.Random(seed), -1
    try:
        while (left := count - Event.objects.filter(request_id=writer).count()) > 0:
            forks.run(f"tell {writer} {chance.randrange(10**9)} {left} {' '.join(bookings)}")
            kills += 1
        return max(kills, 0)
    finally:
        connection.close()


def test_a_tailing_reader_sees_each_event_once_and_each_booking_in_sequence(
    account: Onboarded, chaos_runs: int, figure: Callable[[str], None]
) -> None:
    writers, each = (WRITERS, EACH * chaos_runs) if chaos_runs else (FEW, EACH_OF_FEW)
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    bookings = [a_booking(account.test_key).id for _ in range(BOOKINGS)]
    readers = [Reader(Api(account.test_secret), query) for query in ("limit=100", "limit=37")]
    over = threading.Event()
    with ExitStack() as its, ThreadPoolExecutor(writers + len(readers)) as pool:
        forks = [its.enter_context(forking()) for _ in range(writers)]
        reading = [pool.submit(reader.follow, over) for reader in readers]
        writing = [
            pool.submit(write, each_forks, f"writer-{number}", seed + number, each, bookings)
            for number, each_forks in enumerate(forks)
        ]
        try:
            kills = sum(future.result() for future in writing)
            wait_until_none(commits_under_way)
        finally:
            over.set()
        for future in reading:
            future.result()

    again = Reader(Api(account.test_secret), "limit=100")
    again.follow(over)
    first = readers[0]
    assert len(first.ids) >= writers * each
    assert len(set(first.ids)) == len(first.ids)
    assert set(first.ids) == set(Event.objects.values_list("pk", flat=True))
    assert [reader.ids for reader in (*readers, again)] == [first.ids] * 3
    seen = defaultdict(list)
    for event in first.events:
        seen[event["data"]["bookingId"]].append(event["sequence"])  # type: ignore[index]
    assert len(seen) == BOOKINGS
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in seen.values())
    late = out_of_order()
    assert not chaos_runs or (late and kills)
    figure(
        f"W8: {writers} writers, {len(first.ids):,} events, {kills} kills, {late:,} events read after one that was written later;"
        f" 3 readers ({first.pages:,} pages): 0 missed, 0 twice, 0 out of sequence"
    )


def out_of_order() -> int:
    """How many events have an older row before them in the feed: they were committed late."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM (SELECT arrival, lag(arrival) OVER (ORDER BY feed_position) AS before FROM webhooks_event) e"
            " WHERE arrival < before"
        )
        (count,) = cursor.fetchone() or (0,)
    return int(count)
