"""A booking that they made after we had given it up is told to staff."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.hotels.tasks import look_for_orphans
from apps.suppliers.errors import Unavailable
from apps.suppliers.models import SupplierAlert
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.stub import BOOK, LIST_BY_DAYS, LiteApiStub, refused
from tests.hotels.suppliers.requests import a_rate, a_stay
from tests.support.supplier_stub import refusal

pytestmark = pytest.mark.django_db


def test_what_was_refused_and_stands_there_all_the_same_is_told_once(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    rate = desk.rate()
    desk.booked(rate)
    stub.trouble(*BOOK, refused(2013))
    assert desk.book(rate).status == 502
    assert look_for_orphans() == 0

    given_up = desk.api.get("/v1/hotels/bookings?status=failed").body["data"][0]["reference"]
    theirs = write_down(stub, given_up)
    write_down(stub, "H-ANOTHERS")
    assert (look_for_orphans(), look_for_orphans()) == (1, 1)
    assert list(SupplierAlert.objects.values_list("kind", "detail", "count")) == [
        ("unresolved", f"{given_up} was given up here, {theirs} stands there", 2)
    ]


@pytest.mark.parametrize("spelling", ["in snake case", "in camel case"])
def test_they_are_asked_for_as_the_list_by_days_wants_it(
    hotels: LiteApiHotels, stub: LiteApiStub, spelling: str
) -> None:
    stub.books.snake_lists = spelling == "in snake case"
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    stay = hotels.book(request)
    today = clock.today()
    assert hotels.standing(today, today) == {request.client_ref: stay.supplier_reference}
    (asked,) = stub.heard_by(*LIST_BY_DAYS)
    assert asked.query == {
        "bookingStartDate": today.isoformat(),
        "bookingEndDate": today.isoformat(),
        "status": "confirmed",
    }


@pytest.mark.parametrize("item", [None, 7, {"client_reference": "H-1"}], ids=str)
def test_an_item_that_cannot_be_read_hides_no_other(
    hotels: LiteApiHotels, stub: LiteApiStub, item: Any
) -> None:
    listed = {"client_reference": "H-2", "booking_Id": "BK2"}
    stub.trouble(*LIST_BY_DAYS, refusal(200, {"data": [item, listed]}))
    assert hotels.standing(clock.today(), clock.today()) == {"H-2": "BK2"}
    stub.trouble(*LIST_BY_DAYS, refusal(200, {"data": [item, item]}))
    with pytest.raises(Unavailable):
        hotels.standing(clock.today(), clock.today())


@pytest.mark.parametrize(
    ("item", "stands"),
    [({}, True), ({"status": None}, True), ({"status": "confirmed"}, True), ({"status": "CANCELLED"}, False)],
    ids=str,
)
def test_a_listed_booking_stands_unless_it_says_otherwise(
    hotels: LiteApiHotels, stub: LiteApiStub, item: dict[str, Any], stands: bool
) -> None:
    listed = {"client_reference": "H-2", "booking_Id": "BK2", **item}
    stub.trouble(*LIST_BY_DAYS, refusal(200, {"data": [listed, {"booking_Id": "BK3"}]}))
    assert bool(hotels.standing(clock.today(), clock.today())) is stands


@pytest.mark.parametrize("other", [{"supplier_name": "simulator"}, {"product": "transfer"}], ids=str)
def test_what_was_given_up_elsewhere_is_no_orphan_of_theirs(
    desk: FrontDesk, stub: LiteApiStub, other: dict[str, str]
) -> None:
    rate = desk.rate()
    desk.booked(rate)
    stub.trouble(*BOOK, refused(2013))
    desk.book(rate)
    given_up = Booking.objects.get(status="failed")
    write_down(stub, given_up.reference)
    Booking.objects.filter(pk=given_up.pk).update(**other)
    assert look_for_orphans() == 0


def test_what_was_cancelled_there_is_no_orphan(desk: FrontDesk, stub: LiteApiStub) -> None:
    rate = desk.rate()
    desk.booked(rate)
    stub.trouble(*BOOK, refused(2013))
    desk.book(rate)
    given_up = desk.api.get("/v1/hotels/bookings?status=failed").body["data"][0]["reference"]
    stub.books.bookings[write_down(stub, given_up)]["status"] = "CANCELLED"
    assert look_for_orphans() == 0


def test_old_bookings_are_not_asked_for(
    desk: FrontDesk, stub: LiteApiStub, move_clock: Callable[..., None]
) -> None:
    desk.booked()
    move_clock(days=5)
    look_for_orphans()
    asked = stub.heard[-1].query
    assert asked["bookingStartDate"] == (clock.today() - timedelta(days=3)).isoformat()
    assert asked["bookingStartDate"] > next(iter(stub.books.bookings.values()))["createdAt"][:10]


def write_down(stub: LiteApiStub, reference: str) -> str:
    """Their late booking under a reference; its id."""
    first = next(iter(stub.books.bookings.values()))
    stub.books.bookings[f"LATE-{reference}"] = {
        **first,
        "bookingId": f"LATE-{reference}",
        "clientReference": reference,
    }
    return f"LATE-{reference}"
