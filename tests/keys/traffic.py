"""Threads that call with one secret until told to stop, and remember when each accepted call began."""

import threading
import time
from types import TracebackType

from django.db import connection

from apps.common.errors import ApiKeyRevoked
from apps.keys import authentication
from tests.embedded.support import eventually


class Traffic:
    def __init__(self, secret: str, *, threads: int) -> None:
        self.accepted: list[float] = []
        self.refused: list[float] = []
        self.errors: list[Exception] = []
        self._secret = secret
        self._stop = threading.Event()
        self._flowing = threading.Barrier(threads + 1)
        self._threads = [threading.Thread(target=self._call) for _ in range(threads)]

    def __enter__(self) -> "Traffic":
        for thread in self._threads:
            thread.start()
        self._flowing.wait(timeout=60)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def until_refused(self, calls: int) -> None:
        """Until so many more calls were refused, or one failed otherwise."""
        enough = len(self.refused) + calls
        assert eventually(lambda: len(self.refused) >= enough or bool(self.errors))

    def _call(self) -> None:
        try:
            authentication.authenticate(self._secret)
            self._flowing.wait(timeout=60)
            while not self._stop.is_set():
                self._call_once()
        except Exception as error:  # a thread's failure is the test's
            self.errors.append(error)
        finally:
            connection.close()

    def _call_once(self) -> None:
        began = time.monotonic()
        try:
            authentication.authenticate(self._secret)
        except ApiKeyRevoked:
            self.refused.append(began)
        else:
            self.accepted.append(began)
        time.sleep(0.001)
