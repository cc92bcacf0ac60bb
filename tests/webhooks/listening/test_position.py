"""How far a key's feed was forwarded, kept from one start to the next."""

from pathlib import Path

from apps.webhooks.management.commands.listen import Position


def test_without_a_file_nothing_is_known(tmp_path: Path) -> None:
    assert Position.read(tmp_path / "position.json").after is None


def test_what_was_passed_is_known_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "position.json"
    Position(path).passed("evt_1")
    assert Position.read(path) == Position(path, "evt_1")
    assert [file.name for file in path.parent.iterdir()] == ["position.json"]
    Position.read(path).passed("evt_2")
    assert Position.read(path).after == "evt_2"


def test_a_file_that_says_something_else_tells_no_position(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    for other in ("{}", '{"newest":"2026-11-20T12:00:01+00:00"}'):
        path.write_text(other)
        assert Position.read(path).after is None
