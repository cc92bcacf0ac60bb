"""kill -9 at every dangerous point of a booking, a change and a cancellation, while partners retry with the same key.

The judge, a supplier in a process of its own, says in the end what was really booked (reliability B1, B3, M6, M7, I4): of every
product, and of an eSIM that is delivered late. The suite kills once at each point, with all products under way at once;
`make chaos` goes through them one by one.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.ledger.models import Hold
from tests.chaos.app import POINTS
from tests.chaos.beat import Beat
from tests.chaos.goods import CANCELLABLE, GOODS, Good
from tests.chaos.persistence import Answered, all_insist, p95
from tests.hotels.front_desk import LISBON, FrontDesk, in_days
from tests.judge.process import Judge
from tests.support.api import Reply
from tests.support.flight_shop import FlightShop
from tests.support.invariants import blocked_keys, violations
from tests.support.stack import HttpApi

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

BYSTANDERS = 4
OF_EACH = 3
"""Orders or cancellations of each product where all are under way at once."""
Requests = list[Callable[[], Reply]]


def arm(armed: Path, points: Sequence[str], strike: str = "KILL") -> None:
    for point in points:
        draft = armed / f"{point}.draft"
        draft.write_text(strike)
        draft.rename(armed / point)


def struck(armed: Path, points: Sequence[str]) -> int:
    """How many processes died since the last count; none may have been spared."""
    left = [point for point in points if (armed / point).exists()]
    assert left == [], f"no request came by {left}"
    taken = [path for path in armed.iterdir() if path.suffix[1:].isdigit()]
    for path in taken:
        path.unlink()
    return len(taken)


def rounds(
    armed: Path, runs: int, sends: Callable[[int], Requests], points: Sequence[str] = tuple(POINTS)
) -> list[Answered]:
    """In each round one process dies at each point; the requests of `sends` are all insisted upon."""
    answers = []
    for number in range(runs):
        requests = sends(number)  # what they need is made before anything may die
        arm(armed, points)
        answers += all_insist(requests)
        assert struck(armed, points) == len(points)
    return answers


def check(beat: Beat, judge: Judge) -> None:
    """Let everything come to its end; then nothing is wrong."""
    beat.reconciling = True
    beat.wait_until_settled()
    assert violations(judge.report()) == []
    assert blocked_keys(clock.now()) == 0
    assert not Hold.objects.filter(status="open").exists()


def told(what: str, kills: int, answers: list[Answered]) -> str:
    retries = sum(len(answer.before) for answer in answers)
    return (
        f"{what}: {kills} kills, {len(answers)} requests, {retries} retries, "
        f"p95 to the final answer {p95(answers):.1f} s (leases of 2 s)"
    )


def orders(api: HttpApi, good: Good, count: int, name: str) -> Requests:
    """So many orders, each under a key and an externalReference of its own, of all the terms that there are in turn."""
    bodies = cycle(good.bodies(api))
    return [partial(good.order, api, next(bodies), f"{name}-{good.name}-{place}") for place in range(count)]


def check_orders(judge: Judge, goods: Sequence[Good], answers: list[Answered]) -> None:
    """Every order was confirmed, and booked once: by us, at the judge, and for the partner."""
    assert {answer.reply.status for answer in answers} == {201}
    assert {answer.reply.body["status"] for answer in answers} <= {
        status for good in goods for status in good.statuses()
    }
    standing = Booking.objects.filter(status__in=[good.standing for good in goods])
    assert {answer.reply.body["id"] for answer in answers} == set(standing.values_list("id", flat=True))
    assert judge.bookings() == dict.fromkeys(standing.values_list("reference", flat=True), 1)


def check_orders_of(
    goods: Sequence[Good], count: int, api: HttpApi, judge: Judge, beat: Beat, armed: Path, runs: int
) -> str:
    """Kill while `count` orders of each are under way. Transfers' funds stay held until somebody reconciles."""
    points = goods[0].points

    def sends(number: int) -> Requests:
        return [request for good in goods for request in orders(api, good, count, f"order-{number}")]

    beat.reconciling = False
    answers = rounds(armed, runs, sends, points)
    beat.wait_until_resolved()
    still_held = Booking.objects.filter(product="transfer", status="confirmed").count()
    assert violations(judge.report()) == ([f"unfinished: {still_held} settlements"] if still_held else [])
    assert Hold.objects.filter(status="open").count() == still_held
    check(beat, judge)
    check_orders(judge, goods, answers)
    return told("orders", runs * len(points), answers)


