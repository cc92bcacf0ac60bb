"""From and To: a date and a time in the reader's zone."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.forms import ValidationError
from django.utils import timezone

from apps.portal.lists import MomentField, MomentInput, read_moment

BERLIN = ZoneInfo("Europe/Berlin")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("2026-11-23T14:05", utc(2026, 11, 23, 13, 5), utc(2026, 11, 23, 13, 5)),
        ("2026-11-23 14:05", utc(2026, 11, 23, 13, 5), utc(2026, 11, 23, 13, 5)),
        ("2026-11-23T14:05:07", utc(2026, 11, 23, 13, 5, 7), utc(2026, 11, 23, 13, 5, 7)),
        ("2026-11-23", utc(2026, 11, 22, 23), utc(2026, 11, 23, 23)),
        ("2026-11-23T14:05:00Z", utc(2026, 11, 23, 14, 5), utc(2026, 11, 23, 14, 5)),
        ("2026-11-23T14:05:00.250000+02:00", utc(2026, 11, 23, 12, 5, 0, 250_000), None),
        # The clocks go back at 3: half past two is twice. And forward at 2: half past two is never.
        ("2026-10-25T02:30", utc(2026, 10, 25, 0, 30), utc(2026, 10, 25, 1, 30)),
        ("2026-03-29T02:30", utc(2026, 3, 29, 1, 30), utc(2026, 3, 29, 0, 30)),
        ("", None, None),
        ("9999-12-31", utc(9999, 12, 30, 23), None),
        ("0001-01-01T00:00", None, None),
        ("9999-12-31T23:59:59Z", None, None),
        ("9999-12-31T22:59:59Z", utc(9999, 12, 31, 22, 59, 59), None),
    ],
)
def test_a_moment_is_read_in_the_readers_zone(text, begins, ends):
    with timezone.override(BERLIN):
        assert read_moment(text) == begins
        if ends is not None or begins is None:
            assert read_moment(text, ends_the_day=True) == ends


@pytest.mark.parametrize(
    "text",
    ["soon", "2026-13-01", "2026-02-30T10:00", "10:00", "2026-11-23T14:05:00+0200", "99999-12-31", "Z"],
)
def test_what_is_no_moment_is_refused_in_words(text):
    with pytest.raises(ValidationError, match="as in 2026-11-23T14:05"):
        MomentField(label="From").clean(text)


def test_the_control_shows_the_moment_in_the_zone_of_its_reader():
    since, until = MomentInput(), MomentInput(ends_the_day=True)
    with timezone.override(BERLIN):
        assert since.format_value("2026-11-23T13:05:00Z") == "2026-11-23T14:05"
        assert since.format_value("2026-11-23T13:05:07Z") == "2026-11-23T14:05:07"
        assert (since.format_value("2026-11-23"), until.format_value("2026-11-23")) == (
            "2026-11-23T00:00",
            "2026-11-24T00:00",
        )
        assert since.format_value("soon") == "soon"
        assert since.format_value("9999-12-31T23:59:59Z") is None, "Berlin's calendar ends before it"
        assert 'type="datetime-local" name="x">' in since.render("x", None)
        assert 'step="any"' in since.render("x", "2026-11-23T13:05:07Z")
