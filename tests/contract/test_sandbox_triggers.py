"""Trigger × operation (contract §3): fires where it applies, is reported as ignored elsewhere, does nothing to live keys."""

import time

import pytest
from django.test import override_settings

from apps.gateway.sandbox import TRIGGERS
from apps.keys.scopes import GRANTABLE
from apps.ledger.models import Wallet
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.support.operations import partner_operations

pytestmark = pytest.mark.django_db

HANDLE, PRICE, FUNDS, PAYMENT, SUPPLIER, SLOW, MOVED, ALTERED, PENDING = TRIGGERS
BOOKING = {HANDLE, PRICE, FUNDS, PAYMENT, SUPPLIER, SLOW}

APPLIES: dict[str, set[str]] = {
    "searchHotels": {SUPPLIER, SLOW},
    "searchHotelMinRates": {SUPPLIER, SLOW},
    "searchFlights": {SUPPLIER, SLOW},
    "searchTransfers": {SUPPLIER, SLOW},
    "getHotelRate": {HANDLE},
    "repriceFlightOffer": {HANDLE, SUPPLIER, SLOW},
    "listFlightOfferServices": {HANDLE, SUPPLIER, SLOW},
    "getFlightOfferSeatMaps": {HANDLE, SUPPLIER, SLOW},
    "listFlightOrderServices": {SUPPLIER, SLOW},
    "addFlightOrderServices": BOOKING,
    "createHotelBooking": BOOKING | {ALTERED, PENDING},
    "createFlightOrder": BOOKING | {MOVED, PENDING},
    "createTransferOrder": BOOKING | {ALTERED, PENDING},
    "createEsimOrder": BOOKING - {HANDLE} | {PENDING},
    "changeFlightOrder": BOOKING,
    "payFlightOrder": BOOKING,
    "listFlightChangeOptions": {SUPPLIER, SLOW},
    "cancelHotelBooking": {SUPPLIER, SLOW},
    "quoteHotelCancellation": {SUPPLIER, SLOW},
    "correctHotelGuest": {SUPPLIER, SLOW, PENDING},
    "requestEsimRefund": {SUPPLIER, SLOW, PENDING},
    "findHotelChangeOptions": {SUPPLIER, SLOW},
    "changeHotelBooking": BOOKING,
    "cancelFlightOrder": {SUPPLIER, SLOW},
    "quoteFlightCancellation": {SUPPLIER, SLOW},
    "acceptFlightScheduleChange": {SUPPLIER, SLOW},
    "cancelTransferOrder": {SUPPLIER, SLOW},
    "quoteTransferCancellation": {SUPPLIER, SLOW},
    "getEsimUsage": {SUPPLIER, SLOW},
    "getEsimInstructions": {SUPPLIER, SLOW},
    "listEsimTopUpPlans": {SUPPLIER, SLOW},
    "createEsimTopUp": BOOKING - {HANDLE} | {PENDING},
}
"""Everywhere else every trigger is ignored."""

FIRED = {
    HANDLE: (410, "offer_expired"),
    PRICE: (409, "price_changed"),
    FUNDS: (402, "insufficient_funds"),
    PAYMENT: (402, "payment_failed"),
    SUPPLIER: (502, "upstream_error"),
}
EXTRAS = {
    PRICE: {"previousTotalCents", "currentTotalCents", "currency"},
    FUNDS: {"availableCents", "requiredCents", "currency"},
}
SUCCESS = {200, 201, 202, 204}
ONCE_ONLY = {
    "acceptFlightScheduleChange",
    "addFlightOrderServices",
    "cancelFlightOrder",
    "cancelHotelBooking",
    "cancelTransferOrder",
    "changeFlightOrder",
    "correctHotelGuest",
    "changeHotelBooking",
    "deleteWebhookEndpoint",
    "payFlightOrder",
    "requestEsimRefund",
    "resendWebhookDelivery",
    "rotateWebhookSecret",
}
"""What cannot be done twice to the same thing."""
OPERATIONS = [operation.route.id for operation in partner_operations()]


@pytest.fixture
def goods() -> Goods:
    return Goods(api_of_new_partner(cents=1_000_000, scopes=GRANTABLE))


