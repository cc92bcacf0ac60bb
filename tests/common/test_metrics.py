"""Each process counts into files of its own, and all are summed up."""

import os
import subprocess
import sys
from pathlib import Path

from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

FORKED = """
import os
from apps.common.metrics import CRITICALS
CRITICALS.labels("before").inc()
children = [os.fork() for _ in range(2)]
CRITICALS.labels("after").inc()
if 0 not in children:
    for child in children:
        os.waitpid(child, 0)
"""


def test_each_process_counts_for_itself_and_all_are_summed_up(tmp_path: Path) -> None:
    directory = tmp_path / "made"
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings_test",
        "METRICS_DIRECTORY": str(directory),
    }
    subprocess.run(
        [sys.executable, "-c", FORKED], env=environment, check=True
    )  # two forks: three more processes
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(directory))
    value = registry.get_sample_value
    assert value("travel_partner_criticals_total", {"logger": "before"}) == 1
    assert value("travel_partner_criticals_total", {"logger": "after"}) == 4
    assert len(list(directory.iterdir())) == 4
    assert directory.stat().st_mode & 0o077 == 0
