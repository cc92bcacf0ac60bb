"""Every refusal that is documented or was recorded, with its text: what we take it for, and whether staff hear of it."""

from dataclasses import dataclass

import pytest

from apps.hotels.suppliers.base import Rate
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.hotels.suppliers.liteapi.client import told_in
from apps.ledger.consistency import check_ledger
from apps.suppliers.errors import (
    Expired,
    Missing,
    NotPossible,
    OutcomeUnknown,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.models import SupplierAlert
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import FrontDesk
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
    Row(RATES, 200, 2001, "no availability found", None),
    Row(RATES, 400, 4000, "hotel ids not found", None),
    Row(RATES, 200, 4000, "hotelIds not found", None),
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
    Row(PREBOOK, 400, 4002, "", Rejected, "request_refused"),
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
    Row(BOOK, 500, 5000, "", OutcomeUnknown),
    Row(BOOK, 500, 5000, "payment failed", Unavailable, "wallet_empty"),
    Row(BOOK, 200, 5000, "Payment failed", Unavailable, "wallet_empty"),
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
    told = [row.alert] if row.alert else []
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == told


@pytest.mark.django_db(transaction=True)
def test_a_missing_payment_method_releases_the_hold_and_alerts_staff(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    told = "check if you have provided a payment method"
    rate = desk.rate()
    stub.trouble(*BOOK, refused(5000, 400, told=told))
    reply = desk.book(rate)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert desk.balance() == (BALANCE_CENTS, 0)
    assert desk.api.get("/v1/hotels/bookings").body["data"][0]["status"] == "failed"
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == ["wallet_empty"]
    assert check_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_a_rate_that_turns_out_to_be_paid_at_the_property_is_not_booked(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    rate = desk.rate()
    stub.books.payment_types = ["PROPERTY_PAY"]
    assert desk.book(rate).error_type == "offer_expired"
    assert (stub.heard_by(*BOOK), desk.balance()) == ([], (BALANCE_CENTS, 0))
    found = desk.search().body
    assert found["hotels"] == []
    assert found["withheld"]["unsupported"] > 0


@pytest.mark.django_db(transaction=True)
def test_what_the_account_cannot_pay_is_told_at_once_and_holds_no_money(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    """It must not wait for an hour of look-ups: certainly nothing was booked."""
    rate = desk.rate()
    stub.books.funds = 0
    reply = desk.book(rate)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert desk.balance() == (BALANCE_CENTS, 0)
    assert stub.books.bookings == {}
    assert desk.api.get("/v1/hotels/bookings").body["data"][0]["status"] == "failed"
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == ["wallet_empty"]
    assert check_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_a_way_of_paying_that_the_account_has_not_books_nothing(desk: FrontDesk, stub: LiteApiStub) -> None:
    rate = desk.rate()
    stub.books.payment_method = "CREDIT"
    assert desk.book(rate).status == 503
    assert desk.balance() == (BALANCE_CENTS, 0)


def test_a_prebook_that_has_lapsed_is_expired(stub: LiteApiStub, hotels: LiteApiHotels) -> None:
    rate: Rate = hotels.check_rate(a_rate(hotels))
    stub.books.outdated = set(stub.books.prebooks)
    with pytest.raises(Expired):
        hotels.book(a_stay(rate))


def test_hotels_that_they_do_not_know_are_none(desk: FrontDesk) -> None:
    assert desk.hotels({"hotelIds": ["lpunknown"]}) == []


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ({"code": 5000, "description": "a", "message": "b"}, "a b"),
        ({"message": "b", "description": None}, "b"),
        ({"message": {"not": "a text"}}, "{'not': 'a text'}"),
        ("no", ""),
        (None, ""),
    ],
)
def test_both_texts_are_read(error: object, told: str) -> None:
    assert told_in(error) == told
