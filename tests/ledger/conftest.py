from typing import Any

import pytest

from apps.common import clock
from apps.ledger.models import Wallet
from apps.ledger.trace import Trace
from tests.factories.ledger import WalletFactory

TRACE = Trace(booking_type="flight", booking_reference="F-7KQ2M9XD", operation_id="F-7KQ2M9XD")


@pytest.fixture
def trace() -> Trace:
    return TRACE


@pytest.fixture
def wallet(db: None) -> Wallet:
    """A test wallet with 100.00 EUR."""
    clock.now()  # so that no counted statement is the clock's
    return WalletFactory(cents=10_000)


@pytest.fixture
def owner(wallet: Wallet) -> dict[str, Any]:
    """What every verb on an account is told of it."""
    return {"account_id": wallet.account_id, "environment": wallet.environment, "currency": wallet.currency}


@pytest.fixture
def booking(owner: dict[str, Any], trace: Trace) -> dict[str, Any]:
    """What every verb of a booking is told of it."""
    return {**owner, "trace": trace}
