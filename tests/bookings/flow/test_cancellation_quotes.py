"""Cancellation quotes of the three products: what cancelling costs, promised, used once, and void when anything moves."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, CancellationQuote, Operation
from apps.bookings.tasks import forget_idempotency_records
from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.request_log.models import LoggedCall
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown
from apps.webhooks.models import Event
from tests.bookings.books import events, funds
from tests.bookings.conftest import BALANCE_CENTS
from tests.contract.goods import GUESTS, Goods
from tests.support.api import Api, Reply
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db

HOTEL, FLIGHT, TRANSFER = "hotels/bookings", "flights/orders", "transfers/orders"
PRODUCTS = (HOTEL, FLIGHT, TRANSFER)
EXPIRED, CONFLICT = (410, "offer_expired"), (409, "conflict")


@dataclass
class Counter:
    """Where bookings of all products are cancelled."""

    api: Api

    def sold(self, product: str) -> dict[str, Any]:
        goods = Goods(self.api)
        made = {HOTEL: "hotel_booking", FLIGHT: "flight_order", TRANSFER: "transfer_order"}[product]
        booking: dict[str, Any] = getattr(goods, made)
        return booking

    def ask(self, product: str, booking: dict[str, Any], body: object | None = None, **headers: str) -> Reply:
        return self.api.post(f"/v1/{product}/{booking['id']}/cancellation-quote", body, **headers)

    def quoted(self, product: str, booking: dict[str, Any]) -> dict[str, Any]:
        reply = self.ask(product, booking)
        assert reply.status == 200, reply.body
        return dict(reply.body)

    def cancel(self, product: str, booking: dict[str, Any], key: str | None = None, **body: Any) -> Reply:
        return self.api.post(f"/v1/{product}/{booking['id']}/cancel", body, key)

    def read(self, product: str, booking: dict[str, Any]) -> dict[str, Any]:
        return dict(self.api.get(f"/v1/{product}/{booking['id']}").body)


@pytest.fixture
def counter(api: Api) -> Counter:
    return Counter(api)


def refusal(reply: Reply) -> tuple[int, str | None]:
    return reply.status, reply.error_type


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_quote_says_what_the_terms_cost_now_and_the_cancellation_costs_that(
    counter: Counter, onboarded: Onboarded, product: str
) -> None:
    booking = counter.sold(product)
    settle_owed()
    booking = counter.read(product, booking)
    before, told = funds(onboarded), events()
    quote = counter.quoted(product, booking)
    (step, *_) = booking["cancellationSteps"]
    refund = booking["totalCents"] - step["penaltyCents"]
    assert quote == {
        "cancellationQuoteId": quote["cancellationQuoteId"],
        "penaltyCents": step["penaltyCents"],
        "refundCents": refund,
        "currency": "EUR",
        "refundTo": "balance" if refund else "none",
        "airlineCredits": [],
        "expiresAt": quote["expiresAt"],
    }
    assert quote["cancellationQuoteId"].startswith("cq_")
    assert timedelta() < at(quote["expiresAt"]) - clock.now() <= timedelta(minutes=20)
    assert (counter.read(product, booking), funds(onboarded), events()) == (booking, before, told)

    done = counter.cancel(product, booking, cancellationQuoteId=quote["cancellationQuoteId"])
    assert done.status == 200, done.body
    said = done.body["cancellation"]
    assert (said["penaltyCents"], said["refundCents"]) == (step["penaltyCents"], refund)
    settle_owed()
    assert funds(onboarded) == (BALANCE_CENTS - step["penaltyCents"], 0)
    assert ("payment.refunded" in events()) == (refund > 0)
    assert check_ledger() == []


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_quote_is_used_once_and_a_retry_is_answered_alike(counter: Counter, product: str) -> None:
    booking = counter.sold(product)
    quote = counter.quoted(product, booking)["cancellationQuoteId"]
    done = counter.cancel(product, booking, "cancel-with-quote", cancellationQuoteId=quote)
    again = counter.cancel(product, booking, "cancel-with-quote", cancellationQuoteId=quote)
    assert (done.status, again.status, again.body) == (200, 200, done.body)
    assert refusal(counter.cancel(product, booking, cancellationQuoteId=quote)) == CONFLICT
    assert refusal(counter.ask(product, booking)) == CONFLICT
    assert Operation.objects.filter(kind="cancel").count() == 1


@pytest.mark.parametrize("product", PRODUCTS)
def test_no_other_quote_than_the_newest_of_this_booking_cancels_it(
    counter: Counter, onboarded: Onboarded, product: str
) -> None:
    booking, other = counter.sold(product), counter.sold(FLIGHT)
    before = funds(onboarded)
    old = counter.quoted(product, booking)["cancellationQuoteId"]
    foreign = counter.quoted(FLIGHT, other)["cancellationQuoteId"]
    new = counter.quoted(product, booking)["cancellationQuoteId"]
    for quote in (old, foreign, "cq_unknown", "nonsense", f"{new}x"):
        assert refusal(counter.cancel(product, booking, cancellationQuoteId=quote)) == EXPIRED
    assert (counter.read(product, booking), funds(onboarded)) == (booking, before)
    assert Operation.objects.filter(kind="cancel").count() == 0
    assert counter.cancel(product, booking, cancellationQuoteId=new).status == 200


@pytest.mark.parametrize(
    ("product", "body", "field"),
    [
        *((product, {"cancellationQuoteId": 7}, "cancellationQuoteId") for product in PRODUCTS),
        *((product, {"cancellationQuoteId": ""}, "cancellationQuoteId") for product in PRODUCTS),
        (FLIGHT, {"acceptAirlineCredit": "yes"}, "acceptAirlineCredit"),
        (HOTEL, {"acceptAirlineCredit": True}, "acceptAirlineCredit"),
        (TRANSFER, {"acceptAirlineCredit": True}, "acceptAirlineCredit"),
    ],
)
def test_a_body_that_is_not_as_declared_cancels_nothing(
    counter: Counter, product: str, body: dict[str, Any], field: str
) -> None:
    booking = counter.sold(product)
    reply = counter.cancel(product, booking, **body)
    assert refusal(reply) == (400, "invalid_request")
    assert [detail["field"] for detail in reply.error["details"]] == [field]
    assert counter.read(product, booking) == booking


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_quote_takes_no_body_and_only_bookings_of_its_caller(counter: Counter, product: str) -> None:
    booking = counter.sold(product)
    assert refusal(counter.ask(product, booking, {"reason": "?"})) == (400, "invalid_request")
    assert refusal(counter.ask(product, {"id": "nobody"})) == (404, "not_found")
    failed = counter.ask(product, booking, X_Partner_Customer_Ref="sbx_supplier_error")
    assert refusal(failed) == (502, "upstream_error")
    assert CancellationQuote.objects.count() == 0


# --- Time ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("product", PRODUCTS)
def test_after_its_twenty_minutes_a_quote_is_void(counter: Counter, product: str) -> None:
    booking = counter.sold(product)
    quote = counter.quoted(product, booking)
    seconds = int((at(quote["expiresAt"]) - clock.now()).total_seconds())
    counter.api.post("/sandbox/clock", {"advanceSeconds": seconds - 30})
    expired = counter.quoted(product, booking)
    assert counter.api.post("/sandbox/clock", {"advanceSeconds": 1_201}).status == 200
    cancelled = counter.cancel(product, booking, cancellationQuoteId=expired["cancellationQuoteId"])
    assert refusal(cancelled) == EXPIRED
    assert counter.read(product, booking)["status"] in ("confirmed", "ticketed")
    new = counter.quoted(product, booking)["cancellationQuoteId"]
    assert counter.cancel(product, booking, cancellationQuoteId=new).status == 200


def sold_with_steps(counter: Counter, product: str) -> dict[str, Any]:
    """A booking whose terms will cost more at a later step."""
    if product != HOTEL:
        return counter.sold(product)
    hotels = counter.api.post("/v1/hotels/searches", {}).body["hotels"]
    rate = next(rate for hotel in hotels for rate in hotel["rates"] if ahead(rate))
    body = {"rateId": rate["rateId"], "guests": GUESTS, "contact": CONTACT}
    return dict(counter.api.post("/v1/hotels/bookings", body).body)


def ahead(booking: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps to come that cost more than the one in force."""
    now, *later = booking["cancellationSteps"]
    return [step for step in later if step["penaltyCents"] > now["penaltyCents"]]


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_quote_ends_with_the_step_of_the_terms_that_it_is_of(counter: Counter, product: str) -> None:
    booking = sold_with_steps(counter, product)
    steps = ahead(booking)
    assert steps, booking["cancellationSteps"]
    begins = at(steps[0]["from"])
    counter.api.post("/sandbox/clock", {"advanceSeconds": int((begins - clock.now()).total_seconds()) - 300})
    quote = counter.quoted(product, booking)
    assert at(quote["expiresAt"]) == begins
    assert quote["penaltyCents"] == booking["cancellationSteps"][0]["penaltyCents"]
    counter.api.post("/sandbox/clock", {"advanceSeconds": 301})
    cancelled = counter.cancel(product, booking, cancellationQuoteId=quote["cancellationQuoteId"])
    assert refusal(cancelled) == EXPIRED
    assert counter.quoted(product, booking)["penaltyCents"] == steps[0]["penaltyCents"]


