"""POST /v1/hotels/bookings/{id}/cancel: what it costs follows from the policy and the clock."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.ledger.consistency import check_ledger
from apps.webhooks.models import Event
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import FrontDesk, in_days

WHOLESALERS = ["htl_2267057_00", "htl_2267057_01", "htl_2267057_02"]
BEFORE, BETWEEN, AFTER = 0, 29, 31  # days from the booking: free, on the eve of the arrival, during the stay


def booked(desk: FrontDesk, hotel_id: str = WHOLESALERS[0], *, refundable: bool = True) -> dict[str, Any]:
    """Two nights from 30 days ahead."""
    return desk.booked(desk.rate({"hotelIds": [hotel_id], **two_nights()}, refundable=refundable))


def two_nights() -> dict[str, str]:
    return {"checkIn": in_days(30), "checkOut": in_days(32)}


def half(cents: int) -> int:
    return (cents + 1) // 2


@pytest.mark.parametrize("hotel_id", WHOLESALERS)
@pytest.mark.parametrize(
    ("days", "penalty"), [(BEFORE, lambda total: 0), (BETWEEN, half), (AFTER, lambda total: total)]
)
def test_a_refundable_booking_costs_what_its_policy_says_now(
    desk: FrontDesk,
    move_clock: Callable[..., None],
    hotel_id: str,
    days: int,
    penalty: Callable[[int], int],
) -> None:
    booking = booked(desk, hotel_id)
    move_clock(days=days)
    reply = desk.cancel(booking, {"reason": "Changed plans"})
    costs = penalty(booking["totalCents"])
    assert (reply.status, reply.body["status"]) == (200, "cancelled")
    cancellation = reply.body["cancellation"]
    assert cancellation == {
        "cancelledAt": cancellation["cancelledAt"],
        "penaltyCents": costs,
        "refundCents": booking["totalCents"] - costs,
        "currency": "EUR",
        "reason": "Changed plans",
    }
    assert desk.balance() == (BALANCE_CENTS - costs, 0)
    assert check_ledger() == []


def test_a_nonrefundable_booking_is_cancelled_at_full_penalty(desk: FrontDesk) -> None:
    booking = booked(desk, refundable=False)
    reply = desk.cancel(booking)
    assert reply.body["cancellation"]["penaltyCents"] == booking["totalCents"]
    assert reply.body["cancellation"]["refundCents"] == 0
    assert desk.balance() == (BALANCE_CENTS - booking["totalCents"], 0)


def test_the_policy_stays_with_a_cancelled_booking_and_reading_shows_what_it_cost(desk: FrontDesk) -> None:
    booking = booked(desk)
    cancelled = desk.cancel(booking).body
    assert desk.read(booking["id"]).body == cancelled
    assert cancelled["cancellationPolicy"] == booking["cancellationPolicy"]
    assert cancelled["totalCents"] == booking["totalCents"]


def test_a_penalty_above_the_partners_limit_cancels_nothing(
    desk: FrontDesk, move_clock: Callable[..., None]
) -> None:
    booking = booked(desk)
    move_clock(days=BETWEEN)
    costs = half(booking["totalCents"])
    refused = desk.cancel(booking, {"maxPenaltyCents": costs - 1})
    assert (refused.status, refused.error_type) == (409, "conflict")
    assert refused.error["penaltyCents"] == costs
    steps = booking["cancellationSteps"][1:]  # the first one is over
    assert desk.read(booking["id"]).body == {**booking, "cancellationSteps": steps}
    assert desk.balance() == (BALANCE_CENTS - booking["totalCents"], 0)
    assert desk.cancel(booking, {"maxPenaltyCents": costs}).status == 200


def test_what_is_cancelled_is_not_cancelled_again(desk: FrontDesk) -> None:
    booking = booked(desk)
    desk.cancel(booking)
    again = desk.cancel(booking)
    assert (again.status, again.error_type) == (409, "conflict")
    assert desk.balance() == (BALANCE_CENTS, 0)


@pytest.mark.parametrize(
    ("refundable", "told"),
    [
        (True, ["booking.confirmed", "booking.cancelled", "payment.refunded"]),
        (False, ["booking.confirmed", "booking.cancelled"]),
    ],
)
def test_partners_are_told_what_happened_and_of_money_that_comes_back(
    desk: FrontDesk, refundable: bool, told: list[str]
) -> None:
    booking = booked(desk, refundable=refundable)
    desk.cancel(booking)
    events = Event.objects.filter(booking_id=booking["id"])
    assert sorted(events.values_list("type", flat=True)) == sorted(told)
    assert set(events.values_list("booking_reference", flat=True)) == {booking["reference"]}
