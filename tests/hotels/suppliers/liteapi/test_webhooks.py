"""LiteAPI's webhooks: whose they are, what they name, and what follows from one that comes twice."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking
from apps.hotels.suppliers.liteapi.vendor import verify
from apps.suppliers.vendors import Forged, Hint, Unreadable
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.stub import BOOK, WEBHOOK_TOKEN, LiteApiStub
from tests.support.supplier_stub import Trouble

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("connected")]

ADDRESS = "/suppliers/liteapi/webhooks"
EVENT = {
    "event_id": "evstub-1",
    "event_name": "booking.cancel",
    "request": "{}",
    "response": '{"data":{"bookingId":"BKSTUB001","status":"CANCELLED"}}',
    "sandbox": True,
}


def told(token: str | None = WEBHOOK_TOKEN, **changes: Any) -> Hint | None:
    headers = {} if token is None else {"authorization": token}
    return verify(headers, json.dumps({**EVENT, **changes}).encode())


def test_the_documented_event() -> None:
    assert told() == Hint("evstub-1", "booking.cancel", supplier_reference="BKSTUB001")
    assert told(f"Bearer {WEBHOOK_TOKEN}") == told()


@pytest.mark.parametrize(
    "token", [None, "", "Bearer ", "other", WEBHOOK_TOKEN[:-1], f"{WEBHOOK_TOKEN} ", "\udcff", "ü"]
)
def test_another_token_is_forged(token: str | None) -> None:
    with pytest.raises(Forged):
        told(token)


def test_without_a_token_of_ours_nothing_is_genuine(settings: Any) -> None:
    credentials = {**settings.SUPPLIER_CREDENTIALS["liteapi"], "webhook_token": ""}
    settings.SUPPLIER_CREDENTIALS = {**settings.SUPPLIER_CREDENTIALS, "liteapi": credentials}
    with pytest.raises(Forged):
        told("")


@pytest.mark.parametrize(
    ("changes", "reference", "client_ref"),
    [
        ({"response": '{"bookingId": "BK2"}'}, "BK2", ""),
        ({"response": {"data": {"bookingId": "BK2"}}}, "BK2", ""),
        ({"response": "", "request": '{"clientReference": "H-7KQ2M9XD"}'}, "", "H-7KQ2M9XD"),
        ({"response": "{", "request": '{"bookingId": "BK3"}'}, "BK3", ""),
        ({"response": '{"data": {"bookingId": 7, "clientReference": "H-1"}}'}, "", "H-1"),
    ],
)
def test_what_an_event_names(changes: dict[str, Any], reference: str, client_ref: str) -> None:
    assert told(**changes) == Hint(
        "evstub-1", "booking.cancel", supplier_reference=reference, client_ref=client_ref
    )


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"event_id": 5}', b"\xff", b"[" * 100_000])
def test_what_is_no_event_is_unreadable(body: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)) as raised:
        verify({"authorization": WEBHOOK_TOKEN}, body)
    assert isinstance(raised.value, Unreadable | ValueError | RecursionError)


def send(stub: LiteApiStub, name: str, booking_id: str, token: str = WEBHOOK_TOKEN) -> int:
    event = stub.event(name, booking_id, f"ev-{name}-{booking_id}")
    headers = {"authorization": token}
    return Client().post(ADDRESS, event, content_type="application/json", headers=headers).status_code


def test_the_event_of_a_lost_booking_has_it_looked_up_at_once(
    desk: FrontDesk, stub: LiteApiStub, move_clock: Callable[..., None]
) -> None:
    rate = desk.rate()
    stub.trouble(*BOOK, Trouble(end="reset"))
    assert desk.book(rate).status == 503
    assert recover_due() == 0
    send(stub, "booking.book", next(iter(stub.books.bookings)))
    assert follow_hints() == 1
    move_clock(seconds=1)
    assert recover_due() == 1
    assert Booking.objects.get().status == "confirmed"
