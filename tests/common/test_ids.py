from datetime import UTC, datetime

import pytest

from apps.common import clock
from apps.common.ids import ALPHABET, earliest_id, encode, handle, new_id, parse_handle


def test_every_place_of_a_handle_is_read_again() -> None:
    row_id = f"hsr_{encode(0, 26)}"
    handles = [handle("rate", row_id, place) for place in range(1024)]
    assert [parse_handle(one, "rate", "hsr") for one in handles] == [(row_id, place) for place in range(1024)]


def test_an_id_is_its_millisecond_and_sixteen_random_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    instant = datetime(2026, 11, 20, 14, 3, 22, 120_999, UTC)
    monkeypatch.setattr(clock, "now", lambda: instant)
    made = [new_id("ford") for _ in range(100)]
    assert {one[:15] for one in made} == {f"ford_{encode(1_795_183_402_120, 10)}"}
    assert len(set(made)) == 100
    assert set("".join(one[15:] for one in made)) == set(ALPHABET)
    assert all(len(one) == 31 and one >= earliest_id("ford", instant) for one in made)


def test_ids_of_later_milliseconds_are_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for second in range(3):
        instant = datetime(2026, 11, 20, 14, 3, second, tzinfo=UTC)
        monkeypatch.setattr(clock, "now", lambda instant=instant: instant)
        made += [new_id("led")]
    assert made == sorted(made)
