"""A web process as gunicorn runs it: replaced when it is too large, with nobody's call cut off."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import urllib3

from config.embedded.processes import before_exec, children_of
from config.web.limits import MEBIBYTE
from config.web.memory import Memory, resident_bytes
from tests.support.ports import free_port
from tests.support.stack import ROOT, variables, wait_until_ready

pytestmark = pytest.mark.stack


@contextmanager
def gunicorn(**own: object) -> Iterator[tuple[str, int]]:
    """The address and process of a web server with these variables, on the servers of this checkout."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--config", "config/web/gunicorn.py", "config.wsgi:application"],
        cwd=ROOT,
        env={**os.environ, **variables({"PORT": port, "WEB_LOG_LEVEL": "critical", **own})},
        preexec_fn=before_exec(signal.SIGTERM),
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(url, "/health")
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(40)


def test_a_process_above_its_ceiling_is_replaced_and_no_call_is_lost() -> None:
    with gunicorn(WEB_WORKERS=2, WEB_MEMORY_MIB=1) as (url, pid):
        first, statuses = set(children_of(pid)), set()
        give_up = time.monotonic() + 30
        while first & set(children_of(pid)) and time.monotonic() < give_up:
            statuses.add(urllib3.request("GET", f"{url}/health", retries=False, timeout=10).status)
            time.sleep(0.05)
        assert not first & set(children_of(pid))
        assert statuses == {200}


def test_a_process_gives_back_what_a_large_request_took() -> None:
    Memory(ceiling_bytes=0).give_back()  # else what earlier tests left free would take in what follows
    memory = Memory(ceiling_bytes=resident_bytes() + 64 * MEBIBYTE)
    assert not memory.is_over
    kept = [bytearray(os.urandom(1_000)) for _ in range(100_000)]
    assert memory.is_over
    kept.clear()
    assert not memory.is_over


def test_memory_that_was_in_use_at_one_look_is_given_back_at_a_later_one() -> None:
    Memory(ceiling_bytes=0).give_back()
    memory, before = Memory(ceiling_bytes=0), resident_bytes()
    kept = [bytearray(os.urandom(1_000)) for _ in range(100_000)]
    memory.rest()
    kept.clear()
    memory.rest()
    assert resident_bytes() < before + 32 * MEBIBYTE


def test_without_a_ceiling_no_process_is_too_large() -> None:
    assert not Memory(ceiling_bytes=0).is_over
