"""The table of refusals, line by line, over a real socket."""

from dataclasses import asdict
from typing import Any

import pytest

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
from apps.transfers.suppliers.base import Cancellation, TransferOffer
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from apps.transfers.suppliers.hotelbeds.client import HotelbedsClient
from tests.support.supplier_stub import Trouble, refusal
from tests.transfers.suppliers.hotelbeds.conftest import SHORT
from tests.transfers.suppliers.hotelbeds.stub import (
    AVAILABILITY,
    BOOKING,
    BOOKINGS,
    LIST,
    HotelbedsStub,
    error_body,
)
from tests.transfers.suppliers.requests import HOTEL, a_search, an_order, new_ref, point

pytestmark = pytest.mark.django_db

VALIDITY = [
    ("E_REQUEST_INVALID", "from"),
    ("E_REQUEST_PASTDATE", "outbound"),
    ("E_REQUEST_ATLEASTONEADULT", "adults"),
    ("E_REQUEST_INVALIDTERMINALCODE", "from"),
    ("E_REQUEST_GPSCOORDINATES", "from"),
    ("E_REQUEST_ATLASCODE", "to"),
    ("E_REQUEST_INVALIDDATEFORMAT", "outbound"),
    ("E_REQUEST_ADULTSDONTMATCH", "adults"),
    ("E_REQUEST_CHILDRENDONTMATCH", "children"),
    ("E_REQUEST_AGESDONTMATCH", "children"),
    ("E_REQUEST_SAMEFROMTO", "to"),
]
AT_BOOKING: list[tuple[int, str, type[SupplierError]]] = [
    *((400, code, Rejected) for code, _ in VALIDITY),
    (500, "E_CONFIRMATION_INVALIDRATEKEY", Expired),
    (400, "E_CONFIRMATION_RATEKEYHASH", Expired),
    (400, "E_CONFIRMATION_RATEKEYCREDENTIALS", Expired),
    (400, "E_CONFIRMATION_INVALIDRATEKEY_RATEKEYHASH", Expired),  # however `_RATEKEYHASH` is to be read
    (400, "E_CONFIRMATION_INSUFFICIENTSEATS", Rejected),
    (400, "E_CONFIRMATION_EMPTYTRANSFERS", Rejected),
    (500, "E_CONFIRMATION_DUPLICATEDSERVICES", Rejected),
    (500, "E_CONFIRMATION_WRONGLANGUAGE", Rejected),
    (500, "E_CONFIRMATION_PAXESDONOTMATCH", Rejected),
    (500, "E_CONFIRMATION_NOTRESPONDING", OutcomeUnknown),
    (500, "E_OF_NEXT_YEAR", OutcomeUnknown),
    (400, "E_OF_NEXT_YEAR", Rejected),
    (409, "E_OF_NEXT_YEAR", Rejected),
]
STATUSES: list[tuple[int, type[SupplierError], type[SupplierError], type[SupplierError]]] = [
    # status, and what it means for a read, a booking and a cancellation where no code is told
    (401, Unavailable, Unavailable, Unavailable),
    (403, Unavailable, Unavailable, Unavailable),
    (404, Missing, Missing, Missing),
    (408, Unavailable, OutcomeUnknown, OutcomeUnknown),
    (429, Unavailable, Unavailable, Unavailable),
    (301, Unavailable, OutcomeUnknown, OutcomeUnknown),
    (500, Unavailable, OutcomeUnknown, OutcomeUnknown),
    (502, Unavailable, OutcomeUnknown, OutcomeUnknown),
    (503, Unavailable, OutcomeUnknown, OutcomeUnknown),
    (596, Unavailable, OutcomeUnknown, OutcomeUnknown),
]
BODIES: list[Any] = [{"error": "stub"}, b"<h1>stub</h1>", {"code": 7, "fieldErrors": "none"}]


@pytest.fixture
def offer(hotelbeds: HotelbedsTransfers) -> TransferOffer:
    """Just re-priced: booked without another look."""
    return hotelbeds.reprice(a_search(), hotelbeds.search(a_search())[0])


@pytest.fixture
def reference(hotelbeds: HotelbedsTransfers, offer: TransferOffer) -> str:
    return hotelbeds.book(an_order(offer)).supplier_reference


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize(("code", "field"), VALIDITY)
def test_a_search_that_is_not_valid_names_the_field(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, code: str, field: str, inside: bool
) -> None:
    stub.fail("GET", AVAILABILITY, code, inside=inside)
    with pytest.raises(InvalidField) as raised:
        hotelbeds.search(a_search())
    assert raised.value.field == field


