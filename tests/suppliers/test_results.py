"""Which steps say something, and what they are in another currency."""

from datetime import UTC, datetime, timedelta

from apps.suppliers.results import Found, PenaltyStep, Withheld, without_idle


def test_what_is_over_is_counted_beside_what_was_withheld_before() -> None:
    sold = Found([1, 2, 3], Withheld(unreadable=1)).still_sold(lambda offer: offer > 1)
    assert (sold, sold.withheld) == ([1], Withheld(no_longer_sold=2, unreadable=1))


NOON = datetime(2027, 2, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_a_step_that_changes_nothing_is_none() -> None:
    free, paid, again = PenaltyStep(None, 0), PenaltyStep(NOON, 50), PenaltyStep(NOON + SECOND, 50)
    assert without_idle((free, paid, again)) == (paid,)
    assert without_idle((PenaltyStep(None, 50), PenaltyStep(NOON, 0))) == (
        PenaltyStep(None, 50),
        PenaltyStep(NOON, 0),
    )
