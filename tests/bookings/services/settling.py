"""Operations with funds that a test ends, and outcomes that end them."""

from datetime import timedelta

from apps.bookings.handlers import Outcome
from apps.bookings.models import Operation
from apps.ledger.models import LedgerTransaction
from apps.ledger.services.hold import hold
from apps.ledger.trace import NOTHING
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking, an_operation

SOON = timedelta(seconds=5)
HELD = 1_000


def an_operation_with_funds(onboarded: Onboarded, **columns: object) -> Operation:
    operation = an_operation(
        a_booking(onboarded.test_key, status="pending", total_cents=HELD), request_id="req_1", **columns
    )
    hold(
        hold_id=operation.hold_id,
        account_id=operation.booking.account_id,
        environment="test",
        amount_cents=HELD,
        currency="EUR",
        reference=operation.client_ref,
        trace=NOTHING,
    )
    return operation


def ended(**columns: object) -> Outcome:
    """An outcome that moves no money of itself."""
    return Outcome(
        **{  # type: ignore[arg-type]
            "status": "confirmed",
            "details": {"seats": 2},
            "total_cents": 900,
            "supplier_reference": "their-7",
            **columns,
        }
    )


def moved() -> LedgerTransaction:
    """The last step of money."""
    return LedgerTransaction.objects.latest("created_at")
