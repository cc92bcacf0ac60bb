"""How far a key's deliveries were forwarded, kept from one start to the next."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from apps.webhooks.listening.position import Position

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
INSTANT = timedelta(microseconds=1)


def test_without_a_file_nothing_is_known_and_everything_may_be_new(tmp_path: Path) -> None:
    position = Position.read(tmp_path / "position.json")
    assert (position.newest, position.seen) == (None, {})
    assert position.is_before(NOON)


def test_what_was_passed_is_known_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "position.json"
    Position(path).passed("evt_1", NOON)
    assert Position.read(path) == Position(path, NOON, {"evt_1": NOON})
    assert [file.name for file in path.parent.iterdir()] == ["position.json"]
    Position.read(path).passed("evt_2", NOON + timedelta(seconds=1))
    assert Position.read(path).seen == {"evt_1": NOON, "evt_2": NOON + timedelta(seconds=1)}


def test_it_looks_back_for_a_minute(tmp_path: Path) -> None:
    position = Position(tmp_path / "position.json", newest=NOON)
    minute = timedelta(seconds=60)
    assert position.is_before(NOON - minute + INSTANT)
    assert not position.is_before(NOON - minute)


def test_an_older_event_moves_it_not_back_and_what_is_a_minute_old_is_forgotten(tmp_path: Path) -> None:
    position = Position(tmp_path / "position.json")
    minute = timedelta(seconds=60)
    position.passed("evt_1", NOON)
    position.passed("evt_2", NOON - timedelta(seconds=1))
    assert position.newest == NOON
    position.passed("evt_3", NOON - minute + INSTANT)
    position.passed("evt_4", NOON - minute)
    assert set(position.seen) == {"evt_1", "evt_2", "evt_3"}
    position.start_at(NOON + minute)
    assert (position.newest, position.seen) == (NOON + minute, {})
