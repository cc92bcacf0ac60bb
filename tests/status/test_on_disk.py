import os
import stat
import time
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection

from apps.status import on_disk
from apps.status.models import StatusDay
from apps.status.on_disk import read, write
from apps.status.tasks import measure_and_write

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sold_live")]


def refuse(*_: object) -> None:
    raise OperationalError


def test_the_task_measures_and_writes(status_dir: Path) -> None:
    assert read() is None
    measure_and_write()
    kept = read()
    assert kept.content["components"][0]["days"][-1]["state"] == "operational"
    assert kept.is_stale is False
    assert StatusDay.objects.filter(component="api", checks=1).count() == 1
    assert os.listdir(status_dir) == ["status.json"]
    assert stat.S_IMODE((status_dir / "status.json").stat().st_mode) == 0o644


def test_the_command_writes_for_its_host_and_measures_nothing() -> None:
    call_command("write_status")
    assert read().content["state"] == "unknown"
    assert StatusDay.objects.count() == 0


def test_without_postgresql_the_last_content_is_written_again_and_says_so(move_clock) -> None:
    measure_and_write()
    with connection.execute_wrapper(refuse):
        assert write(measuring=True) is False
        away = read().content["databaseAwaySince"]
        move_clock(minutes=10)
        write(measuring=False)
    content = read().content
    assert (content["state"], content["databaseAwaySince"]) == ("outage", away)
    assert len(content["components"]) == 5
    measure_and_write()
    assert read().content["databaseAwaySince"] is None
    api = StatusDay.objects.get(component="api")
    assert (api.checks, api.failed_checks) == (11, 9)


def test_a_file_that_nobody_writes_any_more_is_stale(status_dir: Path) -> None:
    write(measuring=False)
    old = time.time() - on_disk.STALE_SECONDS - 5
    os.utime(status_dir / "status.json", (old, old))
    assert read().is_stale is True


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff"])
def test_an_unreadable_file_is_none(status_dir: Path, content: bytes) -> None:
    status_dir.mkdir()
    (status_dir / "status.json").write_bytes(content)
    assert read() is None
    write(measuring=False)
    assert read().content["incidents"] == []


def test_a_writing_that_fails_leaves_the_last_one(status_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(measuring=False)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(measuring=False)
    assert os.listdir(status_dir) == ["status.json"]
    assert read() is not None
