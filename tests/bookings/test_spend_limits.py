"""The spend limits of a key, through the API and the one booking flow."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.models import Booking, Operation, OperationKind
from apps.common.errors import SpendLimitExceeded
from apps.gateway.requests import Caller
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.services import issue_key
from apps.ledger.models import LedgerTransaction, SpendLimit
from apps.ledger.spend_limits import Limits, set_spend_limits
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Rejected
from tests.bookings.books import funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once


def limit(key: ApiKey, **cents: int) -> None:
    set_spend_limits(key=key, limits=Limits(**cents))


def used(key: ApiKey) -> int:
    return SpendLimit.objects.get(key=key).day_cents


def test_a_booking_above_a_limit_is_402_and_nothing_is_held_or_asked(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, key: ApiKey
) -> None:
    offer = shop.offer()
    limit(key, per_booking_cents=offer["totalCents"] - 1)
    reply = shop.order(offer)
    assert (reply.status, reply.error_type) == (402, "spend_limit_exceeded")
    told = {name: reply.error[name] for name in ("limit", "limitCents", "usedCents", "resetsAt")}
    assert told == {
        "limit": "perBooking",
        "limitCents": offer["totalCents"] - 1,
        "usedCents": 0,
        "resetsAt": None,
    }
    assert (supplier.calls("book"), funds(onboarded)) == (0, (BALANCE_CENTS, 0))
    assert not Operation.objects.exists()


def test_the_limits_are_shown_to_the_key_that_has_them(api: Api, onboarded: Onboarded, key: ApiKey) -> None:
    limit(key, per_day_cents=5_000, per_month_cents=90_000)
    _, secret = issue_key(account=onboarded.account, environment="test", name="Other")
    assert api.get("/v1/account").body["limits"]["spend"] == {
        "perBookingCents": None,
        "perDayCents": 5_000,
        "perMonthCents": 90_000,
        "approvalAboveCents": None,
    }
    assert set(Api(secret).get("/v1/account").body["limits"]["spend"].values()) == {None}


def test_a_refused_booking_counts_no_longer_and_a_made_one_at_what_it_cost(
    shop: FlightShop, supplier: ScriptedFlights, key: ApiKey
) -> None:
    offer = shop.offer()
    limit(key, per_day_cents=offer["totalCents"])
    supplier.spoil("book", Rejected())
    assert shop.order(offer).status == 502
    assert used(key) == 0
    supplier.ask(80)
    reply = shop.order(offer)
    assert reply.status == 201
    assert used(key) == reply.body["totalCents"] < offer["totalCents"]


def test_a_dearer_price_above_the_limit_is_402_and_frees_what_was_held(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, key: ApiKey
) -> None:
    offer = shop.offer()
    limit(key, per_day_cents=offer["totalCents"])
    supplier.ask(110)
    reply = shop.order(offer, maxTotalCents=2 * offer["totalCents"])
    assert (reply.status, reply.error_type, reply.error["limit"]) == (402, "spend_limit_exceeded", "perDay")
    assert (latest().state, latest().failure) == ("failed", "SpendLimitExceeded")
    assert (used(key), funds(onboarded), supplier.calls("book")) == (0, (BALANCE_CENTS, 0), 0)


@pytest.mark.parametrize("kind", [OperationKind.CHANGE, OperationKind.SERVICES, OperationKind.PAY])
def test_whatever_else_holds_funds_is_limited_as_well(
    onboarded: Onboarded, key: ApiKey, kind: OperationKind
) -> None:
    caller = Caller(authentication.look_up(onboarded.test_secret), "req_1")
    limit(key, per_day_cents=1_000)

    def begin(cents: int) -> Operation:
        return reserve_modification(
            caller=caller,
            booking=a_booking(key),
            kind=kind,
            request={},
            amount_cents=cents,
            refuse=lambda booking: None,
        )

    begin(600)
    with pytest.raises(SpendLimitExceeded):
        begin(401)
    assert Operation.objects.count() == 1
    begin(400)
    assert (used(key), funds(onboarded)) == (1_000, (BALANCE_CENTS - 1_000, 1_000))


@pytest.mark.django_db(transaction=True)
def test_limits_cost_a_booking_no_statement(shop: FlightShop, key: ApiKey) -> None:
    def statements(call: Callable[[], object]) -> int:
        with CaptureQueriesContext(connection) as captured:
            call()
        return len(captured)

    shop.ordered()
    offers = [shop.offer(), shop.offer()]
    without = statements(partial(shop.ordered, offers[0]))
    limit(key, per_booking_cents=10**8, per_day_cents=10**8, per_month_cents=10**8)
    assert statements(partial(shop.ordered, offers[1])) == without


@pytest.mark.django_db(transaction=True)
def test_64_parallel_bookings_on_one_key_never_exceed_its_limit(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, key: ApiKey
) -> None:
    offer = shop.offer()
    price, most = offer["totalCents"], 10
    limit(key, per_day_cents=most * price + price - 1)
    calls = [partial(FlightShop(Api(onboarded.test_secret)).order, offer) for _ in range(64)]
    replies = Counter((reply.status, reply.error_type) for reply in all_at_once(calls))
    assert replies == {(201, None): most, (402, "spend_limit_exceeded"): 64 - most}
    assert used(key) == most * price
    lines = LedgerTransaction.objects.filter(key_id=key.pk, type="hold")
    assert -sum(lines.values_list("amount_cents", flat=True)) == most * price
    assert violations(supplier.report()) == []


@pytest.mark.django_db(transaction=True)
def test_parallel_changes_of_many_bookings_never_exceed_the_limit(onboarded: Onboarded, key: ApiKey) -> None:
    caller = Caller(authentication.look_up(onboarded.test_secret), "req_1")
    limit(key, per_day_cents=599)

    def begun(booking: Booking) -> bool:
        try:
            reserve_modification(
                caller=caller,
                booking=booking,
                kind=OperationKind.CHANGE,
                request={},
                amount_cents=100,
                refuse=lambda booking: None,
            )
        except SpendLimitExceeded:
            return False
        return True

    calls = [partial(begun, a_booking(key)) for _ in range(24)]
    assert Counter(all_at_once(calls)) == {True: 5, False: 19}
    assert (Operation.objects.count(), used(key), funds(onboarded)[1]) == (5, 500, 500)
