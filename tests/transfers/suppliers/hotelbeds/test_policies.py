"""Local times and what cancelling costs from then on."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from apps.transfers.rules import EARLIEST, clock_of
from apps.transfers.suppliers.base import Place, PolicyStep, TransferSearch
from apps.transfers.suppliers.hotelbeds.mapping import Amount, clock_told, instant, is_certain, policy_of
from tests.transfers.suppliers.requests import HOTEL, PALMA, a_search, point

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
PRICE = Amount(Decimal("38.5"), "EUR")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (a_search(), "2027-02-02T13:30:00+00:00"),  # the airport of Palma
        (a_search(start=HOTEL, end=Place("IATA", "JFK")), "2027-02-02T19:30:00+00:00"),
        (
            a_search(start=PALMA, end=point("35.68", "139.69")),
            "2027-02-02T05:30:00+00:00",
        ),  # the end, not the start
        (a_search(start=Place("HOTEL", "9", town="Lisbon")), "2027-02-02T14:30:00+00:00"),
        (a_search(start=HOTEL, end=Place("STATION", "7")), "2027-02-02T00:30:00+00:00"),  # nowhere earlier
        (a_search(start=HOTEL, end=Place("IATA", "???")), "2027-02-02T00:30:00+00:00"),
    ],
)
def test_local_times_are_the_destinations(asked: TransferSearch, expected: str) -> None:
    found = instant("2027-02-02T14:30:00", clock_of(asked))
    assert found is not None
    assert found.astimezone(UTC).isoformat() == expected


@pytest.mark.parametrize(
    ("ends", "hours"),
    [
        ({"from": {"type": "ATLAS", "code": "265"}, "to": {"type": "IATA", "code": "JFK"}}, -5),
        ({"from": {"type": "IATA", "code": "PMI"}, "to": {"type": "ATLAS", "code": "265"}}, 1),
        ({"to": {"type": "GPS", "code": "35.68,139.69"}}, 9),
        ({"to": {"type": "GPS", "code": "somewhere"}}, 14),
        (None, 14),
    ],
)
def test_an_order_tells_its_ends_again(ends: Any, hours: int) -> None:
    assert datetime(2027, 2, 2, tzinfo=clock_told(ends)).utcoffset() == timedelta(hours=hours)


def test_a_time_with_an_offset_needs_no_clock() -> None:
    assert instant("2027-02-02T14:30:00+02:00", UTC) == datetime(2027, 2, 2, 12, 30, tzinfo=UTC)
    assert instant("soon", UTC) is None
    assert instant(None, UTC) is None


@pytest.mark.parametrize("hours", [-12, 0, 14])
def test_the_ends_of_the_calendar_are_always_and_never(hours: int) -> None:
    """As some systems write that there is no date: beyond them no clock can count."""
    there = timezone(timedelta(hours=hours))
    first, last = instant("0001-01-01T00:00:00", there), instant("9999-12-31T23:59:59", there)
    assert first is not None
    assert last is not None
    assert first < NOW - timedelta(days=365_000) < NOW + timedelta(days=365_000) < last


def step(day: int, amount: Any, currency: str = "EUR") -> dict[str, Any]:
    return {"from": f"2026-11-{day:02d}T12:00:00", "amount": amount, "currencyId": currency}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([step(25, Decimal("38.5"))], [(25, 3850)]),
        ([step(25, 38), step(22, 10)], [(22, 1000), (25, 3800)]),
        ([step(10, 5), step(15, 10), step(25, 38)], [(None, 1000), (25, 3800)]),
        ([step(10, 0), step(25, 38)], [(25, 3800)]),
        ([step(22, 20), step(25, 10)], [(22, 2000), (25, 2000)]),  # never cheaper again
        ([step(25, 40)], [(25, 3850)]),  # never more than all
        ([], [(None, 3850)]),
        (None, [(None, 3850)]),
        ([step(25, 10, "USD")], [(None, 3850)]),
        ([step(25, None), step(26, 38)], [(None, 3850)]),
    ],
)
def test_policies_as_steps(told: Any, expected: list[tuple[int | None, int]]) -> None:
    steps = tuple(
        PolicyStep(None if day is None else datetime(2026, 11, day, 12, tzinfo=UTC), cents)
        for day, cents in expected
    )
    assert policy_of(told, PRICE, clock=UTC, now=NOW) == steps


@pytest.mark.parametrize(
    ("told", "certain"),
    [
        ([step(25, Decimal("38.5"))], True),
        ([step(25, 38), step(22, 10)], True),
        ([step(25, 40)], True),  # all of it, whatever they write
        ([step(22, 20), step(25, 10)], False),
        ([step(22, 20), step(22, 10)], False),
        ([], False),
        (None, False),
        ("38.5", False),
        ([step(25, 10, "USD")], False),
        ([step(25, None), step(26, 38)], False),
        ([step(25, 38), "and so on"], False),
        ([{**step(25, 38), "from": "soon"}], False),
    ],
)
def test_only_what_can_be_read_is_certain(told: Any, certain: bool) -> None:
    assert is_certain(told, PRICE, clock=UTC) is certain
    assert not is_certain(told, PRICE, clock=EARLIEST)
