"""Why a longer statement did not capture: `refuse_uncovered`."""

from typing import Any

import pytest

from apps.ledger.money import NOTHING, CaptureExceedsHold, UnknownHold, hold, refuse_uncovered, release


def test_more_than_is_held_is_told_with_both_amounts(booking: dict[str, Any]) -> None:
    hold(**booking, amount_cents=100, reference="op-1")
    held = hold(**booking, amount_cents=900, reference="op-2")
    with pytest.raises(CaptureExceedsHold) as refused:
        refuse_uncovered(hold_id=held, captured_cents=901)
    assert str(refused.value) == f"{held} holds 900, not 901"


@pytest.mark.parametrize("captured", [None, 0, 899, 900])
def test_what_is_held_is_not_refused(booking: dict[str, Any], captured: int | None) -> None:
    hold(**booking, amount_cents=100, reference="op-1")
    refuse_uncovered(hold_id=hold(**booking, amount_cents=900, reference="op-2"), captured_cents=captured)


def test_of_a_hold_that_is_over_nothing_more_is_said(booking: dict[str, Any]) -> None:
    held = hold(**booking, amount_cents=900, reference="op-1")
    assert release(hold_id=held, trace=NOTHING)
    refuse_uncovered(hold_id=held, captured_cents=901)


@pytest.mark.django_db
def test_a_hold_that_there_is_not_is_unknown(booking: dict[str, Any]) -> None:
    hold(**booking, amount_cents=900, reference="op-1")
    with pytest.raises(UnknownHold):
        refuse_uncovered(hold_id="hold_unknown", captured_cents=None)
