"""Redis."""

import signal
from typing import ClassVar
from urllib.parse import quote

import redis

from config.embedded.servers.base import Server, binary


class Redis(Server):
    """Redis that keeps nothing on disk: nothing in it is the only copy of anything."""

    name = "redis"
    socket_name = "redis.sock"
    stop_signals: ClassVar = {"fast": signal.SIGTERM}

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket))}?db=0"

    def command(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.directory / "run"),
            "save": "",
            "appendonly": "no",
            "maxmemory-policy": "noeviction",
            "databases": "64",  # the tests take one for each of their processes
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return [str(binary("redis-server")), *arguments]

    def answers(self) -> bool:
        client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=1)
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()