def test_no_order_is_lost_or_doubled(
    api: HttpApi, judge: Judge, beat: Beat, armed: Path, runs: int, figure: Callable[[str], None]
) -> None:
    goods = list(GOODS.values())
    figure(f"all products' {check_orders_of(goods, OF_EACH, api, judge, beat, armed, runs)}")


@pytest.mark.parametrize("name", GOODS)
def test_no_order_of_a_product_is_lost_or_doubled(
    only_in_chaos: None,
    api: HttpApi,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
    name: str,
) -> None:
    count = len(POINTS) + BYSTANDERS
    figure(f"{name} {check_orders_of([GOODS[name]], count, api, judge, beat, armed, runs)}")


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
    figure(told("changes", runs * len(POINTS), answers))


def test_no_change_of_a_stay_leaves_two_or_none_or_is_paid_wrongly(
    only_in_chaos: None,
    api: HttpApi,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
) -> None:
    """To longer and to shorter stays in turn: each is made in peace, and changed while processes die."""
    desk = FrontDesk(api)  # type: ignore[arg-type]

    def changes(number: int) -> Requests:
        requests: Requests = []
        rate = desk.rate({**LISBON, "checkIn": in_days(30), "checkOut": in_days(33)})
        for place in range(len(POINTS) + 2):
            booking = desk.booked(rate)
            nights = 6 if place % 2 else 1
            options = desk.options_of(booking, checkIn=in_days(40), checkOut=in_days(40 + nights))
            key = f"kill-stay-{number}-{place}"
            requests.append(partial(desk.change, booking, options[-1], key))
        return requests

    answers = rounds(armed, runs, changes)
    check(beat, judge)
    assert {answer.reply.status for answer in answers} == {200}
    confirmed = Operation.objects.filter(kind="change", state="confirmed")
    assert confirmed.count() == len(answers)
    stays = Booking.objects.filter(product="hotel")
    assert {details["change_under_way"] for details in stays.values_list("details", flat=True)} == {None}
    figure(told("changes of stays", runs * len(POINTS), answers))


def test_no_payment_of_an_order_on_hold_is_lost_or_doubled(
    only_in_chaos: None,
    shop: FlightShop,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
) -> None:
    """Each order is put on hold in peace; of those that pay, one process dies at each point."""

    def payments(number: int) -> list[Callable[[], Reply]]:
        return [
            partial(shop.pay, shop.held(), f"kill-payment-{number}-{place}")
            for place in range(len(POINTS) + 2)
        ]

    answers = rounds(armed, runs, payments)
    check(beat, judge)
    assert {(answer.reply.status, answer.reply.body["status"]) for answer in answers} == {(200, "ticketed")}
    confirmed = Operation.objects.filter(kind="pay", state="confirmed")
    assert confirmed.count() == len(answers)
    figure(told("payments", runs * len(POINTS), answers))


def test_no_bag_is_lost_or_bought_twice(
    only_in_chaos: None,
    shop: FlightShop,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
) -> None:
    """Each order is made and its bags are listed in peace; of those that buy one, one process dies at each point."""

    def purchases(number: int) -> list[Callable[[], Reply]]:
        requests = []
        for place in range(len(POINTS) + 2):
            order = shop.ordered()
            requests.append(partial(shop.add, order, shop.bag_of(order), f"kill-bag-{number}-{place}"))
        return requests

    answers = rounds(armed, runs, purchases)
    check(beat, judge)
    assert {(answer.reply.status, len(answer.reply.body["services"])) for answer in answers} == {(200, 1)}
    confirmed = Operation.objects.filter(kind="services", state="confirmed")
    assert confirmed.count() == len(answers)
    figure(told("bags", runs * len(POINTS), answers))


