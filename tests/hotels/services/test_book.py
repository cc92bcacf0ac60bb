"""Booking when prices move, policies have odd forms and answers get lost."""

import json
from collections.abc import Callable

import orjson
import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.common.errors import InvalidRequest
from apps.hotels.services.book import refuse_other_guests
from apps.hotels.suppliers.base import Guest, Room, Stay, StayRequest
from apps.ledger.consistency import check_ledger
from apps.suppliers.errors import Expired, Rejected, SupplierError, Unavailable
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.simulation import Market
from apps.webhooks.models import Event
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import ADA, BYRON, CHARLES, CONTACT, FrontDesk, faults, in_days
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.api import Api, Reply

ODD_POLICIES = [
    {"zeta": 1, "alpha": {"b": 1.50, "a": None}, "list": [3, "two", False]},
    ["Free until the day before", "Then everything"],
    "Ask at the desk.",
    None,
    12.25,
]


def test_the_supplier_is_asked_for_what_the_partner_said_and_the_partner_is_told(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[StayRequest] = []
    book = supplier.book

    def asking(request: StayRequest) -> Stay:
        asked.append(request)
        return book(request)

    monkeypatch.setattr(supplier, "book", asking)
    rate = desk.rate()
    booking = desk.booked(rate, specialRequests="A cot, please.")
    (request,) = asked
    assert (request.client_ref, request.rate.total_cents) == (booking["reference"], rate["totalCents"])
    assert request.guests == (Guest("Ada", "Lovelace", "adult"),)
    assert {"email": request.email, "phone": request.phone} == CONTACT
    assert request.special_requests == booking["specialRequests"] == "A cot, please."
    event = Event.objects.get()
    told = orjson.loads(event.payload)["data"]
    assert (event.type, told["bookingId"], told["totalCents"]) == (
        "booking.confirmed",
        booking["id"],
        rate["totalCents"],
    )


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


def test_a_raised_price_is_refused_and_nothing_is_held(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    rate = desk.rate()
    supplier.market = Market(percent=110)
    refused = desk.book(rate)
    assert (refused.status, refused.error_type) == (409, "price_changed")
    assert refused.error["previousTotalCents"] == rate["totalCents"]
    assert refused.error["currentTotalCents"] > rate["totalCents"]
    assert desk.balance() == (BALANCE_CENTS, 0)


def test_a_raised_price_within_the_partners_limit_is_paid(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    rate = desk.rate()
    supplier.market = Market(percent=110)
    current = desk.book(rate).error["currentTotalCents"]
    booking = desk.booked(rate, maxTotalCents=current)
    assert booking["totalCents"] == current
    assert desk.balance() == (BALANCE_CENTS - current, 0)
    assert check_ledger() == []


def test_a_lowered_price_is_what_is_paid(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    rate = desk.rate()
    supplier.market = Market(percent=90)
    booking = desk.booked(rate)
    assert booking["totalCents"] < rate["totalCents"]
    assert desk.balance() == (BALANCE_CENTS - booking["totalCents"], 0)


@pytest.mark.parametrize("method", ["check_rate", "book"])
@pytest.mark.parametrize(
    ("error", "status", "type"),
    [
        (Expired, 410, "offer_expired"),
        (Rejected, 502, "upstream_error"),
        (Unavailable, 503, "upstream_unavailable"),
    ],
)
def test_a_refusal_frees_the_hold_and_the_reference(
    desk: FrontDesk,
    supplier: ScriptedHotels,
    method: str,
    error: type[SupplierError],
    status: int,
    type: str,
) -> None:
    rate = desk.rate()
    supplier.raises[method] = error
    refused = desk.book(rate, externalReference="trip-1")
    assert (refused.status, refused.error_type) == (status, type)
    assert desk.balance() == (BALANCE_CENTS, 0)
    assert Booking.objects.get().status == "failed"
    supplier.raises.clear()
    assert desk.book(rate, externalReference="trip-1").status == 201


def test_a_lost_answer_keeps_the_hold_and_the_retry_finds_the_booking(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    rate = desk.rate()
    supplier.loses.add("book")
    lost = desk.book(rate, key="book-once")
    assert (lost.status, lost.error_type) == (503, "upstream_unavailable")
    assert desk.balance() == (BALANCE_CENTS - rate["totalCents"], rate["totalCents"])
    assert Booking.objects.get().status == "pending"
    found = desk.book(rate, key="book-once")
    assert (found.status, found.body["status"]) == (201, "confirmed")
    assert desk.balance() == (BALANCE_CENTS - rate["totalCents"], 0)
    assert Operation.objects.count() == 1


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


def test_an_expired_rate_is_not_booked(desk: FrontDesk, move_clock: Callable[..., None]) -> None:
    rate = desk.rate()
    move_clock(minutes=21)
    assert (desk.book(rate).status, desk.book(rate).error_type) == (410, "offer_expired")


def test_a_handle_of_another_product_or_partner_is_expired(desk: FrontDesk, stranger: Api) -> None:
    rate = desk.rate()["rateId"]
    for foreign in (desk.book(rate.replace("rate_", "offer_")), FrontDesk(stranger).book(rate)):
        assert (foreign.status, foreign.error_type) == (410, "offer_expired")


def test_a_limit_below_the_quote_is_refused_before_anything_is_held(
    desk: FrontDesk, supplier_calls: list[str]
) -> None:
    rate = desk.rate()
    supplier_calls.clear()
    refused = desk.book(rate, maxTotalCents=rate["totalCents"] - 1)
    assert (refused.status, refused.error_type) == (409, "price_changed")
    assert refused.error["previousTotalCents"] == refused.error["currentTotalCents"] == rate["totalCents"]
    assert supplier_calls == []
    assert desk.balance() == (BALANCE_CENTS, 0)


def test_what_the_balance_does_not_cover_is_refused(desk: FrontDesk) -> None:
    grand = {"rooms": [{"adults": 6}] * 8, "checkIn": in_days(30), "checkOut": in_days(60)}
    rate = max(
        (
            rate
            for hotel in desk.hotels({**grand, "destination": {"countryCode": "CH"}})
            for rate in hotel["rates"]
        ),
        key=lambda rate: rate["totalCents"],
    )
    assert rate["totalCents"] > BALANCE_CENTS
    refused = desk.book(rate, guests=[ADA] * 8)
    assert (refused.status, refused.error_type) == (402, "insufficient_funds")
    assert refused.error["availableCents"] == BALANCE_CENTS
    assert desk.balance() == (BALANCE_CENTS, 0)


def test_bookings_are_listed_newest_first_page_by_page(desk: FrontDesk) -> None:
    rate = desk.rate()
    booked = [desk.booked(rate)["id"] for _ in range(5)]
    listed, cursor = [], ""
    for more in (True, True, False):
        page = desk.api.get(f"/v1/hotels/bookings?limit=2{cursor}").body
        listed += [booking["id"] for booking in page["data"]]
        assert page["hasMore"] is more
        cursor = f"&cursor={page['nextCursor']}"
    assert listed == booked[::-1]


def test_a_list_is_filtered_by_reference_and_status(desk: FrontDesk) -> None:
    rate = desk.rate()
    first, second = (desk.booked(rate, externalReference=ref) for ref in ("trip-1", "trip-2"))
    desk.cancel(second)

    def ids(query: str) -> list[str]:
        return [booking["id"] for booking in listing(desk, query).body["data"]]

    assert ids("externalReference=trip-1") == [first["id"]]
    assert ids("status=cancelled") == [second["id"]]
    assert ids("status=confirmed&externalReference=trip-2") == []
    assert ids("unknown=1") == [second["id"], first["id"]]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("cursor=made-up", "cursor"),
        ("status=ticketed", "status"),
    ],
)
def test_a_list_refuses_what_it_cannot_read(desk: FrontDesk, query: str, field: str) -> None:
    assert faults(listing(desk, query)) == [field]


def listing(desk: FrontDesk, query: str) -> Reply:
    return desk.api.get(f"/v1/hotels/bookings?{query}")
