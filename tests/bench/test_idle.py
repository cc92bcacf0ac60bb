"""What `make bench ARGS=idle` reads of processes, shown on two of our own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench.idle import family_of, observe, report

RESTING = "import time; kept = bytearray(64 * 1024 * 1024); kept[::4096] = b'x' * 16384; time.sleep(60)"
BUSY = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {RESTING!r}])\nwhile True: pass"


@contextmanager
def running(program: str) -> Iterator[int]:
    process = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    try:
        yield process.pid
    finally:
        for pid in family_of(process.pid):
            subprocess.run(["kill", "-9", str(pid)], check=True)
        process.wait()


def test_memory_and_processor_time_are_told_by_kind(capsys) -> None:
    with running(RESTING) as resting, running(BUSY) as busy:
        while len(family_of(busy)) < 2:
            pass
        found = observe({"resting": family_of(resting), "busy": family_of(busy)}, seconds=1.0, looks=3)
    assert (found["resting"].processes, found["busy"].processes) == (1, 2)
    assert found["resting"].rss >= found["resting"].pss > 64
    assert sum(found["busy"].shares) > 10 > sum(found["resting"].shares)
    report(found.values(), "two kinds")
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()[2:]] == [
        ["resting", "1"],
        ["busy", "2"],
        ["together", "3"],
    ]
