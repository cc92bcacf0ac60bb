from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts import clocks
from apps.common import clock
from apps.ledger.models import Wallet
from apps.ledger.money import Trace
from tests.factories.ledger import WalletFactory

TRACE = Trace(booking_type="flight", booking_reference="F-7KQ2M9XD", operation_id="F-7KQ2M9XD")


@pytest.fixture
def trace() -> Trace:
    return TRACE


@pytest.fixture
def wallet(db: None) -> Iterator[Wallet]:
    """A test wallet with 100.00 EUR. The test works for its account, as a request does: its clock is known."""
    clock.now()  # so that no counted statement is the clock's
    found = WalletFactory(cents=10_000)
    with clocks.working_for(found.account_id, found.environment):
        yield found


@pytest.fixture
def owner(wallet: Wallet) -> dict[str, Any]:
    """What every verb on an account is told of it."""
    return {"account_id": wallet.account_id, "environment": wallet.environment, "currency": wallet.currency}


@pytest.fixture
def booking(owner: dict[str, Any], trace: Trace) -> dict[str, Any]:
    """What every verb of a booking is told of it."""
    return {**owner, "trace": trace}
