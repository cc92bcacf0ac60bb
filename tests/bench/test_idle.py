"""What `make bench ARGS=idle` reads of processes, shown on two of our own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench.idle import family_of, observe, report

RESTING = """
import time
kept = bytearray(64 * 1024 * 1024)
kept[::4096] = b'x' * 16384
print('ready', flush=True)
time.sleep(600)
"""
BUSY = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {RESTING!r}])\nwhile True: pass"


@contextmanager
def running(program: str) -> Iterator[int]:
    """Its number, once the one that rests, itself or its child, has said that it does."""
    process = subprocess.Popen(
        [sys.executable, "-c", program], start_new_session=True, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"ready\n"
        yield process.pid
    finally:
        for pid in family_of(process.pid):
            subprocess.run(["kill", "-9", str(pid)], check=True)
        process.wait()
        process.stdout.close()


def test_memory_and_processor_time_are_told_by_kind(capsys) -> None:
    with running(RESTING) as resting, running(BUSY) as busy:
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
