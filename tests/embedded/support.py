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

BASE_DIR = Path(__file__).resolve().parent.parent.parent
COMMAND = """
import json, os, sys
from pathlib import Path
from config.embedded import prepare_environment
prepare_environment(Path(sys.argv[1]))
print(json.dumps(dict(os.environ)), flush=True)
sys.stdin.read()
"""


def names_in(example: Path) -> list[str]:
    return re.findall(r"^#?([A-Z_]+)=", example.read_text(), re.MULTILINE)


def documented_settings() -> list[str]:
    """The variables in the first column of docs/settings.md."""
    rows = re.findall(r"^\| (`.*?) \|", (BASE_DIR / "docs/settings.md").read_text(), re.MULTILINE)
    return re.findall(r"`([A-Z_]+)`", " ".join(rows))


def bare_environment() -> dict[str, str]:
    """This process's environment without servers and without what comes with the embedded ones."""
    examples = BASE_DIR.glob("apps/*/suppliers/*/env.example")
    settings = {*documented_settings(), *(name for path in examples for name in names_in(path))}
    return {name: value for name, value in os.environ.items() if name not in settings}


class Command:
    """A process that uses the servers under `var` until it is told to leave or is killed."""

    def __init__(self, var: Path, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, str(var)],
            cwd=BASE_DIR,
            env={**bare_environment(), **environment},
            stdin=PIPE,
            stdout=PIPE,
            text=True,
        )

    def environment(self) -> dict[str, str]:
        """What it found in its environment, once the servers are up."""
        found: dict[str, str] = json.loads(self.process.stdout.readline())
        return found

    def leave(self) -> None:
        self.process.communicate()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def eventually(condition: Callable[[], bool], seconds: float = 30) -> bool:
    give_up = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True
