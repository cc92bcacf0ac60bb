"""A process that stands still beyond its leases and then goes on must not act any more (reliability I4)."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from apps.bookings.models import Booking
from tests.chaos.app import POINTS
from tests.chaos.beat import Beat
from tests.chaos.persistence import insist, wait_until_answered
from tests.judge.process import Judge
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.stack import SHORT_WAITS, HttpApi

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

BEYOND_THE_LEASES = 1.5


@pytest.fixture
def stopped(armed: Path) -> Iterator[Callable[[str], int]]:
    """`stopped(point)`: the number of the process that stands still there. All go on at the end."""
    found: list[Path] = []

    def wait(point: str) -> int:
        note = armed / f"{point}.stopped"
        give_up = time.monotonic() + 20
        while not (note.exists() and note.read_text()):
            assert time.monotonic() < give_up, f"nobody stopped at {point}"
            time.sleep(0.02)
        found.append(note)
        return int(note.read_text())

    yield wait
    for note in found:
        os.kill(int(note.read_text()), signal.SIGCONT)
        note.unlink()


@pytest.mark.parametrize("point", list(POINTS))
def test_a_process_that_goes_on_after_its_leases_changes_nothing(
    only_in_chaos: None,
    shop: FlightShop,
    judge: Judge,
    beat: Beat,
    armed: Path,
    stopped: Callable[[str], int],
    point: str,
) -> None:
    offer = shop.offer()
    assert isinstance(shop.api, HttpApi)
    shop.api.timeout = 2
    draft = armed / f"{point}.draft"
    draft.write_text("STOP")
    draft.rename(armed / point)
    answer = insist(partial(shop.order, offer, f"stopped-at-{point}"))
    process = stopped(point)
    time.sleep(SHORT_WAITS["OPERATION_LEASE_SECONDS"] + BEYOND_THE_LEASES)  # type: ignore[operator]
    os.kill(process, signal.SIGCONT)
    wait_until_answered(lambda: shop.api.get("/v1/account"))
    beat.wait_until_settled()
    assert (answer.reply.status, answer.reply.body["status"]) == (201, "ticketed")
    assert Booking.objects.filter(status="ticketed").count() == 1
    assert sum(judge.bookings().values()) == 1
    assert insist(partial(shop.order, offer, f"stopped-at-{point}")).reply.body == answer.reply.body
    assert violations(judge.report()) == []
