"""Processes that are born with the application in memory: forks of one that has read it, and not programs of their own.

`make run` starts the Python lines of the Procfile so: what none of them changes is read once, and is in memory once instead of a
dozen times. Where each line is started by itself, as in production, none of this takes part.
"""

import gc
import os
import re
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import BinaryIO

import django

from config.embedded.processes import die_with_parent, name_process
from config.embedded.sharing import give_up_locks

PYTHON_LINE = re.compile(r"python -m [^;&|<>`\n]+")
PROGRAMS = (
    "apps.common.beat",
    "billiard.popen_fork",
    "billiard.sharedctypes",
    "celery.app.amqp",
    "celery.app.control",
    "celery.app.log",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.strategy",
    "cffi.cparser",
    "config.urls",
    "granian.cli",
    "kombu.transport.redis",
)
"""What the lines would import beside the application, once they run."""


class Born(BaseException):
    """Raised in a new process: whoever started it lets it through to the top and calls `run_line` there."""

    def __init__(self, words: list[str]) -> None:
        self.words = words


def load() -> None:
    """Import the application and what runs it. No connection is opened and no thread started: neither outlives a fork.

    The collector touches every object that it knows, and a touched page is no longer shared: it is told to forget these.
    """
    gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup(set_prefix=False)
    for name in PROGRAMS:
        import_module(name)
    celery = import_module("config.celery").app
    celery.loader.import_default_modules()
    celery.finalize()
    gc.freeze()
    gc.enable()


def words_of(command: str, environment: Mapping[str, str]) -> list[str] | None:
    """The words of a line that only runs a Python module, as the shell reads them; None for any other line."""
    if not PYTHON_LINE.fullmatch(command):
        return None
    told = subprocess.run(
        ["/bin/sh", "-c", f"printf '%s\\0' {command}"], env=environment, stdout=subprocess.PIPE, check=True
    )
    return told.stdout.decode().split("\0")[:-1]


class Fork:
    """A child of this process, in a session of its own, as `subprocess.Popen` would tell of it."""

    def __init__(
        self, name: str, words: list[str], environment: Mapping[str, str], leave: Callable[[], None]
    ) -> None:
        """Raises Born in the child. `leave` closes there what is only ours."""
        parent = os.getpid()
        output, written = os.pipe()
        born, bearing = os.pipe()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            leave()
            os.close(output)
            os.close(born)
            _settle(name, parent, written, environment)
            os.close(bearing)
            raise Born(words)
        os.close(written)
        os.close(bearing)
        os.read(born, 1)  # nothing, once it is a process like others, or has ended
        os.close(born)
        self.stdout: BinaryIO = os.fdopen(output, "rb", buffering=0)

    def poll(self) -> int | None:
        return self._ask(os.WNOHANG)

    def wait(self) -> int | None:
        return self._ask(0)

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def _ask(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def run_line(words: list[str]) -> None:
    """What `python -m module …` does, in this process. Ends with SystemExit, as a program does, or returns."""
    _, _, module, *arguments = words
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _settle(name: str, parent: int, output: int, environment: Mapping[str, str]) -> None:
    """Become what a program is that was just started: its own session, signals, output and environment."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    die_with_parent(signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)
    name_process(name)
    give_up_locks()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, number in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, number)
    os.close(nothing)
    os.close(output)
    os.environ.update(environment)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, write_through=True)  # type: ignore[union-attr]
