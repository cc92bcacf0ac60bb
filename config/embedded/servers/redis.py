"""Redis."""

import hashlib
import signal
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import redis

from config.embedded.private import kept_secret
from config.embedded.servers.base import Server

SERVICE = "service"
# All that is done to data, scripts included, and a look at how it is set; not what governs the server, makes it write a
# file or connect elsewhere (CONFIG SET, MODULE, DEBUG, SAVE, REPLICAOF, MIGRATE, SHUTDOWN, ACL …).
RIGHTS = "~* &* +@all -@admin -@dangerous +info +keys +flushdb +flushall +config|get"


class Redis(Server):
    """Redis that keeps nothing on disk: nothing in it is the only copy of anything. It asks for a password."""

    name = "redis"
    socket_name = "redis.sock"
    stop_signals: ClassVar = {"fast": signal.SIGTERM}

    @property
    def home(self) -> Path:
        return self.run

    @property
    def url(self) -> str:
        return f"unix://{SERVICE}:{self._password}@{quote(str(self.socket))}?db=0"

    def command(self, sockets: str) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": f"{sockets}/{self.socket_name}",
            "unixsocketperm": "700",
            "save": "",
            "appendonly": "no",
            "maxmemory-policy": "noeviction",
            "databases": "64",  # the tests take one for each of their processes
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return [self.program("redis-server"), *arguments, "-"]

    def words(self) -> str:
        digest = hashlib.sha256(self._password.encode()).hexdigest()
        return f"user default off\nuser {SERVICE} on #{digest} {RIGHTS}\n"

    def answers(self) -> bool:
        client = redis.Redis.from_url(self.url, socket_timeout=1)
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()

    @property
    def _password(self) -> str:
        return kept_secret(self.directory / "password").strip("=")