def test_no_top_up_is_lost_or_doubled_or_paid_wrongly(
    only_in_chaos: None,
    api: HttpApi,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
) -> None:
    """Each is of an eSIM of its own, which nobody loses: one top-up of an eSIM is open at a time."""

    def top_ups(number: int) -> Requests:
        requests: Requests = []
        esims = [order() for order in orders(api, GOODS["esim"], len(POINTS) + BYSTANDERS, f"esim-{number}")]
        for place, esim in enumerate(esims):
            path = f"/v1/esim/orders/{esim.body['id']}/topups"
            body = {"planId": api.get(path).body["plans"][0]["id"], "externalReference": f"{number}-{place}"}
            requests.append(partial(api.post, path, body, f"kill-top-up-{number}-{place}"))
        return requests

    answers = rounds(armed, runs, top_ups)
    check(beat, judge)
    assert {(answer.reply.status, answer.reply.body["status"]) for answer in answers} == {
        (201, "provisioned")
    }
    made = Booking.objects.filter(id__startswith="etop_", status="provisioned")
    assert {answer.reply.body["id"] for answer in answers} == set(made.values_list("id", flat=True))
    assert len(made) == len(answers)
    figure(told("top-ups", runs * len(POINTS), answers))


def cancellations(api: HttpApi, goods: Sequence[Good], count: int, name: str) -> Requests:
    """So many of each, of standing bookings of all the terms that there are."""
    requests: Requests = []
    for good in goods:
        booked = [answer.reply for answer in all_insist(orders(api, good, count, f"{name}-order"))]
        assert {reply.status for reply in booked} == {201}
        requests += [
            partial(good.cancel, api, reply.body["id"], f"{name}-{reply.body['id']}") for reply in booked
        ]
    return requests


def check_cancellations_of(
    goods: Sequence[Good], count: int, api: HttpApi, judge: Judge, beat: Beat, armed: Path, runs: int
) -> str:
    """Kill while `count` cancellations of each are under way: of transfers whose funds are still held, and of others
    whose capture comes at the same moment.
    """

    def sends(number: int) -> Requests:
        beat.reconciling = False
        requests = cancellations(api, goods, count, f"cancel-{number}")
        beat.reconciling = number % 2 == 1
        return requests

    answers = rounds(armed, runs, sends)
    check(beat, judge)
    assert {answer.reply.status for answer in answers} == {200}
    assert {answer.reply.body["status"] for answer in answers} == {"cancelled"}
    assert {answer.reply.body["id"] for answer in answers} == set(
        Booking.objects.values_list("id", flat=True)
    )
    cancelled = [write["clientRef"] for write in judge.report()["writes"] if write["kind"] == "cancel"]
    confirmed = Operation.objects.filter(kind="cancel", state="confirmed")
    assert sorted(cancelled) == sorted(confirmed.values_list("client_ref", flat=True))
    assert len(cancelled) == len(answers)
    return told("cancellations", runs * len(POINTS), answers)


@pytest.mark.slow
def test_no_cancellation_is_lost_or_refunded_twice(
    api: HttpApi, judge: Judge, beat: Beat, armed: Path, runs: int, figure: Callable[[str], None]
) -> None:
    goods = list(CANCELLABLE.values())
    figure(f"all products' {check_cancellations_of(goods, OF_EACH, api, judge, beat, armed, runs)}")


@pytest.mark.parametrize("name", CANCELLABLE)
def test_no_cancellation_of_a_product_is_lost_or_refunded_twice(
    only_in_chaos: None,
    api: HttpApi,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
    name: str,
) -> None:
    count = len(POINTS) + BYSTANDERS
    figure(f"{name} {check_cancellations_of([CANCELLABLE[name]], count, api, judge, beat, armed, runs)}")


def standing(shop: FlightShop) -> list[dict[str, Any]]:
    return [shop.read(pk) for pk in Booking.objects.filter(status="ticketed").values_list("id", flat=True)]
