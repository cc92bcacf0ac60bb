"""Python programs of a test's own, in the checkout: `PythonProgram` one that runs, `output` what one said that ended."""

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from tests.support.processes import before_exec

ROOT = Path(__file__).resolve().parents[2]
LONGEST_SECONDS = 300


class PythonProgram(subprocess.Popen[str]):
    """`PythonProgram(["-m", "celery", …], environment)` in a session of its own, sent `death_signal` when this process ends."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        *,
        stdin: IO[str] | IO[bytes] | int | None = subprocess.DEVNULL,
        stdout: IO[str] | IO[bytes] | int | None = None,
        stderr: IO[str] | IO[bytes] | None = None,
        death_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        super().__init__(
            [sys.executable, *words],
            cwd=ROOT,
            env=environment,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            text=True,
            start_new_session=True,
            preexec_fn=before_exec(death_signal),
        )

    def end(self) -> None:
        """Kill it, and leave nothing of it."""
        self.kill()
        self.wait()
        for pipe in (self.stdin, self.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what it was told last it did not read
                    pipe.close()


def output(words: Sequence[str], environment: Mapping[str, str], told: str = "") -> str:
    """What a program wrote that was `told` this. Raises subprocess.CalledProcessError where it failed."""
    ended = done(words, environment, told)
    sys.stderr.write(ended.stderr)
    if ended.code:
        raise subprocess.CalledProcessError(ended.code, list(words), ended.stdout, ended.stderr)
    return ended.stdout


class Done(NamedTuple):
    """What became of a program."""

    code: int
    stdout: str
    stderr: str


def done(words: Sequence[str], environment: Mapping[str, str], told: str = "") -> Done:
    """Have a program run to its end. One that lasts for minutes is killed."""
    ended = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        input=told,
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        preexec_fn=before_exec(signal.SIGKILL),
    )
    return Done(ended.returncode, ended.stdout, ended.stderr)
