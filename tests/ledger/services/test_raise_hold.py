from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.common.errors import InsufficientFunds
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold, Wallet
from apps.ledger.money import HoldResolved, Trace, UnknownHold, capture, hold, raise_hold, release
from tests.factories.ledger import WalletFactory
from tests.ledger.lines import figures, lines


@pytest.fixture
def hold_id(booking: dict[str, Any]) -> str:
    return hold(**booking, amount_cents=3_000, reference="op-1")


def test_holds_the_dearer_price_in_all(
    wallet: Wallet, hold_id: str, trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert raise_hold(hold_id=hold_id, to_cents=3_500, trace=trace) is True
    assert capture(hold_id=hold_id, trace=trace) is True
    assert lines(wallet)[1:] == [
        ("hold", -3_000, 3_000, 7_000, 3_000),
        ("hold", -500, 500, 6_500, 3_500),
        ("capture", 0, -3_500, 6_500, 0),
    ]
    assert check_ledger() == []


def test_all_that_is_available_may_be_held_and_no_other_hold_is_raised(
    wallet: Wallet, booking: dict[str, Any], hold_id: str, trace: Trace
) -> None:
    stranger: Wallet = WalletFactory(cents=10_000)
    hold(**booking, amount_cents=1_000, reference="op-2")
    hold(**booking | {"account_id": stranger.account_id}, amount_cents=2_000, reference="op-3")
    assert raise_hold(hold_id=hold_id, to_cents=9_000, trace=trace) is True
    assert sorted(Hold.objects.values_list("amount_cents", flat=True)) == [1_000, 2_000, 9_000]
    assert (figures(wallet), figures(stranger)) == ((0, 10_000), (8_000, 2_000))
    assert check_ledger() == []


@pytest.mark.parametrize("to_cents", [3_000, 2_999])
def test_never_lowers(wallet: Wallet, hold_id: str, trace: Trace, to_cents: int) -> None:
    assert raise_hold(hold_id=hold_id, to_cents=to_cents, trace=trace) is False
    assert figures(wallet) == (7_000, 3_000)


def test_repeated_it_raises_once(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    assert [raise_hold(hold_id=hold_id, to_cents=4_000, trace=trace) for _ in range(2)] == [True, False]
    assert figures(wallet) == (6_000, 4_000)


def test_refuses_what_is_not_covered_and_keeps_the_hold(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    with pytest.raises(InsufficientFunds) as refused:
        raise_hold(hold_id=hold_id, to_cents=10_001, trace=trace)
    assert refused.value.extras == {"availableCents": 10_000, "requiredCents": 10_001, "currency": "EUR"}
    assert figures(wallet) == (7_000, 3_000)


def test_a_resolved_hold_stays_as_it_is(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    release(hold_id=hold_id, trace=trace)
    with pytest.raises(HoldResolved):
        raise_hold(hold_id=hold_id, to_cents=4_000, trace=trace)
    assert figures(wallet) == (10_000, 0)


@pytest.mark.django_db
def test_an_unknown_hold_is_named(trace: Trace) -> None:
    with pytest.raises(UnknownHold, match="hold_nowhere"):
        raise_hold(hold_id="hold_nowhere", to_cents=1, trace=trace)
