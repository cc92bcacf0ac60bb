"""Local times without offset, instants, durations."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.flights.suppliers.duffel.mapping import instant, local_time, minutes
from apps.suppliers.values import from_json, to_json


@pytest.mark.parametrize(
    ("airport", "offset"),
    [
        ({"iata_code": "LIS", "time_zone": "Europe/Lisbon"}, 1),
        ({"iata_code": "BER"}, 2),
        ({"iata_code": "BER", "time_zone": "Europe/Nowhere"}, 2),
        ({"iata_code": "BER", "time_zone": "../etc"}, 2),
        ({"iata_code": "BER", "time_zone": "Europe"}, 2),
        ({"iata_code": "ZZZ", "time_zone": "Asia/Tokyo"}, 9),
        ({"iata_code": "ZZ9"}, 0),
        ({}, 0),
    ],
    ids=str,
)
def test_a_local_time_gets_the_offset_of_its_airport(airport: dict[str, Any], offset: int) -> None:
    at = local_time("2027-07-03T09:15:00", airport)
    assert (at.isoformat()[:19], at.utcoffset()) == ("2027-07-03T09:15:00", timedelta(hours=offset))
    assert from_json(datetime, to_json(at)).isoformat() == at.isoformat()


def test_an_offset_of_theirs_is_kept() -> None:
    assert local_time("2027-07-03T09:15:00+05:30", {"iata_code": "LIS"}).utcoffset() == timedelta(hours=5.5)


@pytest.mark.parametrize("offset", ["+01:00:30", "+23:59:59.5"])
def test_an_offset_that_is_not_kept_in_storage_is_refused(offset: str) -> None:
    with pytest.raises(ValueError, match="part of a minute"):
        local_time(f"2027-07-03T09:15:00{offset}", {"iata_code": "LIS"})


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00", "9999-12-31T23:59:00", "9999-12-31T23:59:00-05:00"])
def test_at_the_ends_of_time_nobody_flies(text: str) -> None:
    with pytest.raises(ValueError, match="nobody flies"):
        local_time(text, {"iata_code": "LIS"})


@pytest.mark.parametrize(
    "text",
    [
        "2027-02-03T14:22:00Z",
        "2027-02-03T14:22:00.000000Z",
        "2027-02-03T14:22:00",
        "2027-02-03T16:22:30+02:00:30",
    ],
)
def test_an_instant_is_in_utc(text: str) -> None:
    found = instant(text)
    assert (found, found and found.tzinfo) == (datetime(2027, 2, 3, 14, 22, tzinfo=UTC), UTC)


def test_no_instant_is_none() -> None:
    assert (instant(None), instant("")) == (None, None)


@pytest.mark.parametrize(
    ("duration", "whole"),
    [
        ("PT2H10M", 130),
        ("PT45M", 45),
        ("P1DT1H", 1_500),
        ("P1D", 1_440),
        ("PT3H0M", 180),
        ("PT2H10M30S", 130),
        (None, 95),
        ("", 95),
        ("PT", 95),
        ("two hours", 95),
    ],
)
def test_a_duration_is_theirs_or_what_lies_between(duration: str | None, whole: int) -> None:
    start = datetime(2027, 2, 3, 9, 15, tzinfo=UTC)
    assert minutes(duration, start, start + timedelta(minutes=95)) == whole
