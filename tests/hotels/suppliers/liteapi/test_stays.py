"""Their bookings: what stands, what is over, and what that cost."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.common import clock
from apps.hotels.suppliers.base import Cancellation, Stay
from apps.hotels.suppliers.liteapi.mapping import cancellation_of, cancellation_told, quote_of, stay_of
from apps.hotels.suppliers.liteapi.money import Price
from tests.hotels.suppliers.liteapi.samples import POLICY_STEPS, POLICY_TEXT, a_booking

NON_REFUNDABLE = '{"refundableTag": "NRFN"}'
PRICE = Price(Decimal("212.4"), "EUR")
HALF = Cancellation(10_620, 10_620, "EUR")
FREE = Cancellation(0, 21_240, "EUR")
ALL = Cancellation(21_240, 0, "EUR")


def test_a_booking_that_stands() -> None:
    assert stay_of(a_booking()) == Stay(
        "BKSTUB001", 21_240, "EUR", POLICY_TEXT, None, penalty_steps=POLICY_STEPS
    )
    told = a_booking(hotelConfirmationCode="MIR-7", commission=Decimal("12.4"), cancellationPolicies=None)
    assert stay_of(told, '{"as": "kept"}') == Stay("BKSTUB001", 20_000, "EUR", '{"as": "kept"}', "MIR-7")


@pytest.mark.parametrize("booking_id", [None, 7, "", "B" * 256, "zero\0"])
def test_an_id_that_cannot_be_kept_is_no_booking(booking_id: object) -> None:
    with pytest.raises(ValueError, match="no id"):
        stay_of(a_booking(bookingId=booking_id))


@pytest.mark.parametrize(
    ("changes", "ended"),
    [
        ({"status": "CANCELLED"}, FREE),
        ({"status": "CANCELED", "amountRefunded": 0}, FREE),
        ({"status": "CANCELLED", "amountRefunded": Decimal("106.2")}, HALF),
        ({"status": "CANCELLED_WITH_CHARGES", "amountRefunded": Decimal("106.2")}, HALF),
        ({"status": "CANCELLED_WITH_CHARGES", "amountRefunded": Decimal("999")}, FREE),
        ({"status": "CANCELLED_WITH_CHARGES", "cancelledAt": "2027-02-01T11:59:59"}, FREE),
        ({"status": "CANCELLED_WITH_CHARGES", "cancelledAt": "2027-02-01T12:00:00Z"}, HALF),
        ({"status": "CANCELLED_WITH_CHARGES", "cancellationPolicies": None}, ALL),
    ],
)
def test_what_a_cancelled_booking_cost(changes: dict[str, Any], ended: Cancellation) -> None:
    stay = stay_of(a_booking(**changes))
    assert (stay.cancelled, stay.penalty_cents, stay.refund_cents) == (
        True,
        ended.penalty_cents,
        ended.refund_cents,
    )


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00"])
def test_the_first_day_of_the_calendar_does_not_say_when_it_was_cancelled(
    move_clock: Callable[..., None], moment: str
) -> None:
    move_clock(seconds=(POLICY_STEPS[0].starts_at - clock.now()).total_seconds())
    assert cancellation_of(a_booking(status="CANCELLED_WITH_CHARGES", cancelledAt=moment)) == HALF


def test_charges_without_a_sum_are_those_that_were_worked_out_before() -> None:
    charged = a_booking(status="CANCELLED_WITH_CHARGES", amountRefunded=None)
    assert cancellation_of(charged, quote=HALF) == HALF
    assert cancellation_of({**charged, "amountRefunded": Decimal("212.4")}, quote=HALF) == FREE


def test_what_we_cancelled_and_nothing_came_back_of_was_not_free_of_charge() -> None:
    assert cancellation_of(a_booking(status="CANCELLED", amountRefunded=0), quote=ALL) == ALL
    assert cancellation_of(a_booking(status="CANCELLED", amountRefunded=0), quote=FREE) == FREE
    assert cancellation_of(a_booking(status="CANCELLED"), quote=ALL) == FREE


@pytest.mark.parametrize(
    ("told", "done"),
    [
        ({"cancellation_fee": Decimal("106.2"), "refund_amount": Decimal("106.2"), "currency": "EUR"}, HALF),
        ({"cancellation_fee": 0, "refund_amount": Decimal("212.4"), "currency": "EUR"}, FREE),
        ({"refund_amount": 0, "currency": "EUR"}, ALL),
        ({"cancellation_fee": Decimal("500"), "currency": "EUR"}, ALL),
        ({"cancellation_fee": Decimal("120"), "currency": "USD"}, HALF),
        ({}, HALF),
        ({"status": "CANCELLED"}, FREE),
    ],
)
def test_what_the_cancel_call_says(told: dict[str, Any], done: Cancellation) -> None:
    assert cancellation_told({"status": "CANCELLED_WITH_CHARGES", **told}, PRICE, HALF) == done


def test_a_quote_goes_by_the_terms_kept_at_the_booking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2027, 2, 1, 12, tzinfo=UTC))
    assert quote_of(a_booking(), NON_REFUNDABLE) == ALL
    assert quote_of(a_booking(), "") == HALF
