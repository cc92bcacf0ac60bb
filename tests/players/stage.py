"""The live service, a partner of its own, and a receiver that takes every delivery; and the programs that play."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.demo.partner import direct_session
from tests.demo.stage import new_key, own_service
from tests.demo.telling import Failed
from tests.support.receiver import receiving

PLACE = Path(__file__).resolve().parents[2] / "var" / "players"
PLAY_SECONDS = 600
LAST_LINES = 40


@dataclass(frozen=True)
class Stage:
    base_url: str
    key: str
    receiver: str

    def download(self, address: str) -> bytes:
        answer = direct_session().get(self.base_url + address, timeout=60)
        if answer.status_code != 200:
            raise Failed(f"{address} answered {answer.status_code}")
        return answer.content


@contextmanager
def on_stage() -> Iterator[Stage]:
    PLACE.mkdir(parents=True, exist_ok=True)
    with own_service() as base_url, receiving() as receiver:
        yield Stage(base_url, new_key(), receiver.url)


def play(tool: str, arguments: Sequence[str], place: Path = PLACE) -> subprocess.CompletedProcess[str]:
    """Run one of the programs of package.json. Whether it is content is for the caller to read."""
    program = PLACE / "node_modules" / ".bin" / tool
    if not program.exists():
        raise Failed(f"{tool} is not installed: `make collections` or `make workflows` sees to it")
    return subprocess.run(
        [str(program), *arguments],
        cwd=place,
        env={**os.environ, "NO_COLOR": "1", "NO_UPDATE_NOTIFIER": "1"},
        capture_output=True,
        text=True,
        timeout=PLAY_SECONDS,
    )


def last_words(done: subprocess.CompletedProcess[str]) -> str:
    return "\n".join((done.stdout + done.stderr).strip().splitlines()[-LAST_LINES:])
