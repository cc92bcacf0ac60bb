"""Processes that start together end together, whoever dies and however."""

import json
import os
import shlex
import signal
import sys
import time
from subprocess import PIPE

import pytest

from config.embedded.supervisor import Supervisor
from tests.embedded.support import Watched, eventually
from tests.support.forked import Forked

pytestmark = pytest.mark.stack

RUN = """
import json, os, sys
from config.embedded.supervisor import Supervisor
sys.exit(Supervisor(json.loads(sys.argv[1])).run(dict(os.environ), lambda: None))
"""
# Says its number and sleeps.
SLEEPER = (
    f"{shlex.quote(sys.executable)} -c 'import os, time; print(os.getpid(), flush=True); time.sleep(60)'"
)


class Supervised:
    """A supervisor in a process of its own, run by `script`; `under` puts another between it and us, as make is."""

    def __init__(self, commands: dict[str, str], under: str = "", script: str = RUN) -> None:
        words = ["-c", script, json.dumps(commands)]
        if under:
            words = ["-c", under, sys.executable, *words]
        self.process = Forked(words, os.environ, stdout=PIPE)

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def sleeper(self) -> Watched:
        return Watched(int(self.line().split("|")[1]))

    def end(self) -> tuple[int, list[str]]:
        assert self.process.stdout is not None
        output = self.process.stdout.read()
        return self.process.wait(30), output.splitlines()

    def kill(self) -> None:
        self.process.end()


def test_lines_carry_the_name_of_the_process_and_the_last_one_needs_no_end():
    supervised = Supervised({"one": "printf 'first\\nsecond'", "other": "sleep 60"})
    code, lines = supervised.end()
    assert lines == ["one   | first", "one   | second", "one   | ended with code 0: stopping everything"]
    assert code == 1  # nothing was supposed to end


def test_what_was_written_last_is_told_before_the_end(capsys):
    """Though nothing of it was read while the process lived."""
    line = "printf 'first\\nsecond'"
    supervisor = Supervisor({"one": line})
    supervisor._start("one", line, dict(os.environ))
    supervisor.processes["one"].wait()
    assert supervisor._ended("one", 0) == 1
    assert capsys.readouterr().out.splitlines() == [
        "one | first",
        "one | second",
        "one | ended with code 0: stopping everything",
    ]


@pytest.mark.parametrize(("ending", "code"), [("exit 3", 3), ("kill -9 $$", 137)])
def test_the_end_of_one_is_the_end_of_all_with_its_code(tmp_path, ending, code):
    go = tmp_path / "go"
    brief = f"sh -c 'while [ ! -e {go} ]; do sleep 0.05; done; {ending}'"
    supervised = Supervised({"sleeper": SLEEPER, "brief": brief})
    sleeper = supervised.sleeper()
    go.touch()
    assert supervised.end() == (code, [f"brief   | ended with code {code}: stopping everything"])
    assert not sleeper.alive


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_told_to_stop_it_lets_its_processes_finish(number):
    finishing = (
        "sh -c 'trap \"sleep 0.3; echo finished; exit 0\" TERM; echo started; while :; do sleep 0.05; done'"
    )
    supervised = Supervised({"web": finishing})
    assert supervised.line() == "web | started"
    supervised.process.send_signal(number)
    assert supervised.end() == (0, ["web | finished"])


def test_a_second_interrupt_waits_no_longer():
    supervised = Supervised({"web": "sh -c 'trap \"\" TERM; echo started; while :; do sleep 0.05; done'"})
    assert supervised.line() == "web | started"
    supervised.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert supervised.process.poll() is None
    supervised.process.send_signal(signal.SIGINT)
    assert supervised.end() == (0, [])


def test_killed_it_leaves_nothing_behind():
    supervised = Supervised({"web": SLEEPER})
    sleeper = supervised.sleeper()
    supervised.kill()
    assert eventually(lambda: not sleeper.alive)


def test_it_stops_when_its_parent_is_killed():
    supervised = Supervised({"web": SLEEPER}, under="import subprocess, sys; subprocess.run(sys.argv[1:])")
    sleeper = supervised.sleeper()
    supervisor = sleeper.parent
    supervised.kill()
    assert eventually(lambda: not sleeper.alive and not supervisor.alive)
