"""`cancellationSteps` on the wire."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.bookings.presenters import OfferSteps, steps_json, steps_of_booking
from apps.gateway.renderers import render
from apps.suppliers.results import PenaltyStep

SEARCHED = datetime(2027, 1, 20, 9, 30, tzinfo=UTC)
NOON = datetime(2027, 2, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
RISING = (PenaltyStep(NOON, 5_000), PenaltyStep(NOON + DAY, 10_000))


def shown(steps: Any, now: datetime = SEARCHED, total_cents: int = 10_000) -> Any:
    """What offers say is what bookings say, as JSON."""
    found = steps_json(steps, total_cents=total_cents, currency="EUR", since=SEARCHED, now=now)
    written = OfferSteps(since=SEARCHED, now=now).json(steps, total_cents, "EUR")
    assert render(written) == render(found)
    if found is None:
        return None
    assert {step["currency"] for step in found} == {"EUR"}
    return [(step["from"], step["penaltyCents"]) for step in found]


def test_the_first_step_is_in_force_and_no_older_than_the_search() -> None:
    later = [("2027-02-01T12:00:00.000Z", 5_000), ("2027-02-02T12:00:00.000Z", 10_000)]
    assert shown(RISING) == [("2027-01-20T09:30:00.000Z", 0), *later]
    assert shown((PenaltyStep(None, 2_000), *RISING)) == [("2027-01-20T09:30:00.000Z", 2_000), *later]
    old = PenaltyStep(SEARCHED - DAY, 2_000)
    assert shown((old, *RISING)) == [("2027-01-20T09:30:00.000Z", 2_000), *later]
    assert shown(()) == [("2027-01-20T09:30:00.000Z", 0)]


@pytest.mark.parametrize(
    ("after", "first", "left"),
    [
        (timedelta(seconds=-1), ("2027-01-20T09:30:00.000Z", 0), 2),
        (timedelta(0), ("2027-02-01T12:00:00.000Z", 5_000), 1),
        (DAY - timedelta(seconds=1), ("2027-02-01T12:00:00.000Z", 5_000), 1),
        (DAY, ("2027-02-02T12:00:00.000Z", 10_000), 0),
        (30 * DAY, ("2027-02-02T12:00:00.000Z", 10_000), 0),
    ],
)
def test_what_is_over_is_left_out_and_reading_again_says_the_same(
    after: timedelta, first: tuple[str, int], left: int
) -> None:
    found = shown(RISING, NOON + after)
    assert (found[0], len(found)) == (first, 1 + left)


def test_terms_that_nobody_can_read_have_no_steps() -> None:
    assert shown(None) is None


@pytest.mark.parametrize(
    ("status", "steps"), [("confirmed", 2), ("pending", 2), ("cancelled", 0), ("failed", 0)]
)
def test_what_is_over_has_nothing_to_cancel(status: str, steps: int, db: None) -> None:
    booking = Booking(status=status, total_cents=10_000, currency="EUR", created_at=SEARCHED)
    found = steps_of_booking(booking, (PenaltyStep(datetime(2999, 1, 1, tzinfo=UTC), 10_000),))
    assert found is not None
    assert len(found) == steps
