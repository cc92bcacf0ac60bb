"""kill -9 at every dangerous point, and whoever lost the answer asks what became of the call (reliability I7).

The judge's books are the oracle: nothing that is told may be wrong, nothing may be `unknown` once a look-up has told it, and a
partner who blindly does what `next` says ends with exactly one booking. Every second one only watches until the state is known,
so that it is also seen what recovery makes of it alone.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path

import pytest

from apps.bookings.models import Booking, Operation
from tests.chaos.app import POINTS
from tests.chaos.beat import Beat
from tests.chaos.following import Followed, Follower, all_follow
from tests.chaos.goods import CANCELLABLE, GOODS, Good
from tests.chaos.persistence import all_insist
from tests.chaos.test_kills import arm, check, orders, struck
from tests.judge.process import Judge
from tests.support.api import Reply
from tests.support.stack import HttpApi

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

OF_EACH = 3
BYSTANDERS = 2


def kill_and_follow(
    armed: Path, runs: int, points: Sequence[str], followers: Callable[[int], list[Follower]]
) -> list[Followed]:
    """In each round one process dies at each point, and everybody follows what is told."""
    followed = []
    for number in range(runs):
        ready = followers(number)  # what they need is made before anything may die
        arm(armed, points)
        followed += all_follow(ready)
        assert struck(armed, points) == len(points)
    return followed


def ordering(api: HttpApi, judge: Judge, goods: Sequence[Good], count: int, number: int) -> list[Follower]:
    """So many orders of each, under keys of their own, without an externalReference: nothing else keeps them apart."""
    followers = []
    for good in goods:
        bodies = cycle(good.bodies(api))
        for place in range(count):
            send = partial(send_order, api, good, next(bodies))
            key = f"outcome-{good.name}-{number}-{place}"
            followers.append(Follower(api, judge, send, key, watches=place % 2 == 1))
    return followers


def send_order(api: HttpApi, good: Good, body: dict[str, object], key: str) -> Reply:
    return api.post(good.path, body, key)


def check_followed(followed: list[Followed], kills: int) -> str:
    """Nothing that was told was wrong or late. What was seen, in words."""
    assert [fault for each in followed for fault in each.wrong] == []
    assert [late for each in followed for late in each.late] == []
    states = Counter(told.partition(",")[0] for each in followed for told in each.told)
    asked = sum(each.asked for each in followed)
    return f"{kills} kills, {len(followed)} followers, {asked} outcomes ({dict(states)}): 0 wrong, 0 late"


def check_one_booking_each(judge: Judge, goods: Sequence[Good], followed: list[Followed]) -> None:
    """Each follower ended with a booking of its own, and there is none besides: neither ours nor the supplier's."""
    standing = Booking.objects.filter(status__in=[good.standing for good in goods])
    ended_with = [each.booking["id"] for each in followed if each.booking is not None]
    assert len(ended_with) == len(followed)
    assert sorted(ended_with) == sorted(standing.values_list("id", flat=True))
    assert judge.bookings() == dict.fromkeys(standing.values_list("reference", flat=True), 1)


def check_orders_of(
    goods: Sequence[Good], count: int, api: HttpApi, judge: Judge, beat: Beat, armed: Path, runs: int
) -> str:
    points = goods[0].points
    followed = kill_and_follow(armed, runs, points, lambda number: ordering(api, judge, goods, count, number))
    check(beat, judge)
    check_one_booking_each(judge, goods, followed)
    return check_followed(followed, runs * len(points))


def test_whoever_follows_what_is_told_ends_with_exactly_one_booking(
    api: HttpApi, judge: Judge, beat: Beat, armed: Path, runs: int, figure: Callable[[str], None]
) -> None:
    figure(f"all products: {check_orders_of(list(GOODS.values()), OF_EACH, api, judge, beat, armed, runs)}")


@pytest.mark.parametrize("name", GOODS)
def test_whoever_follows_what_is_told_of_a_product_ends_with_exactly_one_booking(
    only_in_chaos: None,
    api: HttpApi,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
    name: str,
) -> None:
    good = GOODS[name]
    count = len(good.points) + BYSTANDERS
    figure(f"{name}: {check_orders_of([good], count, api, judge, beat, armed, runs)}")


@pytest.mark.parametrize("name", CANCELLABLE)
def test_whoever_follows_what_is_told_of_a_cancellation_cancels_once(
    only_in_chaos: None,
    api: HttpApi,
    judge: Judge,
    beat: Beat,
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
    name: str,
) -> None:
    good = CANCELLABLE[name]

    def cancelling(number: int) -> list[Follower]:
        made = all_insist(orders(api, good, len(POINTS) + BYSTANDERS, f"to-cancel-{number}"))
        return [
            Follower(
                api,
                judge,
                partial(good.cancel, api, answer.reply.body["id"]),
                f"outcome-cancel-{answer.reply.body['id']}",
                watches=place % 2 == 1,
            )
            for place, answer in enumerate(made)
        ]

    followed = kill_and_follow(armed, runs, tuple(POINTS), cancelling)
    check(beat, judge)
    assert {each.booking["status"] for each in followed if each.booking is not None} == {"cancelled"}
    confirmed = Operation.objects.filter(kind="cancel", state="confirmed")
    assert confirmed.count() == len(followed) == sum(each.booking is not None for each in followed)
    figure(f"cancellations of {name}: {check_followed(followed, runs * len(POINTS))}")