@pytest.mark.parametrize("code", [code for code, _ in VALIDITY])
def test_an_order_whose_search_is_no_longer_valid_is_refused(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, offer: TransferOffer, code: str
) -> None:
    """It has none of the search's fields that could be named."""
    stub.fail("GET", AVAILABILITY, code)
    with pytest.raises(SupplierError) as raised:
        hotelbeds.reprice(a_search(), offer)
    assert type(raised.value) is Rejected


def test_the_end_that_is_meant_is_named(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    stub.fail("GET", AVAILABILITY, "E_REQUEST_INVALIDTERMINALCODE", times=2)
    for asked, field in ((a_search(), "from"), (a_search(start=HOTEL, end=a_search().start), "to")):
        with pytest.raises(InvalidField) as raised:
            hotelbeds.search(asked)
        assert raised.value.field == field


def test_the_most_telling_code_counts(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    body = {**error_body("E_REQUEST_PASTDATE", inside=True), "code": "E_REQUEST_INVALID"}
    stub.trouble("GET", AVAILABILITY, refusal(400, body))
    with pytest.raises(InvalidField) as raised:
        hotelbeds.search(a_search())
    assert raised.value.field == "outbound"


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize(("status", "code", "outcome"), AT_BOOKING)
def test_a_booking_refused_with_a_code(
    hotelbeds: HotelbedsTransfers,
    stub: HotelbedsStub,
    offer: TransferOffer,
    status: int,
    code: str,
    outcome: type[SupplierError],
    inside: bool,
) -> None:
    stub.fail("POST", BOOKINGS, code, status, inside=inside)
    with pytest.raises(SupplierError) as raised:
        hotelbeds.book(an_order(offer))
    assert type(raised.value) is outcome
    assert (len(stub.heard_by("POST", BOOKINGS)), stub.bookings) == (1, {})


@pytest.mark.parametrize(
    ("status", "read", "book", "cancel", "body"),
    [(*line, BODIES[place % len(BODIES)]) for place, line in enumerate(STATUSES)],
)
def test_a_status_without_a_code(
    hotelbeds: HotelbedsTransfers,
    stub: HotelbedsStub,
    reference: str,
    offer: TransferOffer,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    read: type[SupplierError],
    book: type[SupplierError],
    cancel: type[SupplierError],
    body: Any,
) -> None:
    monkeypatch.setattr("apps.suppliers.http.BACKOFF_SECONDS", (0.0, 0.0))
    quote = hotelbeds.quote_cancellation(reference)
    stub.trouble("GET", BOOKING, refusal(status, body, times=3))
    stub.trouble("POST", BOOKINGS, refusal(status, body))
    stub.trouble("DELETE", BOOKING, Trouble())  # the simulation
    outcomes = []
    for call in (lambda: hotelbeds.read_order(reference), lambda: hotelbeds.book(an_order(offer))):
        with pytest.raises(SupplierError) as raised:
            call()
        outcomes.append(type(raised.value))
    outcomes.append(type(refused_cancellation(hotelbeds, stub, reference, quote, refusal(status, body))))
    assert outcomes == [read, book, cancel]


def refused_cancellation(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, reference: str, quote: Cancellation, trouble: Trouble
) -> Exception:
    """What a cancellation ends in whose simulation goes well and which then meets `trouble`."""
    simulate = hotelbeds.client.simulated_cancellation

    def then_trouble(reference: str) -> dict[str, Any]:
        answer = simulate(reference)
        stub.trouble("DELETE", BOOKING, trouble)
        return answer

    hotelbeds.client.simulated_cancellation = then_trouble  # type: ignore[method-assign]
    with pytest.raises(SupplierError) as raised:
        hotelbeds.cancel(new_ref(), reference, quote)
    return raised.value


@pytest.mark.parametrize(
    ("status", "code", "outcome"),
    [
        (400, "E_BOOKING_CANCELLATIONERROR", NotPossible),
        (409, "E_BOOKING_CANCELLATIONERROR", NotPossible),
        (409, "E_OF_NEXT_YEAR", NotPossible),
        (400, "E_BOOKING_NOTFOUND", Missing),
        (400, "E_REQUEST_INVALID", Rejected),
        (500, "E_OF_NEXT_YEAR", OutcomeUnknown),
    ],
)
def test_a_cancellation_refused_with_a_code(
    hotelbeds: HotelbedsTransfers,
    stub: HotelbedsStub,
    reference: str,
    status: int,
    code: str,
    outcome: type[SupplierError],
) -> None:
    quote = hotelbeds.quote_cancellation(reference)
    error = refused_cancellation(hotelbeds, stub, reference, quote, refusal(status, error_body(code)))
    assert type(error) is outcome
    assert stub.bookings[reference]["status"] == "CONFIRMED"


def test_a_refused_cancellation_is_read_and_what_is_read_counts(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, reference: str
) -> None:
    """It says no, and has done it all the same."""
    quote = hotelbeds.quote_cancellation(reference)
    reads = len(stub.heard_by("GET", BOOKING))
    simulate = hotelbeds.client.simulated_cancellation

    def then_trouble(reference: str) -> dict[str, Any]:
        answer = simulate(reference)
        refused = Trouble(status=409, body=error_body("E_BOOKING_CANCELLATIONERROR"))
        stub.trouble("DELETE", BOOKING, refused)
        return answer

    hotelbeds.client.simulated_cancellation = then_trouble  # type: ignore[method-assign]
    assert hotelbeds.cancel(new_ref(), reference, quote) == quote
    assert len(stub.heard_by("GET", BOOKING)) == reads + 1
    assert stub.bookings[reference]["status"] == "CANCELLED"


def test_a_refused_cancellation_that_cannot_be_read_is_unknown(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.suppliers.http.BACKOFF_SECONDS", (0.0, 0.0))
    quote = hotelbeds.quote_cancellation(reference)
    stub.trouble("GET", BOOKING, refusal(503, times=-1))
    trouble = refusal(409, error_body("E_BOOKING_CANCELLATIONERROR"))
    assert type(refused_cancellation(hotelbeds, stub, reference, quote, trouble)) is OutcomeUnknown


@pytest.mark.parametrize(
    "answer", [b"", b"<html>", b"{}", b'{"bookings": []}', b'{"bookings": [{}]}', b'"ok"']
)
def test_an_unreadable_success_of_a_write_is_unknown(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, reference: str, offer: TransferOffer, answer: bytes
) -> None:
    quote = hotelbeds.quote_cancellation(reference)
    stub.trouble("POST", BOOKINGS, Trouble(status=200, body=answer))
    with pytest.raises(OutcomeUnknown):
        hotelbeds.book(an_order(offer))
    trouble = Trouble(status=200, body=answer)
    assert type(refused_cancellation(hotelbeds, stub, reference, quote, trouble)) is OutcomeUnknown


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>",
        b'{"bookings": []}',
        b'{"bookings": [{"reference": 7}]}',
        b'{"bookings": [{"reference": ""}]}',
        b'{"bookings": [{"reference": "1-\\u0000"}]}',
        b'{"bookings": [{"reference": "' + b"1" * 256 + b'"}]}',
    ],
)
def test_an_unreadable_order_is_no_answer(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, reference: str, answer: bytes
) -> None:
    stub.trouble("GET", BOOKING, Trouble(status=200, body=answer))
    with pytest.raises(Unavailable):
        hotelbeds.read_order(reference)


def test_a_search_nobody_answers_is_unavailable(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HotelbedsClient, "to_search", SHORT)
    stub.trouble("GET", AVAILABILITY, Trouble(end="hang"))
    with pytest.raises(Unavailable):
        hotelbeds.search(a_search())


@pytest.mark.parametrize(("status", "outcome"), [(404, Rejected), (400, Rejected), (500, Unavailable)])
def test_a_search_refused_without_a_code(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, status: int, outcome: type[SupplierError]
) -> None:
    stub.trouble("GET", AVAILABILITY, refusal(status, b"stub"))
    with pytest.raises(SupplierError) as raised:
        hotelbeds.search(a_search())
    assert type(raised.value) is outcome


def test_refused_credentials_are_told_to_staff(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    stub.trouble("GET", LIST, refusal(401, {"error": "Developer Inactive"}))
    with pytest.raises(Unavailable):
        hotelbeds.prove()
    alert = SupplierAlert.objects.get()
    assert (alert.supplier, alert.kind) == ("hotelbeds", "credentials_refused")
    assert hotelbeds.prove() == "credentials accepted for testing: what it sells is not real"


def test_coordinates_that_are_not_known_are_named(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    stub.fail("GET", AVAILABILITY, "E_REQUEST_GPSCOORDINATES")
    place = point("39.57", "2.65")
    there = {"address": "Carrer Nou 1", "town": "Palma", "country": "ES", "zip": "07001"}
    with pytest.raises(InvalidField) as raised:
        hotelbeds.search(a_search(end=type(place)(**{**asdict(place), **there})))
    assert raised.value.field == "to"
