"""What the product costs while nobody asks it for anything: memory and processor time of each kind of process.

`make bench ARGS=idle` starts it like `make run`, on a database of its own, lets it settle, and looks for a minute. A page that
several processes share counts in each by its share (PSS), so that the sum is what the machine really gives.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from honcho.environ import parse_procfile

from config.embedded import VAR
from tests.bench.server import drop_database, fresh_database
from tests.support.ports import free_port
from tests.support.processes import children_of

ROOT = Path(__file__).resolve().parents[2]
READY_SECONDS = 180
SETTLE_SECONDS = 30
SAMPLE_SECONDS = 60
LOOKS = 6
SUPERVISOR = "make run"
PERIODIC_PARTS = {"worker", "supplierWorker", "longWorker", "dispatcher", "beat"}
"""Parts of /health/full that are well once their processes have run."""

_ticks = os.sysconf("SC_CLK_TCK")

Finder = Callable[[], dict[str, list[int]]]


@dataclass
class Kind:
    """Processes of one kind: median memory over the looks, processor time between the first and the last."""

    name: str
    processes: int = 0
    pss: float = 0.0
    rss: float = 0.0
    shares: list[float] = field(default_factory=list)
    """Of one core, in percent, of each process."""


@dataclass(frozen=True)
class Look:
    """One process at one moment: kibibytes, and seconds of processor time so far."""

    pss: int
    rss: int
    seconds: float


def main() -> None:
    with running() as (product, servers):
        time.sleep(SETTLE_SECONDS)
        kinds = observe({**product(), **servers()}, seconds=SAMPLE_SECONDS, looks=LOOKS)
    of_servers = {name: kinds.pop(name) for name in ("PostgreSQL", "Redis") if name in kinds}
    report(kinds.values(), "the product")
    report(of_servers.values(), "its embedded servers")
    print(f"PSS and RSS in MiB; processor time in percent of one core, over {SAMPLE_SECONDS} s.")


@contextmanager
def running() -> Iterator[tuple[Finder, Finder]]:
    """The product, ready; what finds its processes, and those of the embedded servers, by kind."""
    port = free_port()
    environment = {**os.environ, **fresh_database(), "PORT": str(port), "LOG_LEVEL": "WARNING"}
    process = subprocess.Popen(
        [sys.executable, "-m", "config.embedded"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    try:
        wait_until_all_have_run(port)
        yield lambda: product_of(process.pid), embedded_servers
    finally:
        process.terminate()
        process.wait(60)
        drop_database()


def wait_until_all_have_run(port: int) -> None:
    give_up = time.monotonic() + READY_SECONDS
    while time.monotonic() < give_up:
        with suppress(OSError):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/full", timeout=5) as answer:
                parts = json.load(answer)["parts"]
            if all(parts[name]["status"] == "ok" for name in PERIODIC_PARTS):
                return
        time.sleep(0.5)
    raise RuntimeError("the web server does not answer, or a worker or beat has not run")


def product_of(supervisor: int) -> dict[str, list[int]]:
    """The supervisor, and each line of the Procfile with all that descends from it.

    The kernel lists children in the order of their birth, which is that of the lines.
    """
    names = parse_procfile((ROOT / "Procfile").read_text()).processes
    lines = children_of(supervisor)
    return {
        SUPERVISOR: [supervisor],
        **{name: family_of(pid) for name, pid in zip(names, lines, strict=True)},
    }


def embedded_servers() -> dict[str, list[int]]:
    """PostgreSQL and Redis of this checkout, where the environment names no others."""
    found = {}
    for name, file in (("PostgreSQL", "postgres/postmaster.pid"), ("Redis", "redis/redis.pid")):
        with suppress(OSError):
            found[name] = family_of(int((VAR / "embedded" / file).read_text().split()[0]))
    return found


def family_of(pid: int) -> list[int]:
    return [pid, *(one for child in children_of(pid) for one in family_of(child))]


def observe(families: dict[str, list[int]], *, seconds: float, looks: int) -> dict[str, Kind]:
    """Look at these processes several times, evenly over the time. One that ends meanwhile is an error."""
    seen = {pid: [look_at(pid)] for pids in families.values() for pid in pids}
    began = time.monotonic()
    for number in range(1, looks):
        time.sleep(max(0.0, began + seconds * number / (looks - 1) - time.monotonic()))
        for pid, found in seen.items():
            found.append(look_at(pid))
    lasted = time.monotonic() - began
    return {name: kind_of(name, [seen[pid] for pid in pids], lasted) for name, pids in families.items()}


def look_at(pid: int) -> Look:
    rollup = dict(line.split()[:2] for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return Look(int(rollup["Pss:"]), int(rollup["Rss:"]), (int(fields[11]) + int(fields[12])) / _ticks)


def kind_of(name: str, processes: list[list[Look]], seconds: float) -> Kind:
    return Kind(
        name,
        len(processes),
        sum(median(look.pss for look in looks) for looks in processes) / 1024,
        sum(median(look.rss for look in looks) for looks in processes) / 1024,
        [100 * (looks[-1].seconds - looks[0].seconds) / seconds for looks in processes],
    )


def report(kinds: Iterable[Kind], what: str) -> None:
    """A line a kind, and their sum."""
    kinds = list(kinds)
    if not kinds:
        return
    print(f"\n{what:22}{'processes':>10}{'PSS':>8}{'RSS':>8}{'processor':>11}{'dearest':>9}")
    together = Kind(
        "together",
        sum(kind.processes for kind in kinds),
        sum(kind.pss for kind in kinds),
        sum(kind.rss for kind in kinds),
        [share for kind in kinds for share in kind.shares],
    )
    for kind in (*kinds, together):
        print(
            f"{kind.name:22}{kind.processes:10}{kind.pss:8.0f}{kind.rss:8.0f}"
            f"{sum(kind.shares):10.2f}%{max(kind.shares):8.2f}%"
        )


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
