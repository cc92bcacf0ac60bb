"""Processes that are forked from one with the application in memory: they are like programs that were started."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from honcho.environ import parse_procfile

from config.embedded.preloaded import words_of
from tests.embedded.support import BASE_DIR, Watched, eventually
from tests.embedded.test_supervisor import Supervised

pytestmark = pytest.mark.stack

RUN = """
import json, os, sys
sys.path.insert(0, os.environ["MODULES"])
from config.embedded import preloaded, sharing
from config.embedded.supervisor import Supervisor
sharing._held.append(os.open(os.devnull, os.O_RDONLY))
commands = json.loads(sys.argv[1])
try:
    sys.exit(Supervisor(commands, preloaded=True).run({**os.environ, "TOLD": "yes"}, lambda: None))
except preloaded.Born as born:
    words = born.words
preloaded.run_line(words)
"""
CHILD = """
import atexit, os, signal, sys, time
atexit.register(print, "left")
print(os.getpid())
print(sys.argv[1:], __name__, os.environ["TOLD"], os.getsid(0) == os.getpid(), os.read(0, 1))
print(open("/proc/self/comm").read().strip(), len(os.listdir("/proc/self/fd")))
print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, file=sys.stderr)
if "exit" in sys.argv:
    sys.exit(3)
time.sleep(60)
"""
LOADED = """
import gc, json, os, sys, threading
from config.embedded import preloaded
preloaded.load()
links = [os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd") if name not in "012"
         and os.path.exists(f"/proc/self/fd/{name}")]
print(json.dumps([threading.active_count(), links, gc.isenabled(), gc.get_freeze_count(),
                  "apps.portal.urls" in sys.modules, "apps.webhooks.tasks" in sys.modules]))
"""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a_child.py").write_text(CHILD)
    monkeypatch.setenv("MODULES", str(tmp_path))
    return tmp_path


def supervised(commands: dict[str, str]) -> Supervised:
    return Supervised(commands, script=RUN)


def test_the_words_of_a_line_are_the_shells() -> None:
    line = "python -m some.module --name 'two words' ${PLACES:-2} $HERE"
    assert words_of(line, {"HERE": "there"}) == [
        *("python", "-m", "some.module", "--name", "two words", "2", "there")
    ]
    assert words_of("sleep 60", {}) is None
    assert words_of("python -m some.module; sleep 60", {}) is None


def test_every_line_of_the_procfile_can_be_forked() -> None:
    lines = parse_procfile((BASE_DIR / "Procfile").read_text()).processes
    programs = {name: (words_of(line, {}) or [])[2:3] for name, line in lines.items()}
    assert programs == {
        "web": ["granian"],
        **{name: ["celery"] for name in ("worker", "suppliers", "long", "dispatcher", "beat")},
    }


def test_a_forked_process_is_like_one_that_was_started(modules: Path) -> None:
    running = supervised({"first": "python -m a_child exit"})
    code, lines = running.end()
    assert code == 3
    assert lines[1:] == [
        "first | ['exit'] __main__ yes True b''",
        "first | first 4",  # the three of every program, and the directory that is being read
        "first | True",
        "first | left",
        "first | ended with code 3: stopping everything",
    ]


def test_the_end_of_one_is_the_end_of_the_other_that_was_forked(modules: Path) -> None:
    go = modules / "go"
    brief = f"sh -c 'while [ ! -e {go} ]; do sleep 0.05; done; exit 4'"
    running = supervised({"one": "python -m a_child", "brief": brief})
    child = Watched(int(running.line().split("|")[1]))
    go.touch()
    code, _ = running.end()
    assert (code, child.alive) == (4, False)


def test_killed_it_leaves_no_forked_process_behind(modules: Path) -> None:
    running = supervised({"one": "python -m a_child"})
    child = Watched(int(running.line().split("|")[1]))
    running.kill()
    assert eventually(lambda: not child.alive)


def test_loading_opens_no_connection_and_starts_no_thread() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=BASE_DIR, capture_output=True, text=True, check=True
    )
    threads, links, collects, frozen, pages, tasks = json.loads(done.stdout)
    assert (threads, links) == (1, [])
    assert (collects, pages, tasks) == (True, True, True)
    assert frozen > 100_000
