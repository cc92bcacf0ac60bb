"""Booking when prices move, policies have odd forms and answers get lost."""

import json
from collections.abc import Callable

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking
from apps.common.errors import InvalidRequest
from apps.hotels.services.book import refuse_other_guests
from apps.hotels.suppliers.base import Guest, Room
from apps.ledger.consistency import check_ledger
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.simulation import Market
from apps.webhooks.models import Event
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import ADA, BYRON, CHARLES, CONTACT, FrontDesk, faults, in_days
from tests.hotels.suppliers.scripted import ScriptedHotels

ODD_POLICIES = [
    {"zeta": 1, "alpha": {"b": 1.50, "a": None}, "list": [3, "two", False]},
    ["Free until the day before", "Then everything"],
    "Ask at the desk.",
    None,
    12.25,
]


@pytest.mark.parametrize("policy", ODD_POLICIES)
def test_a_policy_of_any_form_is_passed_through_verbatim(
    desk: FrontDesk, supplier: ScriptedHotels, policy: object
) -> None:
    supplier.policy = json.dumps(policy)
    rate = desk.rate()
    booking = desk.book(rate)
    read = desk.read(booking.body["id"])
    for body in (rate, booking.body, read.body):
        assert json.dumps(body["cancellationPolicy"]) == supplier.policy


