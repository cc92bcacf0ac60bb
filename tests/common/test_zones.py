"""Times in the reader's zone."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from apps.common.zones import clock_words, day_and_time, exact_words, known_zones, zone_called

AT = datetime(2026, 11, 20, 23, 3, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "clock", "day", "exact"),
    [
        ("UTC", "23:03 UTC", "20 Nov 2026, 23:03 UTC", "20 Nov 2026, 23:03:22 UTC"),
        (
            "Europe/Berlin",
            "00:03 CET",
            "21 Nov 2026, 00:03 CET",
            "21 Nov 2026, 00:03:22 CET · 20 Nov 2026, 23:03:22 UTC",
        ),
        (
            "America/New_York",
            "18:03 EST",
            "20 Nov 2026, 18:03 EST",
            "20 Nov 2026, 18:03:22 EST · 23:03:22 UTC",
        ),
        (
            "America/Sao_Paulo",
            "20:03 UTC-03",
            "20 Nov 2026, 20:03 UTC-03",
            "20 Nov 2026, 20:03:22 UTC-03 · 23:03:22 UTC",
        ),
        (
            "Asia/Kathmandu",
            "04:48 UTC+0545",
            "21 Nov 2026, 04:48 UTC+0545",
            "21 Nov 2026, 04:48:22 UTC+0545 · 20 Nov 2026, 23:03:22 UTC",
        ),
    ],
)
def test_an_instant_is_said_in_the_zone_of_its_reader_and_in_utc(zone, clock, day, exact):
    with timezone.override(ZoneInfo(zone)):
        assert (clock_words(AT), day_and_time(AT), exact_words(AT)) == (clock, day, exact)


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "europe/berlin", "UTC\x00"])
def test_what_is_no_zone_is_none(name):
    assert zone_called(name) is None
    assert zone_called("Europe/Berlin") == ZoneInfo("Europe/Berlin")
    assert zone_called("Etc/UTC") == ZoneInfo("UTC")
    assert len(known_zones()) > 400
