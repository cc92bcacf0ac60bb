from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Account
from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.ledger.money import CaptureExceedsHold, Trace, UnknownHold, capture, hold, release
from tests.ledger.lines import figures, legs, lines


@pytest.fixture
def hold_id(booking: dict[str, Any]) -> str:
    return hold(**booking, amount_cents=3_000, reference="op-1")


def test_pays_with_all_that_was_held(
    wallet: Wallet, hold_id: str, trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert capture(hold_id=hold_id, trace=trace) is True
    assert lines(wallet)[1:] == [("hold", -3_000, 3_000, 7_000, 3_000), ("capture", 0, -3_000, 7_000, 0)]
    assert figures(wallet) == (7_000, 0)
    written = LedgerTransaction.objects.get(type="capture")
    assert (written.reference, written.hold_id, written.booking_reference) == (
        hold_id,
        hold_id,
        "F-7KQ2M9XD",
    )
    assert legs(written) == {"held": -3_000, "sales": 3_000}
    resolved = Hold.objects.get(pk=hold_id)
    assert (resolved.status, resolved.captured_cents) == ("captured", 3_000)
    assert resolved.resolved_at == written.created_at


def test_a_smaller_capture_releases_the_rest_with_it(
    wallet: Wallet, hold_id: str, trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert capture(hold_id=hold_id, amount_cents=1_200, trace=trace) is True
    assert lines(wallet)[2:] == [
        ("capture", 0, -1_200, 7_000, 1_800),
        ("release", 1_800, -1_800, 8_800, 0),
    ]
    assert figures(wallet) == (8_800, 0)
    assert Hold.objects.get(pk=hold_id).captured_cents == 1_200


def test_captures_once(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    assert [capture(hold_id=hold_id, trace=trace) for _ in range(3)] == [True, False, False]
    assert figures(wallet) == (7_000, 0)


def test_what_was_released_is_not_captured(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    release(hold_id=hold_id, trace=trace)
    assert capture(hold_id=hold_id, trace=trace) is False
    assert figures(wallet) == (10_000, 0)


def test_never_captures_more_than_is_held(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    with pytest.raises(CaptureExceedsHold):
        capture(hold_id=hold_id, amount_cents=3_001, trace=trace)
    assert figures(wallet) == (7_000, 3_000)


@pytest.mark.parametrize("captured", [0, 3_000])
def test_captures_nothing_and_all_of_it(wallet: Wallet, hold_id: str, trace: Trace, captured: int) -> None:
    assert capture(hold_id=hold_id, amount_cents=captured, trace=trace) is True
    assert figures(wallet) == (10_000 - captured, 0)


def test_a_booking_that_was_made_is_paid_whatever_the_account_became(hold_id: str, trace: Trace) -> None:
    Account.objects.update(status="suspended")
    assert capture(hold_id=hold_id, trace=trace) is True


@pytest.mark.django_db
def test_an_unknown_hold_is_named(trace: Trace) -> None:
    with pytest.raises(UnknownHold, match="hold_nowhere"):
        capture(hold_id="hold_nowhere", trace=trace)


def test_refuses_a_negative_amount(hold_id: str, trace: Trace) -> None:
    with pytest.raises(ValueError):
        capture(hold_id=hold_id, amount_cents=-1, trace=trace)
