from datetime import timedelta
from typing import Any

import pytest

from apps.accounts import clocks
from apps.accounts.clocks import move_clock
from apps.common import clock
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import NOTHING, Trace, capture, hold, parameters
from tests.factories.ledger import WalletFactory


def test_the_time_within_a_wallet_rises_strictly_even_when_the_clock_does_not(
    booking: dict[str, Any], trace: Trace, monkeypatch: pytest.MonkeyPatch, wallet: Wallet
) -> None:
    stopped = clock.now() - timedelta(minutes=5)
    monkeypatch.setattr(clock, "_database_now", lambda: stopped)
    for number in range(3):
        capture(
            hold_id=hold(**booking, amount_cents=10, reference=f"op-{number}"), amount_cents=4, trace=trace
        )
    times = list(LedgerTransaction.objects.order_by("created_at").values_list("created_at", "type"))
    assert [kind for _, kind in times] == ["top_up", *["hold", "capture", "release"] * 3]
    assert len({instant for instant, _ in times}) == len(times)
    wallet.refresh_from_db()
    assert wallet.moved_at == times[-1][0]


def test_the_time_is_that_of_the_environment_that_is_named_or_worked_for(db: None) -> None:
    wallet: Wallet = WalletFactory()
    ahead = timedelta(days=3)
    here = {"account_id": wallet.account_id, "environment": "test"}
    move_clock(account_id=wallet.account_id, by=ahead)

    def days_ahead(**values: object) -> int:
        return round((parameters(NOTHING, **values)["now"] - clock.now()) / timedelta(days=1))

    assert (days_ahead(**here), days_ahead(**here | {"environment": "live"}), days_ahead(hold_id="h")) == (
        3,
        0,
        0,
    )
    with clocks.working_for(**here):
        assert days_ahead(hold_id="h") == 3
        assert [days_ahead(**{name: value}) for name, value in here.items()] == [3, 3]
        assert days_ahead(**here | {"environment": "live"}) == 0


def test_only_what_resolves_a_hold_needs_a_second_transaction(db: None) -> None:
    assert parameters(NOTHING, hold_id="h")["release_transaction_id"] is None
    both = parameters(NOTHING, hold_id="h", status="captured")
    assert len({both["transaction_id"], both["release_transaction_id"], None}) == 3
