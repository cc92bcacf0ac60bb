"""What their refusals and bare statuses mean, code by code, and whether staff are alerted."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.suppliers.errors import (
    Expired,
    InvalidField,
    Missing,
    NotPossible,
    OutcomeUnknown,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.models import SupplierAlert
from tests.hotels.suppliers.liteapi.stub import BOOK, CANCEL, LIST, PREBOOK, RATES, READ, LiteApiStub, refused
from tests.hotels.suppliers.requests import a_rate, a_search, a_stay, new_ref
from tests.support.supplier_stub import refusal

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_pauses")]


@dataclass(frozen=True)
class Row:
    """`end`: None where the call answers that there is nothing."""

    place: tuple[str, str]
    status: int
    code: int
    told: str
    end: type[SupplierError] | None
    alert: str = ""

    def __str__(self) -> str:
        return f"{self.place[1].rpartition('/')[2]} {self.status} {self.code} {self.told}"


VALIDATION = "request body validation: Key: 'Guests' Error: Field validation for 'Guests' failed"
ROWS = [
    Row(RATES, 400, 2001, "no availability found", None),
    Row(RATES, 400, 4000, "hotel ids not found", None),
    Row(RATES, 400, 4000, "invalid occupancies", Rejected),
    Row(RATES, 400, 4002, "request body validation: checkin is required", Rejected),
    Row(RATES, 401, 401, "Unauthorized", Unavailable, "credentials_refused"),
    Row(RATES, 403, 40302, "account suspended", Unavailable, "credentials_refused"),
    Row(RATES, 429, 4290, "rate limit exceeded", Unavailable),
    Row(RATES, 500, 5000, "internal error", Unavailable),
    Row(PREBOOK, 400, 2001, "no availability found", Expired),
    Row(PREBOOK, 409, 2001, "price has changed", Expired),
    Row(PREBOOK, 400, 4002, "invalid offerId", Expired),
    Row(PREBOOK, 400, 4002, "the rate is not available any more", Expired),
    Row(PREBOOK, 400, 4002, "request body validation: offerId is required", Rejected, "request_refused"),
    Row(PREBOOK, 408, 4016, "prebook timed out", Unavailable),
    Row(PREBOOK, 408, 4040, "offer is outdated", Expired),
    Row(PREBOOK, 500, 5000, "internal error", Unavailable),
    Row(PREBOOK, 403, 403, "Forbidden", Unavailable, "credentials_refused"),
    Row(BOOK, 400, 2010, "booking not confirmed", Rejected),
    Row(BOOK, 400, 2013, "booking rejected by fraud check", Rejected),
    Row(BOOK, 400, 4012, "booking failed", Rejected),
    Row(BOOK, 400, 2014, "booking incomplete", OutcomeUnknown),
    Row(BOOK, 400, 4002, "invalid prebookId", Expired),
    Row(BOOK, 400, 4002, VALIDATION, Rejected, "request_refused"),
    Row(BOOK, 200, 4002, VALIDATION, Rejected, "request_refused"),
    Row(BOOK, 400, 4002, "failed to generate", Rejected, "request_refused"),
    Row(BOOK, 400, 4005, "clientReference already used", OutcomeUnknown, "duplicate_reference"),
    Row(BOOK, 400, 4010, "prebook is no longer valid", Expired),
    Row(BOOK, 400, 4010, "rate not found", Expired),
    Row(BOOK, 400, 4010, VALIDATION, Rejected, "request_refused"),
    Row(BOOK, 408, 4040, "prebook is outdated", Expired),
    Row(BOOK, 429, 4291, "too many bookings", OutcomeUnknown),
    Row(BOOK, 500, 5000, "unable to process", OutcomeUnknown),
    Row(BOOK, 500, 5000, "payment failed", Unavailable, "wallet_empty"),
    Row(BOOK, 400, 5000, "no payment method for your account", Unavailable, "wallet_empty"),
    Row(BOOK, 400, 5000, "check if you have provided a payment method", Unavailable, "wallet_empty"),
    Row(BOOK, 400, 5000, "unable to process", OutcomeUnknown),
    Row(BOOK, 403, 40302, "account suspended", Unavailable, "credentials_refused"),
    Row(BOOK, 429, 4290, "rate limit exceeded", Unavailable),
    Row(LIST, 400, 4002, "clientReference or guestId is required", Unavailable),
    Row(LIST, 204, 0, "", None),
    Row(READ, 204, 0, "", Missing),
    Row(READ, 200, 204, "not found", Missing),
    Row(READ, 429, 4290, "rate limit exceeded", Unavailable),
    Row(CANCEL, 204, 0, "", Missing),
    Row(CANCEL, 400, 304, "booking cannot be cancelled", NotPossible),
    Row(CANCEL, 400, 4000, "invalid value", Rejected),
    Row(CANCEL, 500, 5000, "internal error", OutcomeUnknown),
    # Codes that are not listed, and bare statuses
    Row(RATES, 204, 0, "", None),
    Row(RATES, 400, 1234, "", Rejected),
    Row(RATES, 503, 0, "", Unavailable),
    Row(PREBOOK, 200, 2001, "", Expired),
    Row(PREBOOK, 408, 0, "", Unavailable),
    Row(BOOK, 400, 1234, "", Rejected),
    Row(BOOK, 200, 1234, "", OutcomeUnknown),
    Row(BOOK, 408, 0, "", OutcomeUnknown),
    Row(BOOK, 504, 0, "", OutcomeUnknown),
    Row(READ, 404, 0, "", Missing),
    Row(READ, 400, 1234, "", Unavailable),
    Row(CANCEL, 404, 0, "", Missing),
    Row(CANCEL, 200, 304, "", NotPossible),
    Row(CANCEL, 304, 0, "", NotPossible),
    Row(CANCEL, 200, 1234, "", OutcomeUnknown),
    Row(CANCEL, 502, 0, "", OutcomeUnknown),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_what_a_refusal_means(stub: LiteApiStub, hotels: LiteApiHotels, row: Row) -> None:
    rate = hotels.check_rate(a_rate(hotels))
    stay = hotels.book(a_stay(rate))
    quote = hotels.quote_cancellation(stay.supplier_reference)
    calls = {
        RATES: lambda: hotels.search(a_search()) or None,
        PREBOOK: lambda: hotels.check_rate(rate),
        BOOK: lambda: hotels.book(a_stay(rate)),
        LIST: lambda: hotels.find_booking(new_ref(), rate),
        READ: lambda: hotels.read_booking(stay.supplier_reference),
        CANCEL: lambda: hotels.cancel(new_ref(), stay.supplier_reference, quote),
    }
    stub.trouble(*row.place, refused(row.code, row.status, told=row.told, times=3))
    if row.code == 0:
        stub.trouble(*row.place, refusal(row.status, times=3))
    ended: type[Exception] | None = None
    try:
        assert calls[row.place]() is None
    except SupplierError as error:
        ended = type(error)
    assert ended is row.end or (ended and row.end and issubclass(ended, row.end)), ended
    if row.place in (PREBOOK, BOOK, CANCEL):
        assert len(stub.heard_by(*row.place)) == 1 + (row.place != CANCEL)  # never sent twice
    told = [row.alert] if row.alert else []
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == told


Call = Callable[[], object]


def end_of(call: Call) -> type[SupplierError]:
    with pytest.raises(SupplierError) as raised:
        call()
    return type(raised.value)


def refuse(stub: LiteApiStub, place: tuple[str, str], status: int, code: int) -> None:
    """Three times: a read tries again after some statuses."""
    stub.trouble(*place, refused(code, status, times=3) if code else refusal(status, times=3))


@pytest.mark.parametrize(
    ("told", "changes", "field"),
    [
        ("cityName is not known", {}, "destination.city"),
        ("invalid hotelIds", {"hotel_ids": ("no such",)}, "hotelIds"),
        ("invalid guestNationality", {"guest_nationality": "AQ"}, "guestNationality"),
    ],
)
def test_a_search_for_what_they_do_not_take_names_the_field(
    stub: LiteApiStub, hotels: LiteApiHotels, told: str, changes: dict[str, Any], field: str
) -> None:
    stub.trouble(*RATES, refusal(400, {"error": {"code": 4000, "message": told}}))
    with pytest.raises(InvalidField) as raised:
        hotels.search(a_search(**changes))
    assert raised.value.field == field


def test_what_we_added_ourselves_is_no_fault_of_the_partner(stub: LiteApiStub, hotels: LiteApiHotels) -> None:
    stub.trouble(*RATES, refusal(400, {"error": {"code": 4000, "message": "invalid guestNationality"}}))
    assert not issubclass(end_of(lambda: hotels.search(a_search())), InvalidField)


@pytest.mark.parametrize("altered", ["cancellationChanged", "boardChanged"])
def test_a_prebook_of_other_terms_is_another_product(
    stub: LiteApiStub, hotels: LiteApiHotels, altered: str
) -> None:
    rate = a_rate(hotels)
    stub.books.altered = frozenset({altered})
    assert end_of(lambda: hotels.check_rate(rate)) is Expired


@pytest.mark.parametrize("code", [2010, 2013, 4012])
def test_a_refused_booking_that_stands_is_booked(stub: LiteApiStub, hotels: LiteApiHotels, code: int) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    hotels.book(request)
    refuse(stub, BOOK, 400, code)
    assert hotels.book(request).supplier_reference == next(iter(stub.books.bookings))


def test_a_refused_booking_that_nobody_can_look_up_is_unknown(
    stub: LiteApiStub, hotels: LiteApiHotels
) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    refuse(stub, BOOK, 400, 2010)
    refuse(stub, LIST, 500, 0)
    assert end_of(lambda: hotels.book(request)) is OutcomeUnknown


@pytest.mark.parametrize(("status", "code"), [(404, 0), (404, 404), (400, 1234), (500, 0)])
def test_a_list_that_is_not_there_does_not_say_that_nothing_was_booked(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int
) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    hotels.book(request)
    refuse(stub, LIST, status, code)
    assert end_of(lambda: hotels.find_booking(request.client_ref, request.rate)) is Unavailable


def test_a_proof_needs_the_key(stub: LiteApiStub, hotels: LiteApiHotels) -> None:
    assert hotels.prove() == "both hosts answer"
    refuse(stub, LIST, 403, 40302)
    assert end_of(hotels.prove) is Unavailable
