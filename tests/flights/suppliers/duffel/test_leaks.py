"""A run of sales, refusals and lost answers through Duffel, and what of it must not be found afterwards."""

import logging
from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking
from apps.suppliers.models import SupplierAlert
from tests.flights.desk import Desk
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import SECRET, DuffelStub
from tests.flights.suppliers.duffel.test_webhooks import deliver
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.suppliers.leaks import leaks, tables_holding
from tests.support.api import Reply
from tests.support.flight_shop import PASSENGER
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db(
    transaction=True
)  # what the calls' own threads write is looked through, too

PASSPORT = {"type": "passport", "number": "QZ1928374", "issuingCountry": "GB", "expiresOn": "2040-01-31"}
ACCOUNT = "ZQ5647382910"
WILHELMINA = {
    **PASSENGER,
    "firstName": "Wilhelmina",
    "lastName": "Quackenbush",
    "identityDocuments": [PASSPORT],
    "loyaltyAccounts": [{"airline": "ZZ", "number": ACCOUNT}],
}
CONTACT = {"email": "w.quackenbush@example.com", "phone": "+351219998877"}
TRAVELLER = [
    "Wilhelmina",
    "Quackenbush",
    PASSPORT["number"],
    ACCOUNT,
    CONTACT["email"],
    CONTACT["phone"],
    CONTACT["phone"][1:],
]


@pytest.fixture
def order(seller: Desk) -> Callable[[], Reply]:
    """Order a new offer for Wilhelmina."""
    return lambda: seller.order(seller.flexible(), passengers=[WILHELMINA], contact=CONTACT)


def quoting(code: str) -> Trouble:
    """A refusal that quotes what it was sent, as validation errors do."""
    status, body = refusal_of(code, field="given_name", pointer="/passengers/0/given_name")
    body["errors"][0]["message"] = (
        f"Wilhelmina Quackenbush {CONTACT['email']} {PASSPORT['number']} {ACCOUNT} {TOKEN}"
    )
    return refusal(status, body)


def test_neither_credentials_nor_travellers_are_left_behind(
    seller: Desk,
    at_duffel: DuffelStub,
    order: Callable[[], Reply],
    caplog: pytest.LogCaptureFixture,
    move_clock: Callable[..., None],
) -> None:
    caplog.set_level(logging.DEBUG)
    sold = order().body
    refused: list[Reply] = []
    for code in (
        "validation_format",
        "order_not_created",
        "duplicate_passenger_name",
        "insufficient_balance",
    ):
        at_duffel.trouble("POST", paths.ORDERS, quoting(code))
        refused.append(order())
    for spoiled in (b"Wilhelmina Quackenbush", b'{"data": {"id": "Wilhelmina Quackenbush"}}'):
        at_duffel.trouble("POST", paths.ORDERS, Trouble(status=201, body=spoiled))
        refused.append(order())
    at_duffel.trouble("POST", paths.ORDERS, Trouble(end="reset"))
    refused.append(order())
    move_clock(minutes=5)
    recover_due()

    about: dict[str, Any] = at_duffel.orders[sold["supplier"]["reference"]]
    named = [{**one, "given_name": "Wilhelmina", "family_name": "Quackenbush"} for one in about["passengers"]]
    headers, body = at_duffel.webhook("order.updated", {**about, "passengers": named})
    assert (deliver(headers, body), deliver({}, body), follow_hints()) == (200, 401, 1)
    cheapest = seller.options_of(sold)[0]
    seller.changed(sold, cheapest)
    seller.cancel(sold["id"])

    assert [reply.status for reply in refused] == [400, 502, 400, 503, 503, 503, 503]
    assert Booking.objects.count() == 8
    assert "bookings_booking" in set(tables_holding(sold["reference"]))  # the search can find what is there
    assert SupplierAlert.objects.get().kind == "wallet_empty"
    assert "apps.suppliers.calls" in {record.name for record in caplog.records}
    found = leaks(
        credentials=[TOKEN, SECRET],
        travellers=TRAVELLER,
        logs=caplog.text,
        answers=[reply.content for reply in refused],
    )
    assert found == []
