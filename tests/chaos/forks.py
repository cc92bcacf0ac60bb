"""A process with Django loaded that forks: hundreds of children can be killed without hundreds of starts.

`python -m tests.chaos.forks` reads one work a line; each is done by a child of its own. `Forks` is the other end.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from subprocess import PIPE

from tests.support.programs import PythonProgram


class Forks:
    """The forking process. One child at a time."""

    def __init__(self, process: PythonProgram) -> None:
        self._process = process

    def run(self, work: str, born: Callable[[int], object] = lambda pid: None) -> list[str]:
        """Have a child do `work`, wait for its end however it ends; the lines it wrote. `born` is told its number."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{work}\n")
        self._process.stdin.flush()
        written = []
        while (line := self._process.stdout.readline().strip()) != "ended":
            assert line, "the forking process is gone"
            word, _, rest = line.partition(" ")
            if word == "born":
                born(int(rest))
            else:
                written.append(line)
        return written


@contextmanager
def forking(**more: object) -> Iterator[Forks]:
    """`more`: settings of the children, from their environment."""
    from tests.support.stack import (  # not in the children, before Django is set up
        test_database_url,
        variables,
    )

    environment = {"DATABASE_URL": test_database_url(), "DATABASE_CONN_MAX_AGE": 0, **more}
    process = PythonProgram(
        ["-m", "tests.chaos.forks"], {**os.environ, **variables(environment)}, stdin=PIPE, stdout=PIPE
    )
    try:
        yield Forks(process)
    finally:
        process.end()


def deliver() -> None:
    """Deliver what is due."""
    from apps.webhooks.deliveries.dispatch import Dispatcher

    Dispatcher().run()


def emit(account_id: str, seconds: str) -> None:
    """Write an event and commit it; be killed so many seconds later, in or after the commit, below zero before it."""
    from django.db import transaction

    from tests.factories.webhooks import emit

    with transaction.atomic():
        event_id = emit(account_id=account_id, environment="test", type="booking.confirmed", data={})
        say(f"written {event_id}")
        if float(seconds) < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        threading.Timer(float(seconds), os.kill, (os.getpid(), signal.SIGKILL)).start()
    say(f"committed {event_id}")
    threading.Event().wait()


def hear(seconds: str) -> None:
    """Follow what suppliers said and poll what is due, again and again; be killed so many seconds later. Below zero: once."""
    from apps.bookings.flow.polling import poll_suppliers
    from apps.bookings.flow.supplier_hints import follow_hints

    if float(seconds) > 0:
        threading.Timer(float(seconds), os.kill, (os.getpid(), signal.SIGKILL)).start()
    pause = threading.Event()
    while True:
        follow_hints()
        poll_suppliers()
        if float(seconds) < 0:
            return
        pause.wait(0.02)


def tell(*arguments: str) -> None:
    """Tell of bookings, slowly, undoing some of it, and be killed now and then: see `feed_writer`."""
    from tests.chaos.feed_writer import tell_of_bookings

    tell_of_bookings(*arguments)


WORKS: dict[str, Callable[..., None]] = {"deliver": deliver, "emit": emit, "hear": hear, "tell": tell}


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main() -> None:
    import django

    django.setup()
    for line in sys.stdin:
        name, *arguments = line.split()
        pid = os.fork()
        if not pid:
            say(f"born {os.getpid()}")
            WORKS[name](*arguments)
            os._exit(0)
        os.waitpid(pid, 0)
        say("ended")


if __name__ == "__main__":
    main()
