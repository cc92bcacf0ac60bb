"""All four products in an account of one currency: booked, changed, refused, cancelled before and after they began."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Sum

from apps.accounts.sandboxes import sandboxes_of
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.handlers import cancel_handler_for
from apps.bookings.models import Booking
from apps.bookings.trade_rules import Service
from apps.ledger.models import Hold, LedgerEntry, LedgerTransaction, Wallet
from apps.onboarding.partners import Onboarded
from tests.flights.desk import ADA, BYRON, Desk
from tests.hotels.front_desk import BYRON as GUEST_OF_SEVEN
from tests.hotels.front_desk import FrontDesk
from tests.hotels.front_desk import rates as rates_of
from tests.support.api import Api, Reply
from tests.support.flight_shop import order_body
from tests.transfers import agency

pytestmark = pytest.mark.django_db

LISBON = {"destination": {"city": "Lisbon", "countryCode": "PT"}}
PATHS = {"hotel": "/v1/hotels/bookings", "flight": "/v1/flights/orders", "transfer": "/v1/transfers/orders"}
BOOKED, DONE = 201, 200
TRIGGERS = {
    "sbx_offer_expired": (410, "offer_expired"),
    "sbx_price_changed": (409, "price_changed"),
    "sbx_insufficient_funds": (402, "insufficient_funds"),
    "sbx_payment_failed": (402, "payment_failed"),
    "sbx_supplier_error": (502, "upstream_error"),
}


@dataclass
class Run:
    """A partner that books everything, and the service's background work."""

    partner: Onboarded
    api: Api
    refused: set[str] = field(default_factory=set)

    @property
    def now(self) -> datetime:
        return datetime.fromisoformat(self.api.get("/sandbox/clock").body["now"])

    def day(self, ahead: int) -> str:
        return (self.now + timedelta(days=ahead)).date().isoformat()

    def move(self, **delta: float) -> None:
        seconds = int(timedelta(**delta).total_seconds())
        assert self.api.post("/sandbox/clock", {"advanceSeconds": seconds}).status == DONE
        self.work()

    def work(self) -> None:
        settle_owed()
        recover_due()
        poll_suppliers()
        settle_owed()
        self.balance()

    def refuse(self, reply: Reply, status: int, error_type: str) -> None:
        assert (reply.status, reply.error_type) == (status, error_type), reply.body
        self.refused.add(error_type)

    def cancel(self, booking: dict[str, Any], **body: Any) -> Reply:
        product = {"h": "hotel", "f": "flight", "t": "transfer"}[booking["id"][0]]
        return self.api.post(f"{PATHS[product]}/{booking['id']}/cancel", body)

    def balance(self) -> None:
        """The check finds nothing, every wallet equals its entries, and every booking cost what its answer says."""
        out = StringIO()
        call_command("check_ledger", stdout=out)
        assert out.getvalue() == "The ledger balances: no difference.\n"
        for wallet in Wallet.objects.all():
            entries = LedgerEntry.objects.filter(transaction__wallet=wallet)
            sums = {
                each["bucket"]: each["cents"]
                for each in entries.values("bucket").annotate(cents=Sum("amount_cents"))
            }
            assert (wallet.available_cents, wallet.held_cents) == (
                sums.get("available", 0),
                sums.get("held", 0),
            )
            assert set(entries.values_list("currency", flat=True)) == {wallet.currency}

    def settle(self) -> None:
        """Nothing is held, and each booking has cost its total less what came back."""
        self.work()
        assert not Hold.objects.filter(status="open").exists()
        lines = LedgerTransaction.objects.exclude(booking_reference=None)
        costs = lines.values("booking_reference").annotate(cents=Sum("amount_cents"))
        paid = {each["booking_reference"]: -each["cents"] for each in costs}
        for booking in Booking.objects.all():
            back = (booking.cancellation or {}).get("refundCents", 0)
            due = 0 if booking.status == "failed" else booking.total_cents - back
            assert paid.get(booking.reference, 0) == due, (
                booking.product,
                booking.status,
                booking.cancellation,
            )


@pytest.fixture(params=["EUR", "JPY", "KWD"])
def run(request: pytest.FixtureRequest, db: None) -> Run:
    partner = agency.a_partner(currency=request.param, balance_cents=10**9)
    return Run(partner, Api(partner.test_secret))


@pytest.mark.slow
def test_the_books_balance_after_all_that_can_happen(run: Run) -> None:
    flights(run)
    standing = [*stays(run), *rides(run), *journeys(run)]
    esims(run)
    run.work()
    partial = cancel_at_their_steps(run, standing)
    assert partial >= {"h", "f", "t"}
    begun(run)
    examples(run)
    run.settle()
    until_the_money_is_gone(run)
    run.settle()
    assert run.refused >= {
        "offer_expired",
        "price_changed",
        "insufficient_funds",
        "payment_failed",
        "upstream_error",
        "conflict",
        "invalid_request",
    }