def test_old_quotes_are_deleted(counter: Counter, move_clock: Callable[..., None]) -> None:
    counter.quoted(FLIGHT, counter.sold(FLIGHT))
    assert (forget_idempotency_records(), CancellationQuote.objects.count()) == (0, 1)
    move_clock(hours=25, minutes=1)
    forget_idempotency_records()
    assert CancellationQuote.objects.count() == 0


# --- What moves meanwhile ------------------------------------------------------------------------------------------------
def test_a_penalty_that_has_risen_since_cancels_nothing(
    shop: FlightShop, supplier: ScriptedFlights, counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = shop.ordered()
    quote = counter.quoted(FLIGHT, order)
    asked = supplier.simulator.quote_cancellation

    def risen(reference: str) -> Any:
        told = asked(reference)
        return type(told)(
            told.penalty_cents + 500, told.refund_cents - 500, told.currency, told.supplier_data
        )

    monkeypatch.setattr(supplier.simulator, "quote_cancellation", risen)
    body = {"cancellationQuoteId": quote["cancellationQuoteId"], "maxPenaltyCents": order["totalCents"]}
    reply = counter.cancel(FLIGHT, order, **body)
    assert (refusal(reply), reply.error["penaltyCents"]) == (CONFLICT, quote["penaltyCents"] + 500)
    assert (shop.read(order["id"]), supplier.calls("cancel")) == (order, 0)
    assert counter.quoted(FLIGHT, order)["penaltyCents"] == quote["penaltyCents"] + 500


@pytest.mark.parametrize("error", [Expired("stale"), NotPossible("cancelling costs more by now")])
def test_a_penalty_that_rises_at_the_last_moment_cancels_nothing(
    shop: FlightShop,
    supplier: ScriptedFlights,
    counter: Counter,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    order = shop.ordered()
    quote = counter.quoted(FLIGHT, order)
    supplier.spoil("cancel", error)
    asked = supplier.simulator.quote_cancellation
    rise = [0, 700]

    def rising(reference: str) -> Any:
        told, more = asked(reference), rise.pop(0)
        return type(told)(
            told.penalty_cents + more, told.refund_cents - more, told.currency, told.supplier_data
        )

    monkeypatch.setattr(supplier.simulator, "quote_cancellation", rising)
    reply = counter.cancel(FLIGHT, order, cancellationQuoteId=quote["cancellationQuoteId"])
    assert (refusal(reply), reply.error["penaltyCents"]) == (CONFLICT, quote["penaltyCents"] + 700)
    assert shop.read(order["id"])["status"] == "ticketed"


def test_a_penalty_that_has_fallen_since_is_what_it_costs(
    shop: FlightShop, supplier: ScriptedFlights, counter: Counter
) -> None:
    order = shop.ordered()
    quote = counter.quoted(FLIGHT, order)
    CancellationQuote.objects.update(penalty_cents=quote["penaltyCents"] + 100)
    done = counter.cancel(FLIGHT, order, cancellationQuoteId=quote["cancellationQuoteId"])
    assert done.body["cancellation"]["penaltyCents"] == quote["penaltyCents"]


def test_a_quote_is_of_the_booking_as_it_was_paid(shop: FlightShop, counter: Counter) -> None:
    order = shop.ordered()
    quote = counter.quoted(FLIGHT, order)["cancellationQuoteId"]
    assert shop.change(order["id"], shop.options(order)[-1]).status == 200
    changed = shop.read(order["id"])
    assert refusal(counter.cancel(FLIGHT, order, cancellationQuoteId=quote)) == EXPIRED
    assert shop.read(order["id"]) == changed


def test_what_the_partner_allows_holds_beside_a_quote(counter: Counter) -> None:
    order = counter.sold(FLIGHT)
    quote = counter.quoted(FLIGHT, order)
    body = {"cancellationQuoteId": quote["cancellationQuoteId"]}
    reply = counter.cancel(FLIGHT, order, **body, maxPenaltyCents=quote["penaltyCents"] - 1)
    assert (refusal(reply), reply.error["penaltyCents"]) == (CONFLICT, quote["penaltyCents"])
    assert counter.cancel(FLIGHT, order, **body, maxPenaltyCents=quote["penaltyCents"]).status == 200


def test_a_supplier_that_names_no_cost_gives_no_quote(
    shop: FlightShop, supplier: ScriptedFlights, counter: Counter
) -> None:
    order = shop.ordered()
    supplier.spoil("quote_cancellation", NotPossible("The airline does not say what it would refund."))
    assert refusal(counter.ask(FLIGHT, order)) == CONFLICT
    assert CancellationQuote.objects.count() == 0


def test_while_a_cancellation_is_open_there_is_no_quote(
    shop: FlightShop, supplier: ScriptedFlights, counter: Counter
) -> None:
    order = shop.ordered()
    quote = counter.quoted(FLIGHT, order)
    supplier.spoil("cancel", OutcomeUnknown())
    cancelled = counter.cancel(
        FLIGHT, order, "the-lost-one", cancellationQuoteId=quote["cancellationQuoteId"]
    )
    assert refusal(cancelled) == (503, "upstream_unavailable")
    reply = counter.ask(FLIGHT, order)
    assert (refusal(reply), reply.error["bookingId"]) == (CONFLICT, order["id"])


@pytest.mark.django_db(transaction=True)
def test_of_two_cancellations_with_the_same_quote_one_cancels(counter: Counter, onboarded: Onboarded) -> None:
    order = counter.sold(FLIGHT)
    quote = counter.quoted(FLIGHT, order)
    body = {"cancellationQuoteId": quote["cancellationQuoteId"]}
    replies = all_at_once([lambda: counter.cancel(FLIGHT, order, **body)] * 4)
    assert sorted(reply.status for reply in replies) == [200, 409, 409, 409]
    assert funds(onboarded) == (BALANCE_CENTS - quote["penaltyCents"], 0)
    assert Event.objects.filter(type="payment.refunded").count() == 1
    assert check_ledger() == []


# --- Airline credit, in the sandbox --------------------------------------------------------------------------------------
def credit_order(counter: Counter, passengers: int = 1) -> dict[str, Any]:
    """A refundable fare of the route whose airline refunds into credit."""
    body = {
        "origin": "LTN",
        "destination": "SYD",
        "departureDate": (clock.today() + timedelta(days=60)).isoformat(),
        "passengers": {"adults": passengers},
    }
    offers = counter.api.post("/v1/flights/searches", body).body["offers"]
    offer = next(one for one in offers if one["conditions"]["refundable"])
    people = [{**PASSENGER, "firstName": f"Ada{'b' * n}"} for n in range(passengers)]
    order = counter.api.post(
        "/v1/flights/orders",
        {
            "offerId": offer["offerId"],
            "passengers": people,
            "contact": CONTACT,
        },
    )
    assert order.status == 201, order.body
    return dict(order.body)


@pytest.mark.parametrize("with_quote", [True, False], ids=["with a quote", "without"])
def test_an_order_that_its_airline_refunds_into_credit(
    counter: Counter, onboarded: Onboarded, with_quote: bool
) -> None:
    order = credit_order(counter, passengers=3)
    total = order["totalCents"]
    refund = total - order["conditions"]["penaltyCents"]
    body: dict[str, Any] = {"acceptAirlineCredit": True}
    if with_quote:
        quote = counter.quoted(FLIGHT, order)
        assert (quote["penaltyCents"], quote["refundCents"], quote["refundTo"]) == (
            total,
            0,
            "airline_credit",
        )
        assert [one["passenger"] for one in quote["airlineCredits"]] == [0, 1, 2]
        assert sum(one["amountCents"] for one in quote["airlineCredits"]) == refund > 0
        assert [one["code"] for one in quote["airlineCredits"]] == [None] * 3
        body["cancellationQuoteId"] = quote["cancellationQuoteId"]
    for unaccepted in (
        {**body, "acceptAirlineCredit": False},
        {k: v for k, v in body.items() if k[0] == "c"},
    ):
        reply = counter.cancel(FLIGHT, order, **unaccepted)
        assert (refusal(reply), reply.error["refundTo"]) == (CONFLICT, "airline_credit")
    assert counter.read(FLIGHT, order) == order

    done = counter.cancel(FLIGHT, order, **body)
    assert (done.status, done.body["status"]) == (200, "cancelled")
    said = done.body["cancellation"]
    assert (said["penaltyCents"], said["refundCents"]) == (total, 0)
    kept = done.body["airlineCredits"]
    assert [(one["passenger"], one["currency"]) for one in kept] == [(0, "EUR"), (1, "EUR"), (2, "EUR")]
    assert sum(one["amountCents"] for one in kept) == refund
    assert len({one["code"] for one in kept}) == 3
    assert all(at(f"{one['expiresOn']}T00:00:00Z") > clock.now() + timedelta(days=300) for one in kept)
    assert funds(onboarded) == (BALANCE_CENTS - total, 0)
    assert sorted(events()) == ["airline_credit.issued", "booking.cancelled", "booking.confirmed"]
    codes = [one["code"] for one in kept]
    told = [event.payload for event in Event.objects.all()]
    assert told
    assert not [payload for payload in told for code in codes if code in payload]
    assert counter.read(FLIGHT, order)["airlineCredits"] == kept


def test_codes_of_credits_are_in_no_row_that_outlives_the_travellers_and_in_no_log(
    counter: Counter, caplog: pytest.LogCaptureFixture
) -> None:
    order = credit_order(counter)
    quote = counter.quoted(FLIGHT, order)["cancellationQuoteId"]
    done = counter.cancel(FLIGHT, order, cancellationQuoteId=quote, acceptAirlineCredit=True)
    (kept,) = done.body["airlineCredits"]
    assert str(kept["code"]) not in caplog.text
    rows = [
        *Booking.objects.values_list("details", "cancellation"),
        *Operation.objects.values_list("request", "prepared"),
        *CancellationQuote.objects.values_list("quote"),
        *LoggedCall.objects.values_list("request_body", "response_body"),
    ]
    assert rows
    assert kept["code"] not in str(rows)
