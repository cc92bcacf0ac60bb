from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries

from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import Trace, capture, hold, refund
from tests.ledger.lines import figures, legs


@pytest.fixture(autouse=True)
def captured(booking: dict[str, Any], trace: Trace) -> None:
    """A booking that was paid with 30.00 EUR."""
    capture(hold_id=hold(**booking, amount_cents=3_000, reference="op-1"), trace=trace)


def test_gives_back_what_was_paid(
    wallet: Wallet, booking: dict[str, Any], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert refund(**booking, amount_cents=2_000, reference="op-2") is True
    assert figures(wallet) == (9_000, 0)
    written = LedgerTransaction.objects.get(type="refund")
    assert (written.amount_cents, written.held_delta_cents, written.available_after_cents) == (
        2_000,
        0,
        9_000,
    )
    assert legs(written) == {"available": 2_000, "sales": -2_000}


def test_refunds_once_for_a_reference(wallet: Wallet, booking: dict[str, Any]) -> None:
    refunds = [refund(**booking, amount_cents=2_000, reference="op-2") for _ in range(3)]
    assert refunds == [True, False, False]
    assert figures(wallet) == (9_000, 0)


def test_several_refunds_never_exceed_what_was_captured(wallet: Wallet, booking: dict[str, Any]) -> None:
    refund(**booking, amount_cents=2_000, reference="op-2")
    with pytest.raises(IntegrityError, match="more than was captured"), transaction.atomic():
        refund(**booking, amount_cents=1_001, reference="op-3")
    refund(**booking, amount_cents=1_000, reference="op-4")
    assert figures(wallet) == (10_000, 0)


def test_what_another_booking_paid_is_not_refunded(wallet: Wallet, owner: dict[str, Any]) -> None:
    other = Trace(booking_reference="F-OTHERONE")
    with pytest.raises(IntegrityError, match="F-OTHERONE"), transaction.atomic():
        refund(**owner, amount_cents=1, reference="op-2", trace=other)
    assert figures(wallet) == (7_000, 0)


def test_names_its_booking(owner: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="booking"):
        refund(**owner, amount_cents=1, reference="op-2", trace=Trace())


def test_refuses_less_than_a_cent(booking: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        refund(**booking, amount_cents=0, reference="op-2")