def flights(run: Run) -> None:
    """Changed in both directions, refused, changed too late."""
    desk = Desk(run.api)
    found = desk.searched(departureDate=run.day(30))["offers"]
    offer = next(one for one in found if one["conditions"]["refundable"] and one["conditions"]["changeable"])
    for trigger, expected in TRIGGERS.items():
        run.refuse(desk.order(offer, X_Partner_Customer_Ref=trigger), *expected)
    run.refuse(desk.order(offer, maxTotalCents=offer["totalCents"] - 1), 409, "price_changed")
    order = desk.ordered(offer)
    seen = set()
    for days in range(20, 300, 20):
        options = options_of(run, order, days)
        for option in (options[0], options[-1]):
            sign = (option["differenceCents"] > 0) - (option["differenceCents"] < 0)
            if sign in seen:
                continue
            seen.add(sign)
            changed = desk.confirm(order, option)
            assert (changed.status, changed.body["settled"]) == (DONE, sign >= 0)
            run.work()
            order = desk.read(order["id"])
            assert order["totalCents"] == option["newTotalCents"]
            break
        if seen >= {-1, 1}:
            break
    assert seen >= {-1, 1}
    stale = options_of(run, order, 45)[0]
    run.move(minutes=21)
    run.refuse(desk.confirm(order, stale), 410, "offer_expired")
    run.refuse(desk.order(offer), 410, "offer_expired")
    assert run.cancel(order).status == DONE
    run.refuse(run.cancel(order), 409, "conflict")


def options_of(run: Run, order: dict[str, Any], days: int) -> list[dict[str, Any]]:
    leg = order["slices"][0]
    added = {"origin": leg["origin"], "destination": leg["destination"], "departureDate": run.day(days)}
    body = {"removeSliceId": leg["sliceId"], "add": added}
    reply = run.api.post(f"/v1/flights/orders/{order['id']}/change-options", body)
    assert reply.status == DONE, reply.body
    return sorted(reply.body["options"], key=lambda option: int(option["differenceCents"]))


def journeys(run: Run) -> list[dict[str, Any]]:
    desk = Desk(run.api)
    found = desk.searched(departureDate=run.day(30), returnDate=run.day(36))["offers"]
    found.sort(key=lambda offer: not offer["conditions"]["refundable"])
    return [desk.ordered(offer) for offer in [*found[:3], *found[-2:]]]


def stays(run: Run) -> list[dict[str, Any]]:
    desk = FrontDesk(run.api)
    body = {**LISBON, "checkIn": run.day(30), "checkOut": run.day(33)}
    rates = list(rates_of(desk.hotels(body)))
    for trigger, expected in TRIGGERS.items():
        run.refuse(desk.book(rates[0], X_Partner_Customer_Ref=trigger), *expected)
    run.refuse(desk.book(rates[0], guests=[GUEST_OF_SEVEN]), 400, "invalid_request")
    run.refuse(desk.book("rate_unknown"), 410, "offer_expired")
    booked = [desk.booked(rate) for rate in rates[:6]]
    dear = next(one for one in booked if one["cancellationSteps"][0]["penaltyCents"] > 0)
    run.refuse(run.cancel(dear, maxPenaltyCents=0), 409, "conflict")
    return booked


def rides(run: Run) -> list[dict[str, Any]]:
    found = agency.search(run.api, outbound=f"{run.day(30)}T10:00:00")["offers"]
    for trigger, expected in TRIGGERS.items():
        run.refuse(agency.order(run.api, found[0]["quoteId"], ref=trigger), *expected)
    orders = [agency.order(run.api, offer["quoteId"]).body for offer in found]
    run.refuse(run.cancel(orders[-1], maxPenaltyCents=-1), 400, "invalid_request")
    return orders


def esims(run: Run) -> None:
    plan = run.api.get("/v1/esim/plans").body["data"][0]
    wanted = {"planId": plan["id"], "externalReference": "one"}
    for trigger, expected in TRIGGERS.items():
        if trigger != "sbx_offer_expired":
            run.refuse(run.api.post("/v1/esim/orders", wanted, X_Partner_Customer_Ref=trigger), *expected)
    order = run.api.post("/v1/esim/orders", wanted)
    again = run.api.post("/v1/esim/orders", wanted)
    assert (order.status, again.status, again.body["id"]) == (BOOKED, DONE, order.body["id"])
    top_ups = run.api.get(f"/v1/esim/orders/{order.body['id']}/topups").body["plans"]
    added = run.api.post(f"/v1/esim/orders/{order.body['id']}/topups", {"planId": top_ups[0]["id"]})
    assert added.status == BOOKED


