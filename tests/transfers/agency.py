"""What the tests of transfers book with, and how they look at what came of it."""

from typing import Any

import orjson
import pytest

from apps.bookings.models import Booking
from apps.bookings.travellers import with_keys
from apps.keys.scopes import ENFORCED
from apps.ledger.selectors import balance_of, ledger_of
from apps.onboarding.partners import Onboarded, Terms
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.simulation import DatabaseStore, Market
from apps.suppliers.vendors import Vendor
from apps.transfers.suppliers import registry
from apps.transfers.suppliers.base import Cancellation, OrderRequest, TransferOrder
from apps.transfers.suppliers.simulator.adapter import TransferSimulator
from apps.webhooks.models import Event
from tests.factories.partners import new_partner
from tests.support.api import Api, Reply

BALANCE_CENTS = 1_000_000
LEAD = {"firstName": "Ada", "lastName": "Lovelace", "email": "ada@example.com", "phone": "+351210000000"}
SEARCH: dict[str, Any] = {
    "from": {"type": "IATA", "code": "PMI"},
    "to": {"type": "HOTEL", "code": "265"},
    "outbound": "2027-02-03T14:30:00",
    "adults": 2,
}
BOTH_WAYS: dict[str, Any] = {**SEARCH, "inbound": "2027-02-10T18:00:00"}
FREE, FEE, NOTHING_BACK = "economy", "comfort", "business"
"""Vehicle classes by what cancelling one of them costs now."""


def a_partner(**terms: Any) -> Onboarded:
    """A partner with every scope, 10,000.00 on the account and room for many calls."""
    common = {
        "name": "Partner",
        "currency": "EUR",
        "balance_cents": BALANCE_CENTS,
        "scopes": ENFORCED,
        "rates": {"SEARCH": 10_000, "BOOKING": 10_000, "READ": 10_000},
    }
    return new_partner(Terms(**{**common, **terms}))


def search(api: Api, **changes: Any) -> dict[str, Any]:
    """The body of a search's answer."""
    reply = api.post("/v1/transfers/searches", {**SEARCH, **changes})
    assert reply.status == 201, reply.body
    return reply.body


def an_offer(api: Api, category: str = FREE, **changes: Any) -> dict[str, Any]:
    (offer,) = search(api, vehicleClass=category, **changes)["offers"]
    return offer


def order(api: Api, quote_id: str, *, key: str | None = None, ref: str = "", **more: Any) -> Reply:
    """The reply to an order; `ref` is the X-Partner-Customer-Ref."""
    body = {"quoteId": quote_id, "leadPassenger": LEAD, **more}
    return api.post("/v1/transfers/orders", body, key, **({"X-Partner-Customer-Ref": ref} if ref else {}))


def an_order(
    api: Api, category: str = FREE, outbound: str = SEARCH["outbound"], **more: Any
) -> dict[str, Any]:
    """The body of a new order's answer."""
    reply = order(api, an_offer(api, category, outbound=outbound)["quoteId"], **more)
    assert reply.status == 201, reply.body
    return reply.body


def cancel(api: Api, order_id: str, body: dict[str, Any] | None = None, key: str | None = None) -> Reply:
    return api.post(f"/v1/transfers/orders/{order_id}/cancel", body or {}, key)


def read(api: Api, order_id: str) -> dict[str, Any]:
    reply = api.get(f"/v1/transfers/orders/{order_id}")
    assert reply.status == 200, reply.body
    return reply.body


def money(partner: Onboarded, environment: str = "test") -> tuple[int, int]:
    """What is available and what is held on the account."""
    balance = balance_of(partner.account.id, environment)
    return balance.available_cents, balance.held_cents


def steps(partner: Onboarded) -> list[tuple[str, int]]:
    """The ledger's lines after the top-up, oldest first: type and effect on available plus held."""
    lines = ledger_of(partner.account.id, "test").exclude(type="top_up").order_by("created_at")
    return [(line.type, line.amount_cents or line.held_delta_cents) for line in lines]


def events(booking_id: str) -> list[tuple[str, dict[str, Any]]]:
    """The events told of a booking: their types and data. Those of one moment in the order of their names."""
    found = Event.objects.filter(booking_id=booking_id).order_by("created_at", "type")
    return [(event.type, orjson.loads(event.payload)["data"]) for event in found]


def the_booking(booking_id: str) -> Booking:
    return with_keys(Booking.objects.all()).get(pk=booking_id)


class Company(TransferSimulator):
    """The transfer company under a test's hands: prices move, answers get lost, all is counted."""

    def __init__(self) -> None:
        super().__init__(DatabaseStore("transfers"))
        self.loses_answers = False
        self.bookings = 0

    def book(self, request: OrderRequest) -> TransferOrder:
        booked = super().book(request)
        self.bookings += 1
        self._lose()
        return booked

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        done = super().cancel(client_ref, supplier_reference, quote)
        self._lose()
        return done

    def at_percent(self, percent: int) -> None:
        self.market = Market(percent=percent)

    def _lose(self) -> None:
        if self.loses_answers:
            raise OutcomeUnknown("the answer was lost")


def a_company(monkeypatch: pytest.MonkeyPatch) -> Company:
    """The company that serves test keys from now on."""
    company = Company()
    monkeypatch.setitem(registry.VENDORS, "simulator", Vendor("simulator", lambda: company))
    return company
