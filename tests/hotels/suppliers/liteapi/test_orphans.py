"""A booking that they made after we had given it up is told to staff."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.hotels.tasks import look_for_orphans
from apps.suppliers.alerts.models import SupplierAlert
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.stub import BOOK, LiteApiStub, refused

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
