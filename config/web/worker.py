"""gunicorn's worker class: one process of the web server. Its main thread keeps time, the others serve."""

import os
import sys
import time

from django.apps import apps
from django.conf import settings
from gunicorn.workers.base import Worker

from apps.common import connections
from config.web import plain_look_ups
from config.web.limits import MEBIBYTE, configured
from config.web.memory import Memory
from config.web.server import Server

TICK_SECONDS = 0.25
SWITCH_SECONDS = 0.001
"""How long a thread computes before another may. At Python's 5 ms a short call waits that long, several times over, for each
thread that computes. A tenth of a millisecond is too short: threads then only take turns.
"""
REST_SECONDS = 3.0
REPLACED_SECONDS = 60.0
"""How long a process that has grown too large waits for its calls before it is replaced all the same."""


class EdgeWorker(Worker):
    """Serves until it is told to stop or has grown too large, then lets its calls end. gunicorn starts another."""

    def run(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        connections.take_over()
        plain_look_ups.take_over()
        server = Server(
            [getattr(one, "sock", one) for one in self.sockets], self.wsgi, configured(), settings.WEB_THREADS
        )
        server.start()
        _watch_tasks()
        memory = Memory(settings.WEB_MEMORY_MIB * MEBIBYTE)
        wait = float(self.cfg.graceful_timeout)
        rest_at = 0.0
        while self.alive and self.ppid == os.getppid():
            self._tick(server)
            if time.monotonic() >= rest_at:
                rest_at = time.monotonic() + REST_SECONDS
                memory.rest()
                if memory.is_over:
                    self.log.warning("web process %s is above WEB_MEMORY_MIB: another replaces it", self.pid)
                    wait = REPLACED_SECONDS
                    break
        self._stop(server, time.monotonic() + wait)

    def _tick(self, server: Server) -> None:
        self.notify()
        server.keep_time()
        time.sleep(TICK_SECONDS)

    def _stop(self, server: Server, give_up: float) -> None:
        server.stop_accepting()
        while not server.done and time.monotonic() < give_up:
            self._tick(server)
        server.close()


def _watch_tasks() -> None:
    """Imported here: gunicorn reads this file before the application, and so before there are models. The peers of the benchmark
    are served by this class too, and have none of ours.
    """
    if apps.is_installed("apps.gateway"):
        from apps.gateway.periodic.watching import keep_watch

        keep_watch()
