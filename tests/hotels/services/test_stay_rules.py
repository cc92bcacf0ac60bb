"""The rules of the trade for stays, from the search to the cancellation, by the hotel's clock (contract §7.1)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.flow.cancellation_quotes import quote_cancellation
from apps.bookings.models import Booking, Operation
from apps.bookings.travellers import with_keys
from apps.common import clock
from apps.common.errors import Conflict
from apps.ledger.consistency import check_ledger
from apps.suppliers.results import PenaltyStep
from tests.hotels.front_desk import ADA, FrontDesk, faults, rates
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.api import Api, Reply

TOKYO = {
    "destination": {"city": "Tokyo", "countryCode": "JP"},
    "checkIn": "2027-02-03",
    "checkOut": "2027-02-04",
}
"""One night, nine hours ahead of UTC."""
SALE_ENDS = datetime(2027, 2, 3, 15, tzinfo=UTC)
SECOND = timedelta(seconds=1)
EXPIRED, CONFLICT = (410, "offer_expired"), (409, "conflict")

At = Callable[[datetime], None]


@pytest.fixture
def at(move_clock: Callable[..., None], still_clock: None) -> At:
    """Set the clock."""
    return lambda instant: move_clock(seconds=(instant - clock.now()).total_seconds())


@pytest.fixture(params=["test", "live"])
def desk(request: pytest.FixtureRequest, api: Api, live: Api) -> FrontDesk:
    return FrontDesk(api if request.param == "test" else live)


def refusal(reply: Reply) -> tuple[int, str]:
    return reply.status, reply.error_type


def arrival(stay: dict[str, Any]) -> datetime:
    return local(stay["checkIn"], stay["hotel"]["checkInFrom"])


def departure(stay: dict[str, Any]) -> datetime:
    return local(stay["checkOut"], stay["hotel"]["checkOutUntil"])


def local(day: str, hour: str) -> datetime:
    return datetime.fromisoformat(f"{day}T{hour}:00+09:00")


def row(booking: dict[str, Any]) -> Booking:
    return with_keys(Booking.objects.all()).get(pk=booking["id"])


# --- For sale -----------------------------------------------------------------------------------------------------------
def test_search_withholds_a_stay_whose_check_in_day_is_over(
    desk: FrontDesk, supplier: ScriptedHotels, at: At
) -> None:
    supplier.now = lambda: SALE_ENDS - timedelta(days=1)  # it goes on offering
    at(SALE_ENDS - SECOND)
    before = desk.search(TOKYO).body
    offered = len(list(rates(before["hotels"])))
    assert (offered > 0, before["withheld"]["noLongerSold"]) == (True, 0)
    at(SALE_ENDS)
    after = desk.search(TOKYO).body
    assert (after["hotels"], after["withheld"]["noLongerSold"]) == ([], offered)


def test_search_in_the_simulator_finds_no_stay_whose_check_in_day_is_over(
    desk: FrontDesk, supplier: ScriptedHotels, at: At
) -> None:
    at(SALE_ENDS)
    found = desk.search(TOKYO).body
    assert (found["hotels"], found["withheld"]["noLongerSold"]) == ([], 0)


def test_rate_and_book_refuse_a_handle_once_the_check_in_day_is_over(
    desk: FrontDesk, supplier: ScriptedHotels, at: At
) -> None:
    at(SALE_ENDS - timedelta(minutes=10))
    rate = desk.rate(TOKYO)
    assert rate["expiresAt"] == clock.rfc3339(SALE_ENDS)
    at(SALE_ENDS)
    before = desk.balance()
    assert refusal(desk.api.get(f"/v1/hotels/rates/{rate['rateId']}")) == EXPIRED
    assert refusal(desk.book(rate)) == EXPIRED
    assert (desk.balance(), Operation.objects.count()) == (before, 0)


def test_book_takes_the_last_minute_of_the_check_in_day(
    desk: FrontDesk, supplier: ScriptedHotels, at: At
) -> None:
    at(SALE_ENDS - timedelta(minutes=1))
    assert desk.booked(desk.rate(TOKYO))["status"] == "confirmed"


# --- Cancelling ---------------------------------------------------------------------------------------------------------
def test_the_last_step_of_a_stay_is_its_check_in_in_search_rate_and_booking(
    desk: FrontDesk, supplier: ScriptedHotels, at: At
) -> None:
    at(SALE_ENDS - timedelta(days=30))
    rate = desk.rate(TOKYO)
    read = desk.api.get(f"/v1/hotels/rates/{rate['rateId']}").body
    booking = desk.booked(rate)
    lost = {
        "from": clock.rfc3339(arrival(booking)),
        "penaltyCents": booking["totalCents"],
        "currency": "EUR",
    }
    assert [shown["cancellationSteps"][-1] for shown in (rate, read, booking)] == [lost] * 3


def test_the_last_step_of_a_stay_is_its_check_in_where_the_supplier_says_later(
    desk: FrontDesk, supplier: ScriptedHotels, at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_free_until_days_later(monkeypatch)
    at(SALE_ENDS - timedelta(days=30))
    booking = desk.booked(desk.rate(TOKYO))
    steps = [(step["from"], step["penaltyCents"]) for step in booking["cancellationSteps"]]
    assert steps[1:] == [(clock.rfc3339(arrival(booking)), booking["totalCents"])]
    assert steps[0][1] == 0
    at(arrival(booking) - SECOND)
    assert desk.cancel(booking).body["cancellation"]["penaltyCents"] == 0


def leave_free_until_days_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated hotels take nothing until two days after the check-in."""
    from apps.hotels.suppliers.simulator import orders, rates

    monkeypatch.setattr(
        orders.Wholesaler,
        "steps",
        lambda self, terms: (PenaltyStep(terms.arrival + timedelta(days=2), terms.total_cents),),
    )
    rates._all_rates.cache_clear()
    monkeypatch.setattr(rates, "_all_rates", rates._all_rates.__wrapped__)


