"""What the fork server starts is a program like any other, but for the libraries that it finds imported."""

import json
import os
import signal
import subprocess
import sys
import time
from subprocess import PIPE

import pytest

from tests.support.forked import ROOT, Forked, output
from tests.support.processes import birth_of

FOUND = """
import json, os, sys
from django.conf import settings
print(json.dumps({
    "parent": os.getppid(),
    "session": os.getsid(0) == os.getpid(),
    "environment": dict(os.environ),
    "words": sys.argv,
    "told": sys.stdin.read(),
    "directory": os.getcwd(),
    "descriptors": len(os.listdir("/proc/self/fd")),
    "settings": settings.configured,
    "ours": [name for name in sys.modules if name.partition(".")[0] in ("apps", "config")],
    "libraries": [name in sys.modules for name in ("celery", "granian", "rest_framework")],
}))
"""
SLEEPER = "import time; print('up', flush=True); time.sleep(60)"
STARTER = f"""
import os, threading
from subprocess import PIPE
from tests.support.forked import Forked
child = Forked(["-c", {SLEEPER!r}], os.environ, stdout=PIPE)
child.stdout.readline()
print(child.pid, flush=True)
threading.Event().wait()
"""


def test_a_fork_has_read_nothing_and_knows_what_it_was_given() -> None:
    found = json.loads(output(["-c", FOUND, "a word"], {"ONE": "1"}, "told\n"))

    assert found == {
        "parent": os.getpid(),
        "session": True,
        "environment": {"ONE": "1"},
        "words": ["-c", "a word"],
        "told": "told\n",
        "directory": str(ROOT),
        "descriptors": 4,  # the three of every program, and the directory that is being read
        "settings": False,
        "ours": [],
        "libraries": [True, True, True],
    }


def test_a_program_that_fails_is_an_error_with_its_code() -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        output(["-c", "print('last words'); raise SystemExit(3)"], os.environ)
    assert (failed.value.returncode, failed.value.output) == (3, "last words\n")


def test_a_program_is_told_and_waited_for_like_any_child() -> None:
    echo = Forked(["-c", "print(input(), flush=True); input()"], os.environ, stdin=PIPE, stdout=PIPE)
    assert echo.stdin is not None
    assert echo.stdout is not None
    print("hello", file=echo.stdin, flush=True)
    assert echo.stdout.readline() == "hello\n"
    assert echo.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        echo.wait(0.01)
    echo.terminate()
    assert echo.wait(30) == echo.poll() == -signal.SIGTERM
    echo.end()


def test_a_fork_ends_with_whoever_started_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTER], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as starter:
        assert starter.stdout is not None
        child = int(starter.stdout.readline())
        birth = birth_of(child)
        starter.kill()
    assert birth is not None
    give_up = time.monotonic() + 30
    while birth_of(child) == birth:
        assert time.monotonic() < give_up
        time.sleep(0.02)
