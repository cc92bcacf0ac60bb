"""Redis with a replica, a Sentinel that promotes it, and haproxy, which leads to whichever of the two is the master."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import redis

from tests.deploy.rehearsal.programs import Program
from tests.support.ports import free_port
from tests.support.stack import ROOT

SECONDS = 60


class RedisPair:
    """`url` is what the service is told: haproxy's address, which stays."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        directory.mkdir(parents=True)
        self._ports = {name: free_port() for name in ("one", "two")}
        self._sentinel_port, self.port = free_port(), free_port()
        self._servers = {name: self._server(name) for name in self._ports}
        self._client("two").replicaof("127.0.0.1", self._ports["one"])
        self._wait_until(lambda: self.role("two") == "slave" and self._follows("two"))
        self._sentinel = self._start_sentinel()
        self._proxy = self._start_proxy()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def role(self, name: str) -> str:
        return str(self._client(name).info("replication")["role"])

    @property
    def master(self) -> str:
        for name in self._ports:
            try:
                if self.role(name) == "master":
                    return name
            except redis.ConnectionError:
                continue
        raise RuntimeError("No Redis is the master.")

    def kill_master(self) -> str:
        """kill -9. Returns its name, for `bring_back`."""
        name = self.master
        self._servers[name].kill()
        return name

    def kill_all(self) -> list[str]:
        """kill -9 of both. Returns their names for `start_all`, the master's first."""
        master = self.master
        names = sorted(self._servers, key=lambda name: name != master)
        for name in names:
            self._servers[name].kill()
        return names

    def start_all(self, names: list[str]) -> None:
        """They come back empty, and the first is the master again."""
        first, second = names
        for name in names:
            self._servers[name].start()
            self._servers[name].wait_for_port(self._ports[name])
        self._client(first).replicaof("NO", "ONE")
        self._client(second).replicaof("127.0.0.1", self._ports[first])
        self._wait_until(lambda: self.role(first) == "master" and self._follows(second))

    def forget(self, pattern: str) -> None:
        """Delete these keys."""
        client = self._client(self.master)
        for key in client.scan_iter(pattern):
            client.delete(key)

    def bring_back(self, name: str) -> None:
        """It starts empty; Sentinel makes it a replica of the other."""
        self._servers[name].start()
        self._wait_until(lambda: self.role(name) == "slave" and self._follows(name))

    def end(self) -> None:
        for process in (self._proxy, self._sentinel, *self._servers.values()):
            process.end()

    def _server(self, name: str) -> Program:
        text = (ROOT / "deploy/redis/redis.conf").read_text()
        text, changed = re.subn(r"(?m)^port \d+$", f"port {self._ports[name]}", text)
        assert changed == 1
        file = self._directory / f"{name}.conf"
        file.write_text(f"{text}\ndir {self._directory}\nrepl-diskless-sync-delay 0\n")
        server = Program(["redis-server", file], self._directory / f"{name}.log")
        server.wait_for_port(self._ports[name])
        return server

    def _start_sentinel(self) -> Program:
        file = self._directory / "sentinel.conf"
        text = (ROOT / "deploy/redis/sentinel.conf").read_text()
        text = text.replace("port 26379", f"port {self._sentinel_port}")
        # One Sentinel decides here; a deployment has three on three hosts.
        text = re.sub(
            r"sentinel monitor .*", f"sentinel monitor travel-partner 127.0.0.1 {self._ports['one']} 1", text
        )
        file.write_text(text)
        sentinel = Program(["redis-sentinel", file], self._directory / "sentinel.log")
        sentinel.wait_for_port(self._sentinel_port)
        client = redis.Redis(port=self._sentinel_port)
        self._wait_until(lambda: len(client.execute_command("SENTINEL", "REPLICAS", "travel-partner")) == 1)
        return sentinel

    def _start_proxy(self) -> Program:
        file = self._directory / "haproxy.cfg"
        text = (ROOT / "deploy/redis/haproxy.cfg").read_text()
        text = text.replace("127.0.0.1:6380", f"127.0.0.1:{self.port}")
        text = text.replace("port 26379", f"port {self._sentinel_port}")
        for host, port in {"127.0.0.1": self._ports["one"], "127.0.0.2": self._ports["two"]}.items():
            named, ours = f"{host}\\r\\n$4\\r\\n6379", f"127.0.0.1\\r\\n${len(str(port))}\\r\\n{port}"
            assert named in text
            assert f"{host}:6379" in text
            text = text.replace(named, ours).replace(f"{host}:6379", f"127.0.0.1:{port}")
        file.write_text(text)
        proxy = Program(["haproxy", "-f", file, "-db"], self._directory / "haproxy.log")
        proxy.wait_for_port(self.port)
        self._wait_until(lambda: bool(redis.Redis(port=self.port, socket_timeout=1).ping()))
        return proxy

    def _client(self, name: str) -> "redis.Redis":
        return redis.Redis(port=self._ports[name], socket_timeout=1)

    def _follows(self, name: str) -> bool:
        return bool(self._client(name).info("replication")["master_link_status"] == "up")

    def _wait_until(self, holds: Callable[[], bool]) -> None:
        give_up = time.monotonic() + SECONDS
        while time.monotonic() < give_up:
            try:
                if holds():
                    return
            except (redis.RedisError, KeyError):
                pass
            time.sleep(0.05)
        raise RuntimeError("Redis, its replica or its Sentinel does not come to where it should.")
