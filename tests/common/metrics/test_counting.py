"""Figures cost nothing where nobody asks for them, and each process keeps its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

from tests.support.stack import ROOT

OFF = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from config.embedded import prepare_environment
prepare_environment()
import config.wsgi, config.urls
from apps.common.metrics.counting import Counter, Timing
Counter("odd", "Odd.", ("label",)).add("value")
Timing("odder", "Odder.").observe(1.0)
print("prometheus_client" in sys.modules)
"""
ON = """
import os, socket, sys
from pathlib import Path
socket.gethostname = lambda: "host_with_underscores"
from apps.common.metrics import counting
counting._name_process()
directory = Path(sys.argv[1]) / "made"
counting.begin(directory)
counter = counting.Counter("odd", "Odd.", ("label",))
timing = counting.Timing("odder", "Odder.")
counter.add("before")
children = [os.fork() for _ in range(2)]
counter.add("after")
timing.observe(0.3)
if 0 not in children:
    for child in children:
        os.waitpid(child, 0)
"""


def run(program: str, *arguments: object, **variables: str) -> str:
    words = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, "PYTEST_VERSION": "", **variables}, check=True,
                          stdout=subprocess.PIPE, text=True)  # fmt: skip
    return done.stdout


@pytest.mark.stack
def test_where_they_are_off_the_library_is_not_even_loaded() -> None:
    assert run(OFF) == "False\n"


def test_each_process_counts_for_itself_and_all_are_summed_up(tmp_path: Path) -> None:
    run(ON, tmp_path)  # two forks: three more processes
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(tmp_path / "made"))
    value = registry.get_sample_value
    assert value("travel_partner_odd_total", {"label": "before"}) == 1
    assert value("travel_partner_odd_total", {"label": "after"}) == 4
    assert value("travel_partner_odder_bucket", {"le": "0.25"}) == 0
    assert value("travel_partner_odder_bucket", {"le": "0.5"}) == 4
    files = [path.name for path in (tmp_path / "made").iterdir()]
    assert len(files) == 8
    assert all("host-with-underscores-" in name for name in files)
    assert (tmp_path / "made").stat().st_mode & 0o077 == 0