def cancel_at_their_steps(run: Run, standing: list[dict[str, Any]]) -> set[str]:
    """Move along the steps of all bookings, and cancel each in the first that costs a part. Returns their products."""
    steps = sorted({step["from"] for one in standing for step in one["cancellationSteps"] or ()})
    partial, open_ = set(), {one["id"]: one for one in standing}
    for instant in [run.now.isoformat(), *steps]:
        wait = (datetime.fromisoformat(instant) - run.now).total_seconds()
        if wait > 0:
            run.move(seconds=int(wait) + 1)
        for one in list(open_.values()):
            costs = [
                step
                for step in one["cancellationSteps"] or ()
                if datetime.fromisoformat(step["from"]) <= run.now
            ]
            if costs and 0 < costs[-1]["penaltyCents"] < one["totalCents"]:
                reply = run.cancel(open_.pop(one["id"]))
                assert (reply.status, reply.body["cancellation"]["penaltyCents"]) == (
                    DONE,
                    costs[-1]["penaltyCents"],
                )
                partial.add(one["id"][0])
        run.balance()
    return partial


def begun(run: Run) -> None:
    """Bookings of all kinds, cancelled while they run and after they are over."""
    standing = [*stays(run), *rides(run), *journeys(run)]
    run.work()
    run.move(days=30, hours=20)
    for one in standing[::2]:
        service = service_of(one)
        reply = run.cancel(one)
        if service.is_over(run.now):
            assert (reply.status, reply.error_type) == (409, "conflict")
            continue
        refund = reply.body["cancellation"]["refundCents"]
        assert reply.status == DONE
        assert refund == 0 or not service.has_begun(run.now)
    run.move(days=20)
    for one in standing:
        run.refuse(run.cancel(one), 409, "conflict")
    run.work()


def service_of(booked: dict[str, Any]) -> Service:
    booking = Booking.objects.get(pk=booked["id"])
    handler = cancel_handler_for(booking)
    assert handler is not None
    return handler.service(booking)


def examples(run: Run) -> None:
    """What must not be sold is not sold."""
    desk, hotels = Desk(run.api), FrontDesk(run.api)
    for days in (-1, 0):
        search = desk.ask({"origin": "LHR", "destination": "JFK", "departureDate": run.day(days)}).body
        assert search["withheld"]["noLongerSold"] > 0 or days == 0
        leave = [datetime.fromisoformat(offer["slices"][0]["departureAt"]) for offer in search["offers"]]
        assert all(at > run.now for at in leave)
        assert days == 0 or not leave
    offer = desk.searched(departureDate=run.day(30))["offers"][0]
    for born, kind in ((run.day(0), "adult"), (run.day(-5 * 365), "adult"), ("1950-01-01", "infant")):
        passenger = {**ADA, "dateOfBirth": born, "type": kind}
        run.refuse(
            run.api.post("/v1/flights/orders", order_body(offer, passengers=[passenger])),
            400,
            "invalid_request",
        )
    run.refuse(
        run.api.post("/v1/flights/orders", order_body(offer, passengers=[BYRON])), 400, "invalid_request"
    )
    with_child = {
        **LISBON,
        "rooms": [{"adults": 1, "childrenAges": [0]}],
        "checkIn": run.day(30),
        "checkOut": run.day(31),
    }
    rate = next(rates_of(hotels.hotels(with_child)))
    child = {**GUEST_OF_SEVEN, "age": 17}
    guests = [{"firstName": "Ada", "lastName": "Byron", "type": "adult"}, child]
    run.refuse(hotels.book(rate, guests=guests), 400, "invalid_request")
    far = run.api.post(
        "/v1/transfers/searches",
        {
            **agency.SEARCH,
            "from": {"type": "IATA", "code": "LHR"},
            "to": {"type": "IATA", "code": "JFK"},
            "outbound": f"{run.day(5)}T10:00",
        },
    )
    assert (far.status, far.body["offers"], far.headers["X-Search-Billable"]) == (BOOKED, [], "false")
    run.work()


def until_the_money_is_gone(run: Run) -> None:
    """After a reset: what the opening balance does not cover gets 402, and is booked after funds were added."""
    assert run.api.post("/sandbox/reset").status == DONE
    stored = sandboxes_of(run.partner.account.pk)[0].account_id
    desk = Desk(run.api)
    offer = desk.searched(departureDate=run.day(30))["offers"][0]
    wallet = Wallet.objects.get(account=stored)
    times = wallet.available_cents // offer["totalCents"]
    for _ in range(min(times, 3)):
        assert desk.order(offer).status == BOOKED
    if times <= 3:
        run.refuse(desk.order(offer), 402, "insufficient_funds")
    funds = {"amountCents": offer["totalCents"]}
    assert run.api.post("/sandbox/funds", funds).status == DONE
    assert desk.order(offer).status == BOOKED
