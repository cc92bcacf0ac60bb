"""kill -9 at every dangerous point of a booking, a change and a cancellation, while partners retry with the same key.

The judge, a supplier in a process of its own, says in the end what was really booked (reliability B1, B3, M6, M7, I4).
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation
from apps.common import clock
from tests.chaos.app import POINTS
from tests.chaos.beat import Beat
from tests.chaos.persistence import Answered, all_insist, p95
from tests.judge.process import Judge
from tests.support.api import Reply
from tests.support.flight_shop import FlightShop
from tests.support.invariants import blocked_keys, violations

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

BYSTANDERS = 4


def arm(armed: Path, points: Sequence[str]) -> None:
    for point in points:
        draft = armed / f"{point}.draft"
        draft.write_text("KILL")
        draft.rename(armed / point)


def struck(armed: Path) -> int:
    """How many processes died since the last count; none may have been spared."""
    left = [point for point in POINTS if (armed / point).exists()]
    assert left == [], f"no request came by {left}"
    taken = [path for path in armed.iterdir() if path.suffix[1:].isdigit()]
    for path in taken:
        path.unlink()
    return len(taken)


def rounds(armed: Path, runs: int, sends: Callable[[int], list[Callable[[], Reply]]]) -> list[Answered]:
    """In each round one process dies at each point; the requests of `sends` are all insisted upon."""
    answers = []
    for number in range(runs):
        requests = sends(number)  # what they need is made before anything may die
        arm(armed, list(POINTS))
        answers += all_insist(requests)
        assert struck(armed) == len(POINTS)
    return answers


def check(beat: Beat, judge: Judge) -> None:
    beat.wait_until_settled()
    assert violations(judge.report()) == []
    assert blocked_keys(clock.now()) == 0


def told(what: str, runs: int, answers: list[Answered]) -> str:
    retries = sum(len(answer.before) for answer in answers)
    return (
        f"{what}: {runs * len(POINTS)} kills, {len(answers)} requests, {retries} retries, "
        f"p95 to the final answer {p95(answers):.1f} s (leases of 2 s)"
    )


def test_no_order_is_lost_or_doubled(
    shop: FlightShop, judge: Judge, beat: Beat, armed: Path, runs: int, figure: Callable[[str], None]
) -> None:
    offer = shop.offer()

    def orders(number: int) -> list[Callable[[], Reply]]:
        return [
            partial(
                shop.order, offer, f"kill-order-{number}-{place}", externalReference=f"PO-{number}-{place}"
            )
            for place in range(len(POINTS) + BYSTANDERS)
        ]

    answers = rounds(armed, runs, orders)
    check(beat, judge)
    assert {answer.reply.status for answer in answers} == {201}
    assert {answer.reply.body["status"] for answer in answers} == {"ticketed"}
    ticketed = Booking.objects.filter(status="ticketed")
    assert {answer.reply.body["id"] for answer in answers} == set(ticketed.values_list("id", flat=True))
    booked = judge.bookings()
    assert set(booked) == set(ticketed.values_list("reference", flat=True))
    assert set(booked.values()) == {1}
    figure(told("orders", runs, answers))


def test_no_change_is_lost_or_doubled_or_paid_wrongly(
    only_in_chaos: None,
    shop: FlightShop,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
) -> None:
    def changes(number: int) -> list[Callable[[], Reply]]:
        requests = []
        for place in range(len(POINTS) + 2):
            order = shop.ordered()
            option = shop.options(order)[0 if place % 2 else -1]
            requests.append(partial(shop.change, order["id"], option, f"kill-change-{number}-{place}"))
        return requests

    answers = rounds(armed, runs, changes)
    check(beat, judge)
    assert {answer.reply.status for answer in answers} == {200}
    confirmed = Operation.objects.filter(kind="change", state="confirmed")
    assert confirmed.count() == len(answers)
    assert all(change["settled"] for order in standing(shop) for change in order["changes"])
    figure(told("changes", runs, answers))


def test_no_cancellation_is_lost_or_refunded_twice(
    only_in_chaos: None,
    shop: FlightShop,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
) -> None:
    offer = shop.offer()

    def cancellations(number: int) -> list[Callable[[], Reply]]:
        return [
            partial(shop.cancel, shop.ordered(offer)["id"], f"kill-cancel-{number}-{place}")
            for place in range(len(POINTS) + 2)
        ]

    answers = rounds(armed, runs, cancellations)
    check(beat, judge)
    assert {answer.reply.status for answer in answers} == {200}
    assert {answer.reply.body["status"] for answer in answers} == {"cancelled"}
    figure(told("cancellations", runs, answers))


def standing(shop: FlightShop) -> list[dict[str, Any]]:
    return [shop.read(pk) for pk in Booking.objects.filter(status="ticketed").values_list("id", flat=True)]
