import secrets
from collections import Counter
from datetime import UTC, datetime

import pytest

from apps.common import clock, ids
from apps.common.ids import ALPHABET, encode, handle, new_id, parse_handle


def test_every_place_of_a_handle_is_read_again() -> None:
    row_id = f"hsr_{encode(0, 26)}"
    handles = [handle("rate", row_id, place) for place in range(1024)]
    assert [parse_handle(one, "rate", "hsr") for one in handles] == [(row_id, place) for place in range(1024)]


def test_an_id_is_its_millisecond_and_sixteen_random_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    instant = datetime(2026, 11, 20, 14, 3, 22, 120_999, UTC)
    monkeypatch.setattr(clock, "now", lambda: instant)
    monkeypatch.setattr(secrets, "token_bytes", lambda count: bytes(range(32 - count, 32)))

    assert new_id("ford") == f"ford_{encode(1_795_183_402_120, 10)}ghjkmnpqrstvwxyz"


def test_every_digit_stands_for_as_many_bytes() -> None:
    digits = bytes(range(256)).translate(ids.DIGIT_OF_BYTE).decode()

    assert Counter(digits) == dict.fromkeys(ALPHABET, 8)


def test_ids_of_later_milliseconds_are_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for second in range(3):
        monkeypatch.setattr(
            clock, "now", lambda second=second: datetime(2026, 11, 20, 14, 3, second, tzinfo=UTC)
        )
        made += [new_id("led")]

    assert made == sorted(made)
    assert len(set(made)) == 3
