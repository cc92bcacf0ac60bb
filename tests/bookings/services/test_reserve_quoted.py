"""The booking of a quoted offer, as it begins."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from apps.bookings.flow.reserve import reserve_quoted
from apps.bookings.handlers import READ
from apps.bookings.models import Booking, Operation
from apps.common.errors import GatewayError, OfferExpired, PaymentFailed, PriceChanged
from apps.gateway.requests import Caller
from apps.gateway.sandbox import OFFER_EXPIRED, PAYMENT_FAILED, Trigger
from apps.keys import authentication
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.books import funds, latest
from tests.bookings.conftest import BALANCE_CENTS

RATE = {"from": "USD", "rate": "0.92", "on": "2026-11-20"}


@dataclass(frozen=True)
class Quote:
    total_cents: int = 1_000
    currency: str = "EUR"
    supplier_data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Seats:
    seats: int = 2


@pytest.fixture
def caller(onboarded: Onboarded) -> Caller:
    return Caller(authentication.look_up(onboarded.test_secret), "a-request")


def reserved(caller: Caller, offer: Quote, most: int | None = None) -> Operation:
    return reserve_quoted(
        caller=caller,
        product="flight",
        offer=offer,
        offer_entry="rate",
        supplier_name="simulator",
        details=Seats(),
        external_reference="trip-1",
        max_total_cents=most,
    )


def test_it_holds_the_quoted_price_and_keeps_what_was_quoted(onboarded: Onboarded, caller: Caller) -> None:
    offer = Quote()
    operation = reserved(caller, offer, most=1_000)
    stored = latest()
    booking = stored.booking
    assert (booking.product, booking.supplier_name, booking.status) == ("flight", "simulator", "pending")
    assert (booking.total_cents, booking.currency, booking.exchange) == (1_000, "EUR", None)
    assert (booking.details, booking.external_reference) == ({"seats": 2}, "trip-1")
    quoted = {"total_cents": 1_000, "currency": "EUR", "supplier_data": {}}
    assert stored.request == {"rate": quoted, "maxTotalCents": 1_000}
    assert vars(operation)[READ] == (operation.request["rate"], offer)
    assert funds(onboarded) == (BALANCE_CENTS - 1_000, 1_000)


def test_the_rate_that_it_was_converted_at_is_kept(caller: Caller) -> None:
    reserved(caller, Quote(supplier_data={"exchange": json.dumps({**RATE, "own": "1086"})}))
    assert latest().booking.exchange == RATE


def test_what_costs_more_than_the_partner_allows_is_refused(caller: Caller) -> None:
    with pytest.raises(PriceChanged):
        reserved(caller, Quote(), most=999)
    assert Booking.objects.count() == 0


@pytest.mark.parametrize(
    ("trigger", "refusal"), [(OFFER_EXPIRED, OfferExpired), (PAYMENT_FAILED, PaymentFailed)]
)
def test_what_the_sandbox_is_asked_to_refuse_holds_nothing(
    onboarded: Onboarded, caller: Caller, trigger: str, refusal: type[GatewayError]
) -> None:
    with pytest.raises(refusal):
        reserved(replace(caller, trigger=Trigger(trigger)), Quote())
    assert (Booking.objects.count(), funds(onboarded)) == (0, (BALANCE_CENTS, 0))
