from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.ledger.money import Trace, UnknownHold, capture, hold, release
from tests.ledger.lines import figures, legs, lines


@pytest.fixture
def hold_id(booking: dict[str, Any]) -> str:
    return hold(**booking, amount_cents=3_000, reference="op-1")


def test_frees_what_was_held(
    wallet: Wallet, hold_id: str, trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert release(hold_id=hold_id, trace=trace) is True
    assert lines(wallet)[1:] == [
        ("hold", -3_000, 3_000, 7_000, 3_000),
        ("release", 3_000, -3_000, 10_000, 0),
    ]
    assert figures(wallet) == (10_000, 0)
    assert legs(LedgerTransaction.objects.get(type="release")) == {"available": 3_000, "held": -3_000}
    resolved = Hold.objects.get(pk=hold_id)
    assert (resolved.status, resolved.captured_cents) == ("released", 0)


def test_releases_once(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    assert [release(hold_id=hold_id, trace=trace) for _ in range(3)] == [True, False, False]
    assert figures(wallet) == (10_000, 0)


def test_what_was_captured_is_not_released(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    capture(hold_id=hold_id, trace=trace)
    assert release(hold_id=hold_id, trace=trace) is False
    assert figures(wallet) == (7_000, 0)


@pytest.mark.django_db
def test_an_unknown_hold_is_named(trace: Trace) -> None:
    with pytest.raises(UnknownHold, match="hold_nowhere"):
        release(hold_id="hold_nowhere", trace=trace)
