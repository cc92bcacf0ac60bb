"""Booking a rate, reading it back, listing."""

from collections.abc import Callable

import pytest

from apps.ledger.consistency import check_ledger
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import ADA, BYRON, CHARLES, CONTACT, FrontDesk, faults, in_days
from tests.support.api import Api, Reply

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
