from datetime import UTC, datetime, timedelta

import pytest

from apps.ledger.runway import HOUR, Outlook, Spending
from apps.ledger.selectors import Balance
from apps.portal.balance import about, day_words, is_short, runway_words

THURSDAY = datetime(2026, 11, 19, 9, 20, tzinfo=UTC)


def outlook(available: int, *, hours: int = 14 * 24) -> Outlook:
    """Of a pace of 10.00 an hour."""
    begins = THURSDAY.replace(minute=0) - hours * HOUR
    return Outlook(
        Balance("EUR", available, 0), THURSDAY, Spending(begins, [1_000] * hours), usual_cents=1_000
    )


@pytest.mark.parametrize(
    ("of", "says"),
    [
        (outlook(53_667), "about 2 days at this week's pace; the first refusal is likely Saturday 14:00 UTC"),
        (outlook(5_000), "about 4 hours at this week's pace; the first refusal is likely today 13:00 UTC"),
        (
            outlook(5_000, hours=30),
            "about 4 hours at the pace so far; the first refusal is likely today 13:00 UTC",
        ),
        (outlook(240_000), "about 10 days at this week's pace; the first refusal is likely on 29 Nov"),
        (outlook(10**7), "more than 30 days at this week's pace"),
        (outlook(5_000, hours=23), ""),
    ],
)
def test_a_runway_is_said_as_exactly_as_it_is_known(of, says):
    assert runway_words(of) == says


def test_three_days_are_short():
    assert [is_short(outlook(cents)) for cents in (73_000, 73_100, 10**7)] == [True, False, False]
    assert is_short(outlook(100, hours=1)) is False


def test_a_length_is_rounded():
    said = [about(timedelta(hours=hours)) for hours in (0.5, 1, 1.6, 35, 36, 60)]
    assert said == [
        "less than an hour",
        "about 1 hour",
        "about 2 hours",
        "about 35 hours",
        "about 2 days",
        "about 2 days",
    ]


def test_an_hour_that_is_rounded_into_tomorrow_has_tomorrows_name():
    assert day_words(THURSDAY.replace(hour=23, minute=40), THURSDAY) == "Friday 00:00 UTC"
