"""The supplier carries a booking out and its answer is lost: it hangs, or breaks the connection off (reliability B2)."""

from collections.abc import Callable
from functools import partial

import pytest

from apps.ledger.models import Hold
from tests.chaos.beat import Beat
from tests.chaos.persistence import all_insist, p95
from tests.judge.process import Judge
from tests.support.api import Reply
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hang", "reset"])
def test_a_lost_answer_never_frees_the_funds_of_a_live_booking(
    shop: FlightShop,
    judge: Judge,
    beat: Beat,
    chaos_runs: int,
    kind: str,
    figure: Callable[[str], None],
) -> None:
    lost = 20 * chaos_runs or 6
    offer = shop.offer()
    judge.misbehave("book", kind, times=lost, seconds=2)
    if kind == "hang":
        judge.hide_first_lookups(1)  # the booking shows up late, too
    orders: list[Callable[[], Reply]] = [
        partial(shop.order, offer, f"lost-{kind}-{number}") for number in range(lost)
    ]
    answers = [answer for start in range(0, lost, 20) for answer in all_insist(orders[start : start + 20])]
    beat.wait_until_settled()
    assert {answer.reply.status for answer in answers} == {201}
    # A stalled machine may cut a connection before the 503 is out; the partner insists either way.
    first = {first for answer in answers for first in answer.before[:1]}
    assert first
    assert first <= {"503 upstream_unavailable", "no answer"}
    assert sorted(judge.bookings().values()) == [1] * lost
    assert set(Hold.objects.values_list("status", flat=True)) == {"captured"}
    assert violations(judge.report()) == []
    figure(f"answers lost ({kind}): {lost}, p95 to the final answer {p95(answers):.1f} s")


@pytest.mark.slow
def test_a_request_that_never_arrived_is_given_up_and_made_anew(
    shop: FlightShop, judge: Judge, beat: Beat, chaos_runs: int
) -> None:
    lost = 10 * chaos_runs or 3
    offer = shop.offer()
    judge.misbehave("book", "drop", times=lost)
    orders: list[Callable[[], Reply]] = [
        partial(shop.order, offer, f"never-arrived-{number}") for number in range(lost)
    ]
    answers = [answer for start in range(0, lost, 20) for answer in all_insist(orders[start : start + 20])]
    beat.wait_until_settled()
    assert {answer.reply.status for answer in answers} == {201}
    assert sum(judge.bookings().values()) == lost
    assert sorted(Hold.objects.values_list("status", flat=True)) == ["captured"] * lost + ["released"] * lost
    assert violations(judge.report()) == []
