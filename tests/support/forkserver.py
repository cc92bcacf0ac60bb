"""`python -m tests.support.forkserver DESCRIPTOR`: a process that has imported the libraries, and forks where it is told to.

It has read no settings and nothing of ours: what it forks reads both under the environment that it is given, as a program that
was just started does. Orders come through the socket DESCRIPTOR, each with three open files; `tests.support.forked` gives them.
"""

import ctypes
import gc
import json
import os
import runpy
import signal
import socket
import sys
import time
from importlib import import_module
from typing import Any

LONGEST_ORDER = 1 << 20
PR_SET_PDEATHSIG = 1
LIBRARIES = (
    "billiard.popen_fork",
    "celery.app.amqp",
    "celery.app.control",
    "celery.app.log",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.backends.redis",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.contrib.django.task",
    "celery.fixups.django",
    "celery.utils.debug",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.strategy",
    "cffi.cparser",
    "cron_descriptor",
    "crontab",
    "cryptography.fernet",
    "cryptography.x509",
    "csp.middleware",
    "django.contrib.admin.filters",
    "django.contrib.admin.options",
    "django.contrib.auth.hashers",
    "django.contrib.postgres.fields",
    "django.contrib.staticfiles.storage",
    "django.core.management",
    "django.db.backends.postgresql.base",
    "django.db.backends.postgresql.creation",
    "django.db.migrations.executor",
    "django.test.client",
    "django.views.generic",
    "environ",
    "fido2.server",
    "granian.cli",
    "iso4217",
    "kombu.transport.redis",
    "msgspec",
    "orjson",
    "psycopg",
    "pydantic.main",
    "redis",
    "requests",
    "rest_framework.serializers",
    "urllib3",
    "whitenoise.middleware",
    "xml.sax",
)
"""What the service imports and can be imported without settings."""


class Born(BaseException):
    """Raised in a new process, and let through to the top: what it runs there has nothing of the server's below it."""

    def __init__(self, words: list[str]) -> None:
        self.words = words


def load() -> None:
    """The collector is told to forget all this: a page that it has touched is no longer shared."""
    gc.disable()
    for name in LIBRARIES:
        import_module(name)
    gc.freeze()
    gc.enable()


def serve(orders: socket.socket) -> None:
    """Until nobody is left to give any."""
    while True:
        told, handles, _, _ = socket.recv_fds(orders, LONGEST_ORDER, 3)
        if not told:
            return
        pid = fork(orders, json.loads(told), handles)
        for handle in handles:
            os.close(handle)
        orders.send(str(pid).encode())


def fork(orders: socket.socket, order: dict[str, Any], handles: list[int]) -> int:
    """The number of a process whose parent is who gave the order: ours, in between, ends at once."""
    said, saying = os.pipe()
    between = os.fork()
    if not between:
        child = os.fork()
        if child:
            os.write(saying, str(child).encode())
            os._exit(0)
        orders.close()
        os.close(said)
        os.close(saying)
        settle(order, handles)
        raise Born(order["words"])
    os.close(saying)
    os.waitpid(between, 0)
    with os.fdopen(said) as told:
        return int(told.read())


def settle(order: dict[str, Any], handles: list[int]) -> None:
    """Become what a program is that was just started, in a session of its own."""
    os.setsid()
    while os.getppid() not in (order["parent"], 1):
        time.sleep(0.001)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, order["deathSignal"], 0, 0, 0)
    if os.getppid() != order["parent"]:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
        os.close(handle)
    os.environ.clear()
    os.environ.update(order["environment"])


def run(words: list[str]) -> None:
    """What `python …` does. Ends with SystemExit, as a program does, or returns."""
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        exec(words[1], {"__name__": "__main__"})
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever gives the orders ends us
    load()
    try:
        serve(socket.socket(fileno=int(sys.argv[1])))
    except Born as born:
        words = born.words
    else:
        return
    run(words)


if __name__ == "__main__":
    main()