def test_the_policy_of_the_booking_is_the_one_given_at_booking(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    supplier.policy = '{"said": "at the search"}'
    rate = desk.rate()
    supplier.policy = '{"said": "at the booking"}'
    assert desk.booked(rate)["cancellationPolicy"] == {"said": "at the booking"}


def test_a_raised_price_within_the_partners_limit_is_paid(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    rate = desk.rate()
    supplier.market = Market(percent=110)
    current = desk.book(rate).error["currentTotalCents"]
    booking = desk.booked(rate, maxTotalCents=current)
    assert booking["totalCents"] == current
    assert desk.balance() == (BALANCE_CENTS - current, 0)
    assert check_ledger() == []


def test_a_pending_booking_is_shown_as_quoted_and_cannot_be_cancelled(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    rate = desk.rate()
    supplier.loses.add("book")
    desk.book(rate, externalReference="trip-1")
    pending = desk.read(Booking.objects.get().pk).body
    assert (pending["status"], pending["supplier"]["reference"]) == ("pending", None)
    assert (pending["totalCents"], pending["confirmationCode"]) == (rate["totalCents"], None)
    assert pending["cancellationPolicy"] == rate["cancellationPolicy"]
    assert desk.cancel(pending).error_type == "conflict"
    assert desk.book(rate, externalReference="trip-1").error["bookingId"] == pending["id"]


def test_the_recovery_worker_finds_what_was_booked(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: Callable[..., None]
) -> None:
    supplier.loses.add("book")
    desk.book(desk.rate())
    move_clock(seconds=60)
    assert recover_due() == 1
    booking = desk.read(Booking.objects.get().pk).body
    assert booking["status"] == "confirmed"
    assert booking["confirmationCode"] is not None


def lost(desk: FrontDesk, supplier: ScriptedHotels, *, refundable: bool) -> str:
    """A booking whose answer was lost; its reference at the supplier."""
    supplier.loses.add("book")
    desk.book(desk.rate(refundable=refundable))
    return SimulatedWrite.objects.get(kind="book").reference


def test_a_lost_booking_that_was_cancelled_for_free_meanwhile_is_none(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: Callable[..., None]
) -> None:
    supplier.call_off(lost(desk, supplier, refundable=True))
    for _ in range(2):
        move_clock(minutes=5)
        recover_due()
    assert Booking.objects.get().status == "failed"
    assert desk.balance() == (BALANCE_CENTS, 0)
    assert list(Event.objects.values_list("type", flat=True)) == ["booking.rejected"]
    assert check_ledger() == []


def test_a_lost_booking_that_was_cancelled_at_a_cost_is_booked_and_the_news_end_it_at_that_cost(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: Callable[..., None]
) -> None:
    reference = lost(desk, supplier, refundable=False)
    supplier.cancel("by-the-hotel", reference, supplier.quote_cancellation(reference))
    move_clock(minutes=5)
    recover_due()
    booking = Booking.objects.get()
    assert booking.status == "confirmed"
    move_clock(hours=2)
    assert poll_suppliers() == 1
    ended = desk.read(booking.pk).body["cancellation"]
    assert (ended["penaltyCents"], ended["refundCents"]) == (booking.total_cents, 0)
    assert desk.balance() == (BALANCE_CENTS - booking.total_cents, 0)
    assert check_ledger() == []


@pytest.mark.parametrize(
    ("adults", "children", "refused"),
    [
        (0, 0, "must have an adult for each room: 2 adults, and not 0"),
        (1, 1, "must have an adult for each room: 2 adults, and not 1"),
        (2, 0, None),
        (3, 1, None),
        (4, 0, "must have at most 3 adults and 1 child, as were searched for, and not 4 and 0"),
        (2, 2, "must have at most 3 adults and 1 child, as were searched for, and not 2 and 2"),
    ],
)
def test_guests_fit_the_rooms_that_were_searched_for(adults: int, children: int, refused: str | None) -> None:
    rooms = (Room(2, (7,)), Room(1))
    guests = (*[Guest("Ada", "Byron", "adult")] * adults, *[Guest("Ann", "Byron", "child")] * children)
    if refused is None:
        refuse_other_guests(rooms, guests)
        return
    with pytest.raises(InvalidRequest) as raised:
        refuse_other_guests(rooms, guests)
    assert raised.value.extras["details"] == [{"field": "guests", "message": refused}]


FAMILY = {"rooms": [{"adults": 2, "childrenAges": [7]}, {"adults": 1}]}


def test_a_booking_is_confirmed_and_paid(desk: FrontDesk) -> None:
    rate = desk.rate()
    booking = desk.booked(rate, externalReference="trip-1", specialRequests="A quiet room")
    assert booking["status"] == "confirmed"
    assert booking["reference"].startswith("H-")
    assert booking["supplier"]["name"] == "simulator"
    assert (booking["totalCents"], booking["currency"]) == (rate["totalCents"], "EUR")
    assert (booking["externalReference"], booking["specialRequests"]) == ("trip-1", "A quiet room")
    assert (booking["checkIn"], booking["checkOut"]) == (in_days(30), in_days(31))
    assert booking["rateId"] == rate["rateId"]
    assert booking["room"] == {name: rate[name] for name in ("roomName", "board", "refundable")}
    assert booking["guests"] == [{**ADA, "age": None}]
    assert booking["contact"] == CONTACT
    assert booking["payAtHotel"] == rate["payAtHotel"]
    assert booking["cancellation"] is None
    assert desk.balance() == (BALANCE_CENTS - rate["totalCents"], 0)
    assert check_ledger() == []


def test_a_family_in_two_rooms(desk: FrontDesk) -> None:
    booking = desk.booked(desk.rate(FAMILY), guests=[ADA, CHARLES, BYRON])
    family, alone = booking["rooms"]
    assert (family["adults"], family["childrenAges"]) == (2, [7])
    assert (family["name"], family["beds"], family["maxOccupancy"]) == (
        "Standard Family Room",
        "1 double bed, 1 single bed",
        3,
    )
    assert (alone["adults"], alone["childrenAges"]) == (1, [])
    assert (alone["name"], alone["beds"], alone["maxOccupancy"]) == (
        "Standard Single Room",
        "1 single bed",
        1,
    )
    assert booking["guests"][2] == BYRON


@pytest.mark.parametrize(
    "guests",
    [[ADA], [BYRON, ADA], [ADA, ADA, ADA, ADA], [ADA, CHARLES, BYRON, BYRON]],
    ids=["a room without an adult", "a room with a child only", "too many adults", "too many children"],
)
def test_guests_that_were_not_searched_for_are_refused(desk: FrontDesk, guests: list[object]) -> None:
    assert faults(desk.book(desk.rate(FAMILY), guests=guests)) == ["guests"]
    assert desk.balance() == (BALANCE_CENTS, 0)