def test_cancel_and_preview_cost_the_total_from_the_check_in_on_whatever_the_supplier_says(
    desk: FrontDesk, supplier: ScriptedHotels, at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_free_until_days_later(monkeypatch)
    at(SALE_ENDS - timedelta(days=30))
    booking = desk.booked(desk.rate(TOKYO))
    total = booking["totalCents"]
    at(arrival(booking))
    preview = quote_cancellation(row(booking)).cost
    assert (preview.penalty_cents, preview.refund_cents) == (total, 0)
    refused = desk.cancel(booking, {"maxPenaltyCents": total - 1})
    assert (refusal(refused), refused.error["penaltyCents"]) == (CONFLICT, total)
    cancellation = desk.cancel(booking).body["cancellation"]
    assert (cancellation["penaltyCents"], cancellation["refundCents"]) == (total, 0)
    assert check_ledger() == []


def test_cancel_on_the_day_of_the_check_out_returns_nothing_and_then_is_refused(
    desk: FrontDesk, supplier: ScriptedHotels, at: At
) -> None:
    at(SALE_ENDS - timedelta(days=30))
    kept, cancelled = desk.booked(desk.rate(TOKYO)), desk.booked(desk.rate(TOKYO))
    at(departure(cancelled) - SECOND)
    assert desk.cancel(cancelled).body["cancellation"]["refundCents"] == 0
    for instant in (
        departure(kept),
        datetime(2027, 2, 4, 23, 59, tzinfo=UTC),
        SALE_ENDS + timedelta(days=26),
    ):
        at(instant)
        with pytest.raises(Conflict):
            quote_cancellation(row(kept))
        assert refusal(desk.cancel(kept)) == CONFLICT
    assert desk.read(kept["id"]).body["status"] == "confirmed"


def test_a_supplier_that_cancels_after_the_check_in_credits_the_stay_in_full(
    api: Api, supplier: ScriptedHotels, at: At
) -> None:
    desk = FrontDesk(api)
    at(SALE_ENDS - timedelta(days=30))
    before = desk.balance()
    booking = desk.booked(desk.rate(TOKYO, refundable=False))
    at(arrival(booking) + timedelta(hours=1))
    reply = api.post(f"/sandbox/bookings/{booking['id']}/simulate", {"what": "supplier_cancels"})
    assert reply.status == 200, reply.body
    assert desk.read(booking["id"]).body["cancellation"]["refundCents"] == booking["totalCents"]
    assert desk.balance() == before


# --- Ages ---------------------------------------------------------------------------------------------------------------
def child(name: str, age: int | None = None) -> dict[str, Any]:
    return {"firstName": name, "lastName": "King", "type": "child"} | ({} if age is None else {"age": age})


FAMILY = {"rooms": [{"adults": 1, "childrenAges": [0, 9]}, {"adults": 1, "childrenAges": [9]}]}


@pytest.mark.parametrize(
    ("ages", "booked"),
    [
        ([9, 0, 9], [9, 0, 9]),
        ([None, None, None], [0, 9, 9]),
        ([9, None, 9], [9, 0, 9]),
        ([None, 0], [9, 0]),
        ([], []),
    ],
)
def test_book_takes_children_of_the_ages_searched_for_in_any_order(
    api: Api, supplier: ScriptedHotels, ages: list[int | None], booked: list[int]
) -> None:
    desk = FrontDesk(api)
    guests = [ADA, ADA, *[child(f"Byron{'abc'[place]}", age) for place, age in enumerate(ages)]]
    booking = desk.booked(desk.rate(FAMILY), guests=guests)
    assert [guest["age"] for guest in booking["guests"]] == [None, None, *booked]


@pytest.mark.parametrize(
    ("ages", "at_fault"),
    [([17, 9, 9], [2]), ([0, 0, 9], [3]), ([9, 9, 9], [4]), ([1, 2, None], [2, 3]), ([17], [2])],
)
def test_book_refuses_children_of_other_ages(
    api: Api, supplier: ScriptedHotels, ages: list[int | None], at_fault: list[int]
) -> None:
    desk = FrontDesk(api)
    rate, before = desk.rate(FAMILY), desk.balance()
    reply = desk.book(rate, guests=[ADA, ADA, *[child("Byron", age) for age in ages]])
    assert faults(reply) == [f"guests.{place}.age" for place in at_fault]
    assert (desk.balance(), Operation.objects.count()) == (before, 0)
