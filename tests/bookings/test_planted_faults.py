"""Wrong variants of the booking flow, kept so that the checks are known to be able to fail.

Each is what one would write first. The invariants' checker must name the damage; with the flow as it is, it names none.
"""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow import call, claim, recover, settle
from apps.bookings.flow.recover import recover_due
from apps.bookings.handlers import Outcome, handler_for
from apps.bookings.models import Operation
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from tests.bookings.books import funds
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

MoveClock = Callable[..., None]
KEY = "planted-fault-1"


def kinds(found: list[str]) -> list[str]:
    """What is violated, each once: `lost: ('book', 'F-7KQ2M9XD') …` is `lost`."""
    return sorted({text.partition(":")[0] for text in found})


def lose_the_answer(shop: FlightShop, supplier: ScriptedFlights, *, hidden: int = 0) -> dict[str, Any]:
    """The airline accepts, its answer is lost, and its first `hidden` look-ups find nothing. What was ordered."""
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    supplier.hide(hidden)
    assert shop.order(offer, KEY).status == 503
    return offer


def believe_the_first_not_found(operation: Operation) -> None:
    """Planted: what the supplier does not show yet was never booked."""
    settle.fail(operation, failure="NotFoundAtSupplier")


@pytest.mark.parametrize("planted", [False, True])
def test_believing_the_first_not_found_loses_a_booking(
    shop: FlightShop,
    supplier: ScriptedFlights,
    move_clock: MoveClock,
    monkeypatch: pytest.MonkeyPatch,
    planted: bool,
) -> None:
    if planted:
        monkeypatch.setattr(recover, "not_found", believe_the_first_not_found)
    lose_the_answer(shop, supplier, hidden=1)
    move_clock(seconds=11)
    recover_due()
    move_clock(seconds=200)
    recover_due()
    assert kinds(violations(supplier.report())) == (["lost", "released"] if planted else [])


def take_unknown_for_refused(operation: Operation) -> None:
    """Planted: no answer is a no."""
    settle.fail(operation, failure="OutcomeUnknown")


@pytest.mark.parametrize("planted", [False, True])
def test_taking_an_unknown_outcome_for_a_failure_loses_a_booking_and_its_funds(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    move_clock: MoveClock,
    monkeypatch: pytest.MonkeyPatch,
    planted: bool,
) -> None:
    before = funds(onboarded)
    if planted:
        monkeypatch.setattr(call, "mark_uncertain", take_unknown_for_refused)
    offer = lose_the_answer(shop, supplier)
    move_clock(seconds=11)
    recover_due()
    assert kinds(violations(supplier.report())) == (["lost", "released"] if planted else [])
    assert (funds(onboarded) == before) is planted
    assert planted or funds(onboarded) == (before[0] - offer["totalCents"], 0)


def call_again(operation: Operation) -> bool:
    """Planted: whoever asks again wants it booked."""
    settle.confirm(operation, handler_for(operation).call(operation, ""))
    return True


@pytest.mark.parametrize("planted", [False, True])
def test_a_second_blind_call_on_retry_books_twice(
    shop: FlightShop, supplier: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, planted: bool
) -> None:
    if planted:
        monkeypatch.setattr(claim, "look_up", call_again)
    offer = lose_the_answer(shop, supplier)
    assert shop.order(offer, KEY).status == 201  # the partner sees no difference
    assert kinds(violations(supplier.report())) == (["blind", "doubled"] if planted else [])


def capture_half(operation: Operation, outcome: Outcome) -> int | None:
    """Planted: forgets that the rest of what was held is paid as well."""
    return (outcome.capture_cents or 0) // 2


def capture_nothing(operation: Operation, outcome: Outcome) -> int | None:
    """Planted: leaves the money for later, and later never comes."""
    return None


@pytest.mark.parametrize(
    ("planted", "damage"),
    [(settle.captured_cents, []), (capture_half, ["money"]), (capture_nothing, ["hold open", "money"])],
)
def test_a_capture_that_is_not_exactly_once_shows_in_the_books(
    shop: FlightShop,
    supplier: ScriptedFlights,
    monkeypatch: pytest.MonkeyPatch,
    planted: Callable[..., int | None],
    damage: list[str],
) -> None:
    monkeypatch.setattr(settle, "captured_cents", planted)
    shop.ordered()
    assert kinds(violations(supplier.report())) == damage
