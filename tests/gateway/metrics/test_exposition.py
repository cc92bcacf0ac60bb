"""What all processes have counted, in one text."""

from pathlib import Path
from typing import Any

import pytest
from prometheus_client.mmap_dict import MmapedDict, mmap_key

from apps.gateway.metrics.exposition import written
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
