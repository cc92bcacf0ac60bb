"""Their table of codes, one by one: each under its own status and, because they do that, inside a 200."""

from collections.abc import Callable
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

Call = Callable[[], object]
SHUT_OUT = [(401, 401, Unavailable), (403, 403, Unavailable), (403, 40302, Unavailable)]
THROTTLED = [(429, 4290, Unavailable), (429, 0, Unavailable)]


def end_of(call: Call) -> type[SupplierError]:
    with pytest.raises(SupplierError) as raised:
        call()
    return type(raised.value)


def refuse(stub: LiteApiStub, place: tuple[str, str], status: int, code: int) -> None:
    """Three times: a read tries again after some statuses."""
    stub.trouble(*place, refused(code, status, times=3) if code else refusal(status, times=3))


@pytest.mark.parametrize(
    ("status", "code", "end"),
    [
        (400, 4000, Rejected),
        (400, 4002, Rejected),
        (200, 4002, Rejected),
        (400, 1234, Rejected),
        (500, 5000, Unavailable),
        (503, 0, Unavailable),
        *SHUT_OUT,
        *THROTTLED,
    ],
)
def test_a_search_that_is_refused(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int, end: type[SupplierError]
) -> None:
    refuse(stub, RATES, status, code)
    assert issubclass(end_of(lambda: hotels.search(a_search())), end)


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


@pytest.mark.parametrize(("status", "code"), [(400, 2001), (200, 2001), (204, 0)])
def test_a_search_that_finds_nothing(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int
) -> None:
    refuse(stub, RATES, status, code)
    assert hotels.search(a_search()) == []


@pytest.mark.parametrize(
    ("status", "code", "end"),
    [
        (400, 2001, Expired),
        (409, 2001, Expired),
        (200, 2001, Expired),
        (408, 4040, Expired),
        (408, 4016, Unavailable),
        (500, 5000, Unavailable),
        (500, 0, Unavailable),
        (408, 0, Unavailable),
        *SHUT_OUT,
        *THROTTLED,
    ],
)
def test_a_prebook_that_is_refused(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int, end: type[SupplierError]
) -> None:
    rate = a_rate(hotels)
    refuse(stub, PREBOOK, status, code)
    assert end_of(lambda: hotels.check_rate(rate)) is end
    assert len(stub.heard_by(*PREBOOK)) == 1


@pytest.mark.parametrize("altered", ["cancellationChanged", "boardChanged"])
def test_a_prebook_of_other_terms_is_another_product(
    stub: LiteApiStub, hotels: LiteApiHotels, altered: str
) -> None:
    rate = a_rate(hotels)
    stub.books.altered = frozenset({altered})
    assert end_of(lambda: hotels.check_rate(rate)) is Expired


@pytest.mark.parametrize(
    ("status", "code", "end"),
    [
        (400, 4002, Rejected),
        (400, 4010, Rejected),
        (408, 4040, Expired),
        (400, 2010, Rejected),
        (400, 2013, Rejected),
        (400, 4012, Rejected),
        (200, 2013, Rejected),
        (400, 4000, Rejected),
        (400, 1234, Rejected),
        (400, 2014, OutcomeUnknown),
        (400, 4005, OutcomeUnknown),
        (200, 4005, OutcomeUnknown),
        (200, 1234, OutcomeUnknown),
        (429, 4291, OutcomeUnknown),
        (500, 5000, OutcomeUnknown),
        (500, 0, OutcomeUnknown),
        (504, 0, OutcomeUnknown),
        (408, 0, OutcomeUnknown),
        (200, 0, OutcomeUnknown),
        *SHUT_OUT,
        *THROTTLED,
    ],
)
def test_a_booking_that_is_refused(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int, end: type[SupplierError]
) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    refuse(stub, BOOK, status, code)
    ended = end_of(lambda: hotels.book(request))
    assert issubclass(ended, end)
    assert len(stub.heard_by(*BOOK)) == 1
    asked_after = [heard.query["clientReference"] for heard in stub.heard_by(*LIST)]
    assert asked_after == ([request.client_ref] if end is Rejected else [])


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


def test_a_used_reference_is_refused_and_tells_staff(stub: LiteApiStub, hotels: LiteApiHotels) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    hotels.book(request)
    assert end_of(lambda: hotels.book(request)) is OutcomeUnknown
    assert alerts() == [("duplicate_reference", request.client_ref)]


