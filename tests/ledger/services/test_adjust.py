from typing import Any

import pytest

from apps.common.errors import InsufficientFunds
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import Trace, adjust, hold, top_up
from tests.ledger.lines import figures, legs


@pytest.mark.parametrize("amount_cents", [300, -300, -10_000])
def test_corrects_up_and_down_to_nothing(wallet: Wallet, owner: dict[str, Any], amount_cents: int) -> None:
    assert adjust(**owner, amount_cents=amount_cents, reference="case-1") is True
    assert figures(wallet) == (10_000 + amount_cents, 0)
    written = LedgerTransaction.objects.get(type="adjustment")
    assert legs(written) == {"available": amount_cents, "funding": -amount_cents}


def test_corrects_once_for_a_reference(wallet: Wallet, owner: dict[str, Any]) -> None:
    assert adjust(**owner, amount_cents=-10_000, reference="case-1") is True
    assert adjust(**owner, amount_cents=-10_000, reference="case-1") is False
    assert figures(wallet) == (0, 0)


def test_never_takes_what_is_held(wallet: Wallet, owner: dict[str, Any], trace: Trace) -> None:
    hold(**owner, amount_cents=4_000, reference="op-1", trace=trace)
    with pytest.raises(InsufficientFunds) as refused:
        adjust(**owner, amount_cents=-6_001, reference="case-1")
    assert refused.value.extras == {"availableCents": 6_000, "requiredCents": 6_001, "currency": "EUR"}
    assert figures(wallet) == (6_000, 4_000)


def test_a_reference_of_another_kind_of_movement_is_another_one(
    wallet: Wallet, owner: dict[str, Any]
) -> None:
    assert top_up(**owner, amount_cents=500, reference="case-1") is True
    with pytest.raises(InsufficientFunds):
        adjust(**owner, amount_cents=-10_501, reference="case-1")
    assert adjust(**owner, amount_cents=500, reference="case-1") is True
    assert figures(wallet) == (11_000, 0)


def test_refuses_to_adjust_nothing(owner: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        adjust(**owner, amount_cents=0, reference="case-1")
