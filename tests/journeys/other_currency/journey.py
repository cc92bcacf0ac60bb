"""A product bought in euros from a supplier that charges dollars, and what came of it."""

from abc import ABC, abstractmethod
from decimal import Decimal
from typing import Any

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking
from apps.common import clock
from apps.ledger.selectors import balance_of
from apps.onboarding.partners import Onboarded
from apps.suppliers.currency import Exchange
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from tests.support.api import Api, Reply
from tests.support.flight_shop import CONTACT, FlightShop

SEARCHED_AT = "0.8713"
MOVED_TO = "0.51"
GUESTS = [{"firstName": name, "lastName": "Lovelace", "type": "adult"} for name in ("Ada", "Anne")]
LEAD = {"firstName": "Ada", "lastName": "Lovelace", **CONTACT}
RIDE = {
    "from": {"type": "IATA", "code": "PMI"},
    "to": {"type": "HOTEL", "code": "265"},
    "outbound": "2027-02-03T14:30:00",
    "adults": 2,
}
FLEXIBLE = {"refundable": True, "changeable": True}


class Journey(ABC):
    """One product, bought through the API. An offer is its handle and its price."""

    product: str

    def __init__(self, api: Api) -> None:
        self.api = api

    @abstractmethod
    def offers(self) -> list[tuple[str, int]]:
        """What a search finds, in euros: those that return something when cancelled."""

    @abstractmethod
    def book(self, handle: str, **more: Any) -> Reply: ...

    @abstractmethod
    def cancel(self, booking: Booking) -> Reply: ...


class Stay(Journey):
    product = "hotels"

    def offers(self) -> list[tuple[str, int]]:
        reply = self.api.post("/v1/hotels/searches", {})
        assert reply.status == 201, reply.body
        rates = [rate for hotel in reply.body["hotels"] for rate in hotel["rates"]]
        assert {rate["currency"] for rate in rates} <= {"EUR"}
        return [(rate["rateId"], rate["totalCents"]) for rate in rates if rate["refundable"]]

    def book(self, handle: str, **more: Any) -> Reply:
        body = {"rateId": handle, "guests": GUESTS, "contact": CONTACT, **more}
        return self.api.post("/v1/hotels/bookings", body)

    def cancel(self, booking: Booking) -> Reply:
        return self.api.post(f"/v1/hotels/bookings/{booking.id}/cancel", {})


class Flight(Journey):
    product = "flights"

    def offers(self) -> list[tuple[str, int]]:
        found = FlightShop(self.api).search()
        assert {offer["currency"] for offer in found} <= {"EUR"}
        kept = [offer for offer in found if offer["conditions"] == {**offer["conditions"], **FLEXIBLE}]
        return [(offer["offerId"], offer["totalCents"]) for offer in kept]

    def book(self, handle: str, **more: Any) -> Reply:
        return FlightShop(self.api).order({"offerId": handle}, **more)

    def cancel(self, booking: Booking) -> Reply:
        return FlightShop(self.api).cancel(booking.id)


class Ride(Journey):
    product = "transfers"

    def offers(self) -> list[tuple[str, int]]:
        reply = self.api.post("/v1/transfers/searches", {**RIDE, "vehicleClass": "comfort"})
        assert reply.status == 201, reply.body
        return [(offer["quoteId"], offer["totalCents"]) for offer in reply.body["offers"]]

    def book(self, handle: str, **more: Any) -> Reply:
        body = {"quoteId": handle, "leadPassenger": LEAD, "flightNumber": "ZZ417", **more}
        return self.api.post("/v1/transfers/orders", body)

    def cancel(self, booking: Booking) -> Reply:
        return self.api.post(f"/v1/transfers/orders/{booking.id}/cancel", {})


def store_rate(rate: str, quote: str = "EUR") -> None:
    ExchangeRate.objects.create(base="USD", quote=quote, rate=Decimal(rate), as_of=clock.today())
    forget_rates()


def booked(journey: Any) -> Booking:
    """The first offer, quoted at one rate and booked when another one is stored."""
    store_rate(SEARCHED_AT)
    handle, total = journey.offers()[0]
    store_rate(MOVED_TO)
    reply = journey.book(handle)
    assert (reply.status, reply.body["totalCents"], reply.body["currency"]) == (201, total, "EUR"), reply.body
    assert reply.body["exchange"] == the_rate_of_the_search()
    return Booking.objects.get(pk=reply.body["id"])


def the_rate_of_the_search() -> dict[str, str]:
    return {"base": "USD", "quote": "EUR", "rate": SEARCHED_AT, "asOf": clock.today().isoformat()}


def at_supplier(booking: Booking, suppliers: dict[str, Any]) -> Any:
    """The booking as the supplier holds it."""
    read = {"hotel": "read_booking", "flight": "read_order", "transfer": "read_order"}[booking.product]
    return getattr(suppliers[f"{booking.product}s"], read)(booking.supplier_reference)


def kept_rate(booking: Booking) -> Exchange:
    exchange = Exchange.read(booking.exchange)
    assert exchange is not None
    return exchange


def available(partner: Onboarded) -> int:
    settle_owed()
    balance = balance_of(partner.account.id, "live")
    assert balance.held_cents == 0
    return balance.available_cents
