"""kill -9 of the real Celery worker and beats while orders and cancellations with lost answers wait (reliability B1, T4).

Two beats run at once, then none for a while: each sweep comes twice, or late, and nothing is done twice or left over.
"""

import random
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.onboarding.partners import Onboarded
from tests.chaos.beat import open_operations, owed_settlements, wait_until_none
from tests.chaos.goods import CANCELLABLE, GOODS, Good
from tests.chaos.persistence import insist, wait_until_answered
from tests.judge.process import Judge
from tests.support import stack
from tests.support.api import Reply
from tests.support.crew import Crew, working
from tests.support.invariants import blocked_keys, violations
from tests.support.private_redis import PrivateRedis
from tests.support.stack import SHORT_WAITS, HttpApi

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

OF_EACH = 6
BLOWS = 5
"""To a worker or a beat, in each round."""
BACKLOG_SECONDS = 120
WITHOUT_BEAT_SECONDS = 10
SWEEPS = {"RECOVERY_SECONDS": 0.5, "RECONCILIATION_SECONDS": 0.5}
LOOKUPS = ("find_booking", "find_order", "find_cancellation")


@pytest.fixture
def crew(partner: Onboarded, judge: Judge, tmp_path: Path) -> Iterator[Crew]:
    """With a broker of its own: what it leaves there is nobody else's business."""
    broker = PrivateRedis(tmp_path)
    environment = {
        "DATABASE_URL": stack.test_database_url(),
        "REDIS_URL": broker.url,
        **judge.environment,
        **SHORT_WAITS,
        **SWEEPS,
    }
    try:
        with working(environment, tmp_path / "crew.log") as running:
            yield running
    finally:
        broker.kill()


@pytest.fixture
def client(web: str, partner: Onboarded) -> HttpApi:
    """The partner's connection, with no sweep in this process."""
    client = HttpApi(web, partner.test_secret)
    wait_until_answered(lambda: client.get("/v1/account"), times=5)
    return client


@dataclass
class Seller:
    """Orders and cancels while the supplier's answers are lost, once each, and leaves the rest to recovery."""

    api: HttpApi
    judge: Judge
    sent: dict[str, Callable[[], Reply]] = field(default_factory=dict)

    def lose_orders(self, name: str) -> None:
        """Six of every product, all booked by the supplier: those of late eSIMs are waited for, the others' answers lost."""
        for good in GOODS.values():
            if not good.late:
                self.judge.misbehave(good.writes, "reset", times=OF_EACH)
            for place, body in enumerate(islice(cycle(good.bodies(self.api)), OF_EACH)):
                key = f"{name}-{good.name}-{place}"
                self._send(key, partial(good.order, self.api, body, key), late=good.late)

    def lose_cancellations(self, name: str) -> None:
        """Of half of what stands."""
        for good in CANCELLABLE.values():
            standing = list(ids_of(good))[: OF_EACH // 2]
            self.judge.misbehave("cancel", "reset", times=len(standing))
            for booking_id in standing:
                key = f"{name}-{booking_id}"
                self._send(key, partial(good.cancel, self.api, booking_id, key))

    def _send(self, key: str, request: Callable[[], Reply], *, late: bool = False) -> None:
        reply = request()
        assert reply.status == 503 or (late and reply.body["status"] == "pending"), reply.body
        self.sent[key] = request


def ids_of(good: Good) -> Iterator[str]:
    yield from Booking.objects.filter(product=good.name, status=good.standing).values_list("id", flat=True)


def backlog() -> int:
    return open_operations() + owed_settlements()


def check(seller: Seller, judge: Judge) -> None:
    """All that was sent was done once; asked again, the partner is told so."""
    assert violations(judge.report()) == []
    assert {insist(request).reply.status for request in seller.sent.values()} <= {200, 201}
    wait_until_none(backlog)
    assert violations(judge.report()) == []
    booked = Booking.objects.exclude(status="failed")
    assert judge.bookings() == dict.fromkeys(booked.values_list("reference", flat=True), 1)
    assert booked.count() == sum("-order-" in key for key in seller.sent)
    assert not booked.filter(status="pending").exists()
    assert blocked_keys(clock.now()) == 0


def test_killing_worker_and_beats_leaves_nothing_undone_or_done_twice(
    only_in_chaos: None,
    client: HttpApi,
    judge: Judge,
    crew: Crew,
    runs: int,
    figure: Callable[[str], None],
) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    seller = Seller(client, judge)
    judge.hide_first_lookups(1)
    for method in LOOKUPS:  # so that most blows fall in the midst of one
        judge.misbehave(method, "delay", times=10**6, seconds=0.15)
    crew.set_beats(2)
    in_time, waits = 0, []
    for number in range(runs):
        seller.lose_cancellations(f"crew-cancel-{number}")
        seller.lose_orders(f"crew-order-{number}")
        for _ in range(BLOWS):
            time.sleep(chance.uniform(0.1, 3))
            in_time += backlog() > 0
            struck = chance.choice([crew.network, chance.choice(crew.members)])
            struck.strike(chance)
            time.sleep(chance.uniform(0.1, 1))
            if not struck.alive:
                struck.restart()
        waits.append(wait_until_none(backlog, BACKLOG_SECONDS))
    check(seller, judge)
    assert in_time >= runs * BLOWS // 2
    figure(
        f"worker and two beats: {runs * BLOWS} kills (seed {seed}), {in_time} with work under way, {len(seller.sent)} "
        f"lost or late answers recovered, 0 lost, 0 doubled; backlog gone {max(waits):.1f} s after the last kill"
    )


def test_without_a_beat_work_waits_and_is_done_when_one_comes(
    only_in_chaos: None, client: HttpApi, judge: Judge, crew: Crew, figure: Callable[[str], None]
) -> None:
    seller = Seller(client, judge)
    seller.lose_orders("no-beat-order")
    waiting = backlog()
    assert waiting == OF_EACH * len(GOODS)
    time.sleep(WITHOUT_BEAT_SECONDS)
    assert all(member.alive for member in crew.members)
    assert backlog() == waiting
    assert {text.partition(":")[0] for text in violations(judge.report())} == {"unfinished"}
    crew.set_beats(2)
    seconds = wait_until_none(backlog, BACKLOG_SECONDS)
    check(seller, judge)
    figure(
        f"no beat for {WITHOUT_BEAT_SECONDS} s, then two at once: {waiting} waited, 0 lost, 0 doubled; "
        f"backlog gone after {seconds:.1f} s"
    )
