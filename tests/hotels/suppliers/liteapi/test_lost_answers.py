"""LiteAPI takes a booking on and its answer is lost: none is lost for good, none is made twice, every one is resolved."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.models import SupplierAlert
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.stub import BOOK, CANCEL, LIST, LiteApiStub
from tests.hotels.suppliers.requests import a_rate, a_stay, new_ref
from tests.support.invariants import violations
from tests.support.supplier_stub import Trouble

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_pauses")]


RESET = Trouble(end="reset")


def recover_all() -> int:
    """How many operations were looked at."""
    return sum(iter(recover_due, 0))


def statuses() -> set[str]:
    return set(Booking.objects.values_list("status", flat=True))


def test_a_lost_cancellation_costs_no_more_than_was_quoted(
    stub: LiteApiStub, hotels: LiteApiHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay = hotels.book(a_stay(a_rate(hotels)))
    quote = hotels.quote_cancellation(stay.supplier_reference)
    monkeypatch.setattr(stub.books, "fee", lambda booking_id: Decimal(5))
    stub.trouble(*CANCEL, RESET)
    with pytest.raises(OutcomeUnknown):
        hotels.cancel(new_ref(), stay.supplier_reference, quote)
    assert hotels.find_cancellation(new_ref(), stay.supplier_reference, quote) == quote
    assert SupplierAlert.objects.get().kind == "price_above_quote"


def test_a_booking_that_never_arrived_is_given_up_after_an_hour(
    desk: FrontDesk, stub: LiteApiStub, move_clock: Callable[..., None]
) -> None:
    rate = desk.rate()
    stub.trouble(*BOOK, Trouble(accept=False, end="reset"))
    assert desk.book(rate, "never-arrived").status == 503
    looks = []
    for seconds in (11, 50, 240, 600, 2_700):
        move_clock(seconds=seconds)
        looks.append(recover_all())
    assert looks == [1] * 5
    assert (statuses(), desk.balance()) == ({"failed"}, (BALANCE_CENTS, 0))
    assert len(stub.heard_by(*LIST)) == 5
    assert list(SupplierAlert.objects.values_list("supplier", "kind")) == [("liteapi", "unresolved")]
    assert desk.book(rate, "never-arrived").status == 410  # by now the rate has expired
    assert violations(stub.store()) == []


def test_a_booking_that_they_have_not_decided_on_is_asked_for_again(
    stub: LiteApiStub, hotels: LiteApiHotels
) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    stay = hotels.book(request)
    booking = stub.books.bookings[stay.supplier_reference]
    booking["status"] = "PENDING"
    with pytest.raises(Unavailable):
        hotels.find_booking(request.client_ref, request.rate)
    booking["status"] = "FAILED"
    assert hotels.find_booking(request.client_ref, request.rate) is None
    booking["status"] = "CANCELED"
    found = hotels.find_booking(request.client_ref, request.rate)
    assert found is not None
    assert found.cancelled


def test_of_two_bookings_under_one_reference_the_standing_one_is_ours(
    stub: LiteApiStub, hotels: LiteApiHotels
) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    first = hotels.book(request)
    stub.books.bookings[first.supplier_reference]["clientReference"] = "H-OTHER"
    second = hotels.book(request)
    stub.books.bookings[first.supplier_reference].update(
        clientReference=request.client_ref, status="CANCELLED", cancelledAt="2026-11-20T14:05:10"
    )
    assert hotels.find_booking(request.client_ref, request.rate) == second
    assert list(SupplierAlert.objects.values_list("kind", "detail")) == [
        ("duplicate_reference", request.client_ref)
    ]
