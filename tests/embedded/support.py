"""Other processes for the tests of the embedded servers: each a command of its own, as `make run` or a script is."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE

from config.embedded.processes import User, birth_of, children_of
from tests.support.forked import Forked

BASE_DIR = Path(__file__).resolve().parent.parent.parent
COMMAND = """
import json, os, sys
from pathlib import Path
from config.embedded import prepare_environment
prepare_environment(Path(sys.argv[1]))
print(json.dumps(dict(os.environ)), flush=True)
sys.stdin.read()
"""

# Reads its task, becomes nobody, tries each thing, and says what came of it.
STRANGER = """
import json, os, sys
import psycopg, psycopg.pq, redis

def attempt(what, *arguments):
    try:
        ATTEMPTS[what](*arguments)
    except (OSError, psycopg.Error, redis.RedisError) as error:
        return type(error).__name__ + ": " + str(error)
    return "done"

ATTEMPTS = {
    "read": lambda path: os.listdir(path) if os.path.isdir(path) else open(path).read(),
    "write": lambda path: open(path, "a").close(),
    "create": lambda path: open(path + "/planted", "x").close(),
    "psycopg": lambda url: psycopg.connect(url, connect_timeout=60).close(),
    "redis": lambda url: redis.Redis.from_url(url, retry=None).ping(),
}
TRIED_BEFORE = {"psycopg": "postgres://x@:1/x?host=/nowhere", "redis": "unix:///nowhere", "read": "/nowhere"}
tasks = json.load(sys.stdin)
for what, arguments in TRIED_BEFORE.items():  # so that nothing is left to import, perhaps from where nobody may not go
    attempt(what, arguments)
uid, gid = map(int, sys.argv[1:])
os.setgroups([]); os.setresgid(gid, gid, gid); os.setresuid(uid, uid, uid)
json.dump([attempt(*task) for task in tasks], sys.stdout)
"""


def bare_environment() -> dict[str, str]:
    """This process's environment without servers and without what comes with the embedded ones."""
    examples = [BASE_DIR / ".env.example", *BASE_DIR.glob("apps/*/suppliers/*/env.example")]
    settings = {
        name for path in examples for name in re.findall(r"^#?([A-Z_]+)=", path.read_text(), re.MULTILINE)
    }
    return {name: value for name, value in os.environ.items() if name not in settings}


class Command:
    """A process that uses the servers under `var` until it is told to leave or is killed."""

    def __init__(self, var: Path, **environment: str) -> None:
        words = ["-c", COMMAND, str(var)]
        self.process = Forked(words, {**bare_environment(), **environment}, stdin=PIPE, stdout=PIPE)

    def environment(self) -> dict[str, str]:
        """What it found in its environment, once the servers are up."""
        assert self.process.stdout is not None
        found: dict[str, str] = json.loads(self.process.stdout.readline())
        return found

    def leave(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def kill(self) -> None:
        self.process.end()


class Watched:
    """A process of somebody else's, told apart from a later one with the same number."""

    def __init__(self, pid: int, birth: str | None = None) -> None:
        self.pid, self.birth = pid, birth or birth_of(pid)
        assert self.birth is not None

    @property
    def alive(self) -> bool:
        return birth_of(self.pid) == self.birth

    @property
    def parent(self) -> "Watched":
        status = Path(f"/proc/{self.pid}/status").read_text()
        return Watched(int(status.split("PPid:")[1].split()[0]))


def watched_children(pid: int) -> list[Watched]:
    """Those that are still there: one may end while they are looked at."""
    births = {child: birth_of(child) for child in children_of(pid)}
    return [Watched(child, birth) for child, birth in births.items() if birth is not None]


def server(var: Path, kind: str) -> Watched:
    return Watched(int((var / kind / f"{kind}.pid").read_text().split()[0]))


def eventually(condition: Callable[[], bool], seconds: float = 30) -> bool:
    give_up = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True


def as_user(user: User, tasks: list[list[str]]) -> list[str]:
    """What became of each task, in that user's hands."""
    done = subprocess.run(
        [sys.executable, "-c", STRANGER, str(user.uid), str(user.gid)],
        input=json.dumps(tasks),
        capture_output=True,
        check=True,
        text=True,
    )
    outcomes: list[str] = json.loads(done.stdout)
    return outcomes
