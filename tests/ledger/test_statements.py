from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from psycopg.types.numeric import Int8

from apps.accounts import clocks
from apps.accounts.clocks import move_clock
from apps.common import clock
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import NOTHING, Trace, capture, hold, parameters, sized, top_up
from apps.ledger.statements import RESOLVE
from tests.factories.ledger import WalletFactory


def test_an_amount_of_any_width_uses_the_same_prepared_statement(
    owner: dict[str, Any], booking: dict[str, Any]
) -> None:
    top_up(**owner, amount_cents=10**15, reference="bank-1")
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")
    often_enough_to_be_prepared = 4
    widths = [1, 40_000, 3_000_000_000, 10**12]
    for number, amount_cents in enumerate(widths * often_enough_to_be_prepared):
        hold(**booking, amount_cents=amount_cents, reference=f"op-{number}")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%INSERT INTO ledger_hold%'"
        )
        assert cursor.fetchone() == (1,)


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


def test_the_wallet_is_looked_up_for_one_total(booking: dict[str, Any], trace: Trace) -> None:
    """However many wallets there are, and whatever PostgreSQL thinks of them."""
    hold_id = hold(**booking, amount_cents=10, reference="op-1")
    values = parameters(trace, hold_id=hold_id, status="captured", captured_cents=4)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {RESOLVE}", values)
        (plan,) = cursor.fetchone()
    (total,) = [node for node in nodes(plan[0]["Plan"]) if node.get("Alias") == "total"]
    assert total["Plan Rows"] == 1


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


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


def test_integers_alone_are_given_a_width() -> None:
    assert isinstance(sized(5), Int8)
    assert [sized(value) for value in (5, "5", None)] == [5, "5", None]