@pytest.mark.parametrize(
    ("operation_id", "trigger"),
    [(name, trigger) for name in APPLIES for trigger in FIRED if trigger in APPLIES[name]],
)
def test_a_trigger_that_applies_makes_its_failure_happen_and_moves_nothing(
    operation_id: str, trigger: str, goods: Goods
):
    goods.request(operation_id)
    before = list(Wallet.objects.values("balance_cents", "held_cents"))

    reply = goods.call(operation_id, X_Partner_Customer_Ref=trigger)

    if (operation_id, trigger) == ("getEsimUsage", SUPPLIER):
        assert (reply.status, reply.body["status"]) == (200, None)
    else:
        assert (reply.status, reply.error_type) == FIRED[trigger]
        assert EXTRAS.get(trigger, set()) <= set(reply.error)
    assert reply.headers["X-Sandbox-Trigger"] == trigger
    assert "X-Sandbox-Trigger-Ignored" not in reply.headers
    assert list(Wallet.objects.values("balance_cents", "held_cents")) == before
    # ... and the same call without it succeeds.
    assert goods.call(operation_id).status in SUCCESS


# Every trigger means something where money changes hands; the other operations ignore some.
@pytest.mark.parametrize(
    "operation_id", [name for name in OPERATIONS if set(TRIGGERS) - set(APPLIES.get(name, ()))]
)
def test_elsewhere_the_call_proceeds_and_says_that_it_ignored_the_trigger(operation_id: str, goods: Goods):
    elsewhere = [trigger for trigger in TRIGGERS if trigger not in APPLIES.get(operation_id, ())]
    assert elsewhere
    for trigger in elsewhere:
        if operation_id in ONCE_ONLY:
            goods = Goods(goods.api)
        reply = goods.call(operation_id, X_Partner_Customer_Ref=trigger)

        assert reply.status in SUCCESS, reply.body
        assert reply.headers["X-Sandbox-Trigger-Ignored"] == trigger
        assert "X-Sandbox-Trigger" not in reply.headers


@pytest.mark.parametrize("operation_id", [name for name in APPLIES if SLOW in APPLIES[name]])
def test_a_slow_supplier_answers_late_and_as_usual(operation_id: str, goods: Goods):
    goods.request(operation_id)
    with override_settings(SANDBOX_SLOW_SECONDS=0.2):
        began = time.monotonic()
        reply = goods.call(operation_id, X_Partner_Customer_Ref=SLOW)

    assert time.monotonic() - began >= 0.2
    assert reply.status in SUCCESS, reply.body
    assert reply.headers["X-Sandbox-Trigger"] == SLOW


@pytest.mark.parametrize(
    ("operation_id", "trigger"),
    [
        (name, trigger)
        for name in APPLIES
        for trigger in (MOVED, ALTERED, PENDING)
        if trigger in APPLIES[name]
    ],
)
def test_a_change_afterwards_lets_the_call_succeed(operation_id: str, trigger: str, goods: Goods):
    reply = goods.call(operation_id, X_Partner_Customer_Ref=trigger)

    assert reply.status in {201, 202}, reply.body
    assert reply.headers["X-Sandbox-Trigger"] == trigger


@pytest.mark.parametrize("operation_id", ["searchFlights", "createFlightOrder", "getAccount"])
@pytest.mark.parametrize("value", [*TRIGGERS, "sbx_nonsense"])
def test_live_keys_are_unaffected(operation_id: str, value: str):
    goods = Goods(api_of_new_partner(cents=1_000_000, scopes=GRANTABLE, environment="live"))
    with override_settings(SANDBOX_SLOW_SECONDS=30):
        reply = goods.call(operation_id, X_Partner_Customer_Ref=value)

    assert reply.status in {200, 201}
    assert {name for name in reply.headers if name.startswith("X-Sandbox")} == set()


@pytest.mark.parametrize("value", ["partner-ref-1", "SBX_slow", "sb", "", "x_sbx_slow"])
def test_any_other_value_is_the_partners_own_affair(value: str, goods: Goods):
    reply = goods.call("searchFlights", X_Partner_Customer_Ref=value)

    assert reply.status == 201
    assert {name for name in reply.headers if name.startswith("X-Sandbox")} == set()


def test_a_replay_does_not_repeat_the_triggers_header(goods: Goods):
    headers = {"Idempotency_Key": "replayed-trigger", "X_Partner_Customer_Ref": FUNDS}
    first, second = (goods.call("createFlightOrder", **headers) for _ in range(2))

    assert (first.status, second.status) == (402, 402)
    assert first.headers["X-Sandbox-Trigger"] == FUNDS
    assert second.headers["Idempotent-Replayed"] == "true"
    assert "X-Sandbox-Trigger" not in second.headers


def test_the_table_speaks_of_operations_that_exist():
    assert set(APPLIES) <= set(OPERATIONS)
    declared = {op.route.id: set(op.route.triggers) for op in partner_operations() if op.route.triggers}
    assert declared == APPLIES