@pytest.mark.parametrize(
    ("status", "code", "end"),
    [
        (204, 0, Missing),
        (200, 204, Missing),
        (404, 0, Missing),
        (400, 1234, Unavailable),
        (500, 0, Unavailable),
        *SHUT_OUT,
        *THROTTLED,
    ],
)
def test_a_read_that_is_refused(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int, end: type[SupplierError]
) -> None:
    refuse(stub, READ, status, code)
    assert end_of(lambda: hotels.read_booking("BK1")) is end


@pytest.mark.parametrize(("status", "code"), [(204, 0), (200, 204)])
def test_a_list_of_nothing(stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    refuse(stub, LIST, status, code)
    assert hotels.find_booking(request.client_ref, request.rate) is None


@pytest.mark.parametrize(("status", "code"), [(404, 0), (404, 404), (400, 1234), (500, 0)])
def test_a_list_that_is_not_there_does_not_say_that_nothing_was_booked(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int
) -> None:
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    hotels.book(request)
    refuse(stub, LIST, status, code)
    assert end_of(lambda: hotels.find_booking(request.client_ref, request.rate)) is Unavailable


@pytest.mark.parametrize(
    ("status", "code", "end"),
    [
        (204, 0, Missing),
        (200, 204, Missing),
        (404, 0, Missing),
        (400, 304, NotPossible),
        (200, 304, NotPossible),
        (304, 0, NotPossible),
        (400, 4000, Rejected),
        (200, 1234, OutcomeUnknown),
        (500, 5000, OutcomeUnknown),
        (502, 0, OutcomeUnknown),
        (200, 0, OutcomeUnknown),
        *SHUT_OUT,
        *THROTTLED,
    ],
)
def test_a_cancellation_that_is_refused(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int, end: type[SupplierError]
) -> None:
    stay = hotels.book(a_stay(a_rate(hotels)))
    quote = hotels.quote_cancellation(stay.supplier_reference)
    refuse(stub, CANCEL, status, code)
    assert end_of(lambda: hotels.cancel(new_ref(), stay.supplier_reference, quote)) is end
    assert len(stub.heard_by(*CANCEL)) == 1


@pytest.mark.parametrize(("status", "code", "end"), SHUT_OUT)
def test_a_refused_key_tells_staff(
    stub: LiteApiStub, hotels: LiteApiHotels, status: int, code: int, end: type[SupplierError]
) -> None:
    refuse(stub, RATES, status, code)
    assert end_of(lambda: hotels.search(a_search())) is end
    assert [kind for kind, _ in alerts()] == ["credentials_refused"]


def test_being_throttled_tells_nobody(stub: LiteApiStub, hotels: LiteApiHotels) -> None:
    refuse(stub, RATES, 429, 4290)
    assert end_of(lambda: hotels.search(a_search())) is Unavailable
    assert alerts() == []


def test_a_proof_needs_the_key(stub: LiteApiStub, hotels: LiteApiHotels) -> None:
    assert hotels.prove() == "both hosts answer"
    refuse(stub, LIST, 403, 40302)
    assert end_of(hotels.prove) is Unavailable


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[]",
        b'{"data": 7}',
        b'{"data": {"status": 1}}',
        b'{"error": "no"}',
        b'{"error": {"code": 1e5000}}',
    ],
)
def test_an_answer_that_cannot_be_read(stub: LiteApiStub, hotels: LiteApiHotels, body: bytes) -> None:
    """Of a write it leaves the outcome open; of anything else it is no answer."""
    rate = a_rate(hotels)
    stay = hotels.book(a_stay(rate))
    quote = hotels.quote_cancellation(stay.supplier_reference)
    garbled: dict[tuple[str, str], tuple[Call, Any]] = {
        RATES: (lambda: hotels.search(a_search()), Unavailable),
        PREBOOK: (lambda: hotels.check_rate(rate), Unavailable),
        BOOK: (lambda: hotels.book(a_stay(rate)), OutcomeUnknown),
        READ: (lambda: hotels.read_booking(stay.supplier_reference), Unavailable),
        LIST: (lambda: hotels.find_booking(new_ref(), rate), Unavailable),
        CANCEL: (lambda: hotels.cancel(new_ref(), stay.supplier_reference, quote), OutcomeUnknown),
    }
    for place, (call, end) in garbled.items():
        stub.trouble(*place, refusal(200, body))
        assert end_of(call) is end, place


def alerts() -> list[tuple[str, str]]:
    return list(SupplierAlert.objects.order_by("pk").values_list("kind", "detail"))
