"""What X-Partner-Customer-Ref may say: one of the triggers, or something that was not meant to be one."""

import pytest

from apps.common.errors import (
    GatewayError,
    InsufficientFunds,
    InvalidRequest,
    OfferExpired,
    PaymentFailed,
    PriceChanged,
)
from apps.gateway import sandbox
from apps.gateway.sandbox import (
    AT_HANDLE,
    INSUFFICIENT_FUNDS,
    OFFER_EXPIRED,
    PAYMENT_FAILED,
    PRICE_CHANGED,
    TRIGGERS,
    Trigger,
)
from tests.factories.gateway import api_of_new_partner

SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}

EVERYWHERE = frozenset(TRIGGERS)
MISSPELT = [
    *("sbx_", "sbx_é", "sbx_\xc3\xa9", "sbx_slow\xa0", "sbx_slow!", "sbx_slow,sbx_slow", "sbx_slow;q=1"),
    *("sbx_ slow", "\xa0sbx_slow", "\x85sbx_slow", "\u2003sbx_slow", "\ufeffsbx_slow", "sbx_slow\x00"),
    *("sbx_ſlow", "sbx_slow\tx", "sbx_" + "a" * 8_000),
]


@pytest.mark.parametrize("value", [*TRIGGERS, *(f" \t{trigger}\t " for trigger in TRIGGERS)])
def test_these_are_triggers_with_the_spaces_that_http_allows(value: str):
    found = sandbox.read(value, environment="test", applicable=EVERYWHERE)
    assert found == (Trigger(value.strip()), "")
    assert not found[0].by_dial


@pytest.mark.parametrize("value", MISSPELT)
def test_what_was_meant_to_be_one_is_refused_with_all_there_are(value: str):
    with pytest.raises(InvalidRequest) as refusal:
        sandbox.read(value, environment="test", applicable=EVERYWHERE)

    known = ", ".join(TRIGGERS)
    message, detail = f"Unknown sandbox trigger; there are: {known}.", f"must be one of {known}"
    assert (refusal.value.message, refusal.value.own_texts) == (message, {message, detail})
    assert [detail["field"] for detail in refusal.value.extras["details"]] == ["X-Partner-Customer-Ref"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "value", [None, "", " ", "customer-7", "xsbx_slow", "sbx", "sbx-slow", "Ada sbx_slow", "SBX_slow", "é"]
)
def test_anything_else_is_a_reference_of_the_partners(value: str | None):
    assert sandbox.read(value, environment="test", applicable=EVERYWHERE) == (Trigger(), "")


@pytest.mark.parametrize("value", [*TRIGGERS, *MISSPELT])
def test_a_live_key_has_no_triggers_to_misspell(value: str):
    assert sandbox.read(value, environment="live", applicable=EVERYWHERE) == (Trigger(), "")


def test_one_that_does_not_apply_to_the_operation_is_told_as_ignored():
    assert sandbox.read("sbx_slow", environment="test", applicable=AT_HANDLE) == (Trigger(), "sbx_slow")


@pytest.mark.parametrize("value", ["", *TRIGGERS])
def test_a_handle_expires_for_its_own_trigger_alone(value: str):
    trigger = Trigger(value)
    refused = None
    try:
        trigger.refuse_handle()
    except OfferExpired as error:
        refused = error

    assert (refused is not None, trigger.fired) == ((value == OFFER_EXPIRED,) * 2)


@pytest.mark.parametrize("value", ["", *TRIGGERS])
def test_a_supplier_is_told_of_its_own_triggers_alone(value: str):
    trigger = Trigger(value)
    told = {"sbx_supplier_error": "supplier_error", "sbx_slow": "slow"}.get(value, "")

    assert (trigger.at_supplier(), trigger.fired) == (told, told != "")


@pytest.mark.parametrize(
    ("value", "total", "refusal", "extras"),
    [
        (PRICE_CHANGED, 1_000, PriceChanged, {"previousTotalCents": 1_000, "currentTotalCents": 1_100}),
        (PRICE_CHANGED, 1_990, PriceChanged, {"previousTotalCents": 1_990, "currentTotalCents": 2_189}),
        (PRICE_CHANGED, -1_000, PriceChanged, {"previousTotalCents": -1_000, "currentTotalCents": -900}),
        (PRICE_CHANGED, 5, PriceChanged, {"previousTotalCents": 5, "currentTotalCents": 6}),
        (INSUFFICIENT_FUNDS, 1_000, InsufficientFunds, {"availableCents": 0, "requiredCents": 1_000}),
        (INSUFFICIENT_FUNDS, 0, InsufficientFunds, {"availableCents": 0, "requiredCents": 1}),
        (PAYMENT_FAILED, 1_000, PaymentFailed, {}),
    ],
)
def test_a_payment_is_refused_by_its_own_trigger(
    value: str, total: int, refusal: type[GatewayError], extras: dict[str, int]
):
    trigger = Trigger(value)
    with pytest.raises(refusal) as refused:
        trigger.refuse_payment(total_cents=total, currency="EUR")

    assert refused.value.extras == ({**extras, "currency": "EUR"} if extras else {})
    assert trigger.fired


@pytest.mark.django_db
def test_a_misspelt_trigger_is_refused_before_the_key_is_claimed():
    api = api_of_new_partner()
    refused = api.post("/v1/flights/searches", SEARCH, key="misspelt-trigger", X_Partner_Customer_Ref="sbx_é")
    repaired = api.post("/v1/flights/searches", SEARCH, key="misspelt-trigger")

    assert (refused.status, refused.error_type, repaired.status) == (400, "invalid_request", 201)
