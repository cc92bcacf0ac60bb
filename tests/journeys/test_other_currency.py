"""A live key of an account in euros, and suppliers that charge dollars: search, book, change, cancel, while the rates move.

The rate of the search decides to the end. What the supplier holds, converted at it, is what the partner paid.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.bookings.services.polling import poll_suppliers
from apps.bookings.services.reconcile import settle_owed
from apps.bookings.services.recover import recover_due
from apps.common import clock
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers import registry as esim_registry
from apps.esim.suppliers.simulator.adapter import EsimSimulator
from apps.esim.suppliers.simulator.catalogue import plans
from apps.flights.suppliers import registry as flight_registry
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.hotels.suppliers import registry as hotel_registry
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.ledger.selectors import balance_of
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.currency.conversion import Exchange
from apps.suppliers.currency.models import ExchangeRate
from apps.suppliers.currency.rates import forget_rates
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.simulation.database_store import DatabaseStore
from apps.suppliers.simulation.market import Market
from apps.suppliers.vendors import Vendor
from apps.transfers.suppliers import registry as transfer_registry
from apps.transfers.suppliers.simulator.adapter import TransferSimulator
from tests.esim.shop import Shop
from tests.flights.desk import BALANCE_CENTS, a_partner
from tests.journeys.dollars import Dollars
from tests.support.api import Api, Reply
from tests.support.flight_shop import CONTACT, FlightShop

pytestmark = pytest.mark.django_db

SEARCHED_AT = "0.8713"
MOVED_TO = "0.51"
SIMULATORS: dict[str, tuple[Any, Any]] = {
    "hotels": (HotelSimulator, hotel_registry),
    "flights": (FlightSimulator, flight_registry),
    "transfers": (TransferSimulator, transfer_registry),
}
GUESTS = [{"firstName": name, "lastName": "Lovelace", "type": "adult"} for name in ("Ada", "Anne")]
LEAD = {"firstName": "Ada", "lastName": "Lovelace", **CONTACT}
RIDE = {
    "from": {"type": "IATA", "code": "PMI"},
    "to": {"type": "HOTEL", "code": "265"},
    "outbound": "2027-02-03T14:30:00",
    "adults": 2,
}


def store_rate(rate: str, quote: str = "EUR") -> None:
    ExchangeRate.objects.create(base="USD", quote=quote, rate=Decimal(rate), as_of=clock.today())
    forget_rates()


@pytest.fixture
def partner(db: None) -> Iterator[Onboarded]:
    """Whatever a test does with the money: at its end the ledger is exact."""
    yield a_partner()
    assert check_ledger() == []


@pytest.fixture
def api(partner: Onboarded) -> Api:
    assert partner.live_secret is not None
    return Api(partner.live_secret)


@pytest.fixture(autouse=True)
def suppliers(monkeypatch: pytest.MonkeyPatch, settings: Any) -> dict[str, Any]:
    """The simulators behind live keys, by product."""
    made: dict[str, Any] = {}
    for product, (simulator, registry) in SIMULATORS.items():
        made[product] = simulator(DatabaseStore(product))
        monkeypatch.setitem(
            registry.VENDORS, "dollars", Vendor("dollars", lambda product=product: Dollars(made[product]))
        )
    settings.SUPPLIERS = {product: {"live": "dollars"} for product in (*SIMULATORS, "esim")}
    return made


@dataclass
class Journey:
    """One product, bought through the API. An offer is its handle and its price."""

    api: Api

    def offers(self) -> list[tuple[str, int]]:
        """What a search finds, in euros: those that return something when cancelled."""
        raise NotImplementedError

    def book(self, handle: str, **more: Any) -> Reply:
        raise NotImplementedError

    def cancel(self, booking: Booking) -> Reply:
        raise NotImplementedError


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


FLEXIBLE = {"refundable": True, "changeable": True}


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


@pytest.fixture(params=[Stay, Flight, Ride], ids=lambda kind: kind.product)
def journey(request: pytest.FixtureRequest, api: Api) -> Any:
    return request.param(api)


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


def test_without_a_rate_there_is_no_offer(journey: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert journey.offers() == []
    assert [record.args for record in caplog.records if "no rate" in record.msg] == [("USD", "EUR", "USD")]


def test_the_opposite_rate_sells_nothing(journey: Any) -> None:
    ExchangeRate.objects.create(base="EUR", quote="USD", rate=Decimal("1.15"), as_of=clock.today())
    forget_rates()
    assert journey.offers() == []


def test_a_booking_keeps_the_rate_of_its_search(
    journey: Any, suppliers: dict[str, Any], partner: Onboarded
) -> None:
    booking = booked(journey)
    assert booking.exchange == the_rate_of_the_search()
    held = at_supplier(booking, suppliers)
    assert held.currency == "USD"
    assert kept_rate(booking).cents(held.total_cents) == booking.total_cents
    assert available(partner) == BALANCE_CENTS - booking.total_cents


def test_a_cancellation_counts_at_the_rate_of_the_booking(
    journey: Any, suppliers: dict[str, Any], partner: Onboarded
) -> None:
    booking = booked(journey)
    quote = suppliers[journey.product].quote_cancellation(booking.supplier_reference)
    reply = journey.cancel(booking)
    assert reply.status == 200, reply.body
    cancellation = reply.body["cancellation"]
    assert cancellation["penaltyCents"] == kept_rate(booking).cents(quote.penalty_cents)
    assert cancellation["penaltyCents"] + cancellation["refundCents"] == booking.total_cents
    assert cancellation["currency"] == "EUR"
    assert available(partner) == BALANCE_CENTS - cancellation["penaltyCents"]


def test_what_the_supplier_calls_off_comes_back_whole(
    journey: Any, suppliers: dict[str, Any], partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    booking = booked(journey)
    settle_owed()
    suppliers[journey.product].call_off(booking.supplier_reference)
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1
    booking.refresh_from_db()
    assert (booking.status, booking.cancellation["refundCents"]) == ("cancelled", booking.total_cents)
    assert available(partner) == BALANCE_CENTS


def test_a_dearer_price_is_told_at_the_rate_of_the_search(
    journey: Any, suppliers: dict[str, Any], partner: Onboarded
) -> None:
    store_rate(SEARCHED_AT)
    handle, total = journey.offers()[0]
    store_rate(MOVED_TO)
    suppliers[journey.product].market = Market(percent=120)
    reply = journey.book(handle)
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert (reply.error["previousTotalCents"], reply.error["currency"]) == (total, "EUR")
    now = reply.error["currentTotalCents"]
    assert available(partner) == BALANCE_CENTS
    store_rate(SEARCHED_AT)
    assert now == journey.offers()[0][1] > total
    store_rate(MOVED_TO)

    reply = journey.book(handle, maxTotalCents=now)
    assert (reply.status, reply.body["totalCents"]) == (201, now), reply.body
    assert available(partner) == BALANCE_CENTS - now


def test_a_lost_answer_is_found_at_the_rate_of_the_search(
    journey: Any,
    suppliers: dict[str, Any],
    partner: Onboarded,
    move_clock: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    simulator = suppliers[journey.product]
    book = simulator.book

    def lose(request: Any) -> None:
        book(request)
        raise OutcomeUnknown

    store_rate(SEARCHED_AT)
    handle, total = journey.offers()[0]
    store_rate(MOVED_TO)
    monkeypatch.setattr(simulator, "book", lose)
    assert journey.book(handle).status == 503
    move_clock(minutes=3)
    assert recover_due() == 1
    booking = Booking.objects.get()
    assert (booking.status != "pending", booking.total_cents) == (True, total)
    assert available(partner) == BALANCE_CENTS - total


def test_a_booking_of_a_supplier_in_the_accounts_currency_shows_no_rate(partner: Onboarded) -> None:
    reply = Flight(Api(partner.test_secret)).book(Flight(Api(partner.test_secret)).offers()[0][0])
    assert (reply.status, "exchange" in reply.body) == (201, False)


def test_an_offer_is_repriced_at_the_rate_of_its_search(api: Api, suppliers: dict[str, Any]) -> None:
    journey = Flight(api)
    store_rate(SEARCHED_AT)
    handle, total = journey.offers()[0]
    store_rate(MOVED_TO)
    reply = api.get(f"/v1/flights/offers/{handle}")
    assert (reply.body["totalCents"], reply.body["priceChanged"]) == (total, False)
    suppliers["flights"].market = Market(percent=120)
    reply = api.get(f"/v1/flights/offers/{handle}")
    now = reply.body["totalCents"]
    assert (reply.body["previousTotalCents"], reply.body["priceChanged"]) == (total, True)
    assert abs(now - total * 6 // 5) <= 10  # the simulator rounds each part of a price
    reply = journey.book(handle)  # it is the quoted price from here on
    assert (reply.status, reply.body["totalCents"]) == (201, now), reply.body


@pytest.mark.parametrize("which", [0, -1], ids=["cheaper", "dearer"])
def test_a_flight_is_changed_and_cancelled_at_the_rate_of_its_search(
    api: Api, suppliers: dict[str, Any], partner: Onboarded, which: int
) -> None:
    booking = booked(Flight(api))
    shop = FlightShop(api)
    option = shop.options(shop.read(booking.id))[which]
    assert (option["differenceCents"] > 0) == (which == -1)
    assert booking.total_cents + option["differenceCents"] == option["newTotalCents"]
    assert option["currency"] == "EUR"

    store_rate("0.3")
    reply = shop.change(booking.id, option)
    assert (reply.status, reply.body["order"]["totalCents"]) == (200, option["newTotalCents"]), reply.body
    held = at_supplier(booking, suppliers)
    assert kept_rate(booking).cents(held.total_cents) == option["newTotalCents"]
    assert available(partner) == BALANCE_CENTS - option["newTotalCents"]

    cancellation = shop.cancel(booking.id).body["cancellation"]
    assert cancellation["penaltyCents"] + cancellation["refundCents"] == option["newTotalCents"]
    assert available(partner) == BALANCE_CENTS - cancellation["penaltyCents"]


def test_a_limit_of_a_search_counts_in_the_accounts_currency(api: Api) -> None:
    store_rate("10")
    dearest = max(total for _, total in Stay(api).offers())
    reply = api.post("/v1/hotels/searches", {"maxTotalCents": dearest // 2})
    totals = [rate["totalCents"] for hotel in reply.body["hotels"] for rate in hotel["rates"]]
    assert totals == [total for total in totals if total <= dearest // 2]


def test_what_is_paid_at_the_hotel_stays_in_the_hotels_currency(api: Api, partner: Onboarded) -> None:
    store_rate(SEARCHED_AT)

    def local_charges(key: Api) -> list[Any]:
        hotels = key.post("/v1/hotels/searches", {"destination": {"countryCode": "US"}}).body["hotels"]
        return [rate["payAtHotel"] for hotel in hotels for rate in hotel["rates"]]

    assert any(local_charges(api))
    assert local_charges(api) == local_charges(Api(partner.test_secret))


@pytest.fixture
def esim(monkeypatch: pytest.MonkeyPatch) -> EsimSimulator:
    """An eSIM supplier of a few plans for live keys; the catalogue is synced."""
    sold = [plan for name, plan in plans().items() if name.startswith("sim-pt-")]
    shop = Shop(*sold)
    monkeypatch.setitem(esim_registry.VENDORS, "dollars", Vendor("dollars", lambda: shop))
    sync_environment("live")
    return shop.simulator


def plans_listed(api: Api) -> list[dict[str, Any]]:
    reply = api.get("/v1/esim/plans")
    assert reply.body["total"] == len(reply.body["data"])
    found: list[dict[str, Any]] = reply.body["data"]
    return found


def test_a_plan_is_listed_and_ordered_at_the_rate_of_the_day(
    api: Api, esim: EsimSimulator, partner: Onboarded
) -> None:
    assert plans_listed(api) == []
    store_rate(SEARCHED_AT)
    plan = plans_listed(api)[0]
    assert plan["currency"] == "EUR"
    reply = api.post("/v1/esim/orders", {"planId": plan["id"], "maxTotalCents": plan["priceCents"]})
    assert (reply.status, reply.body["totalCents"]) == (201, plan["priceCents"]), reply.body
    booking = Booking.objects.get()
    held = esim.read_order(booking.supplier_reference)
    assert kept_rate(booking).cents(held.price_cents) == plan["priceCents"]
    assert available(partner) == BALANCE_CENTS - plan["priceCents"]


def test_a_plan_whose_rate_rose_since_it_was_listed_is_refused_by_the_limit(
    api: Api, esim: EsimSimulator
) -> None:
    store_rate(SEARCHED_AT)
    plan = plans_listed(api)[0]
    store_rate("0.99")
    body = {"planId": plan["id"], "maxTotalCents": plan["priceCents"]}
    reply = api.post("/v1/esim/orders", body)
    assert (reply.status, reply.error_type) == (409, "price_changed")
    now = plans_listed(api)[0]["priceCents"]
    assert (reply.error["currentTotalCents"], now > plan["priceCents"]) == (now, True)


def test_a_dearer_plan_is_told_at_the_rate_of_the_order(
    api: Api, esim: EsimSimulator, partner: Onboarded
) -> None:
    store_rate(SEARCHED_AT)
    plan = plans_listed(api)[0]
    esim.market = Market(percent=200)
    reply = api.post("/v1/esim/orders", {"planId": plan["id"]})
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["currentTotalCents"] == plans_listed(api)[0]["priceCents"]
    assert available(partner) == BALANCE_CENTS
