"""What only the simulator promises: it repeats itself, keeps its own clock, and can be made to misbehave."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from apps.hotels.suppliers.base import Cancellation, Guest, Rate
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.suppliers.errors import Expired, NotPossible, Rejected
from apps.suppliers.simulation import DatabaseStore
from apps.suppliers.values import replaced
from tests.hotels.suppliers.requests import ADA, CHECK_IN, a_rate, a_search, a_stay, new_ref, rates

pytestmark = pytest.mark.django_db

BYRON = Guest("Byron", "King", "child", 7)


@pytest.fixture
def simulator() -> HotelSimulator:
    return HotelSimulator(DatabaseStore("hotels"))


def test_a_search_meets_policies_of_every_form(simulator: HotelSimulator) -> None:
    forms = {
        rate.cancellation_policy[:10] for rate in rates(simulator.search(a_search(refundable_only=True)))
    }
    assert forms == {'{"cancelPo', '[{"from": ', '{"refundab'}


@pytest.mark.parametrize(
    "guests",
    [(BYRON,), (ADA, ADA, ADA), (ADA, BYRON)],
    ids=["a child alone", "too many adults", "a child too many"],
)
def test_guests_that_the_rate_is_not_for_are_rejected(
    simulator: HotelSimulator, guests: tuple[Guest, ...]
) -> None:
    with pytest.raises(Rejected):
        simulator.book(a_stay(a_rate(simulator), guests=guests))


@pytest.mark.parametrize(
    "data", [{}, {"hotel": "htl_0_00", "plan": "flex"}, {"hotel": "htl_2267057_00", "plan": "x"}]
)
def test_a_rate_of_somebody_elses_is_expired(simulator: HotelSimulator, data: dict[str, str]) -> None:
    rate: Rate = replaced(a_rate(simulator), supplier_data=data)
    with pytest.raises(Expired):
        simulator.check_rate(rate)


def test_cancelling_costs_more_the_later(simulator: HotelSimulator, move_clock: Callable[..., None]) -> None:
    stay = simulator.book(a_stay(a_rate(simulator)))
    costs = [simulator.quote_cancellation(stay.supplier_reference).penalty_cents]
    ahead = datetime.combine(CHECK_IN, datetime.min.time(), UTC) - simulator.now()
    for further in (ahead.total_seconds(), 3 * 86_400):
        move_clock(seconds=further)
        costs.append(simulator.quote_cancellation(stay.supplier_reference).penalty_cents)
    assert costs == [0, (stay.total_cents + 1) // 2, stay.total_cents]


def test_a_quote_that_became_too_low_cancels_nothing(
    simulator: HotelSimulator, move_clock: Callable[..., None]
) -> None:
    stay = simulator.book(a_stay(a_rate(simulator)))
    quote = simulator.quote_cancellation(stay.supplier_reference)
    move_clock(days=(CHECK_IN - simulator.now().date()).days)
    with pytest.raises(NotPossible):
        simulator.cancel(new_ref(), stay.supplier_reference, quote)
    assert simulator.read_booking(stay.supplier_reference) == stay


def test_a_booking_that_the_hotel_took_back_reads_cancelled_at_no_cost(simulator: HotelSimulator) -> None:
    stay = simulator.book(a_stay(a_rate(simulator, refundable=False)))
    news = simulator.call_off(stay.supplier_reference)
    assert news == Cancellation(0, stay.total_cents, "EUR")
    assert simulator.read_booking(stay.supplier_reference) == replaced(
        stay, cancelled=True, penalty_cents=0, refund_cents=stay.total_cents
    )
    with pytest.raises(NotPossible):
        simulator.call_off(stay.supplier_reference)


def test_of_two_alterations_at_once_the_slower_is_refused(
    simulator: HotelSimulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = simulator.book(a_stay(a_rate(simulator))).supplier_reference
    seen = simulator.latest(reference)
    first = simulator.alter(reference)
    monkeypatch.setattr(simulator, "latest", lambda _: seen)
    with pytest.raises(NotPossible, match="changed in the meantime"):
        simulator.alter(reference)
    monkeypatch.undo()
    assert simulator.read_booking(reference) == first
