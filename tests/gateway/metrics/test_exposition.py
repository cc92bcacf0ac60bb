"""What all processes have counted, and what is read now, in one text."""

from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError
from prometheus_client.mmap_dict import MmapedDict, mmap_key

from apps.common import metrics as readings
from apps.common.metrics import Reading, Readings
from apps.common.metrics import exposition as written
from apps.common.redis import RedisUnavailable
from tests.gateway.metrics.test_views import figures


@pytest.mark.django_db
def test_what_other_processes_counted_is_read_from_the_directory_of_the_settings(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    name, labels = "travel_partner_calls", {"operation": "getAccount", "status": "200"}
    key = mmap_key(name, f"{name}_total", list(labels), list(labels.values()), "Calls.")
    for process, count in (("one", 3.0), ("other", 4.0)):
        counted = MmapedDict(str(tmp_path / f"counter_{process}.db"))
        counted.write_value(key, count, 0.0)
        counted.close()
    settings.METRICS_DIRECTORY = str(tmp_path)
    assert figures(written().decode())[f"{name}_total", frozenset(labels.items())] == 7
    settings.METRICS_DIRECTORY = ""
    assert f"{name}_total" not in written().decode()


@pytest.mark.django_db
@pytest.mark.parametrize("trouble", [DatabaseError, RedisUnavailable])
def test_what_cannot_be_read_is_left_out_and_the_rest_is_told_once(
    monkeypatch: pytest.MonkeyPatch, trouble: type[Exception]
) -> None:
    def away() -> list[Reading]:
        raise trouble

    unread = Readings({"unread": "Nobody knows."}, away)
    told = Readings({"told": "Known."}, lambda: [Reading("told", 7)])
    monkeypatch.setattr(readings, "_known", [unread, told, unread])

    lines = written().decode().splitlines()

    assert [line for line in lines if "told" in line or "unread" in line] == [
        "# HELP travel_partner_told Known.",
        "# TYPE travel_partner_told gauge",
        "travel_partner_told 7.0",
    ]
