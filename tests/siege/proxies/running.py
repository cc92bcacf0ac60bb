"""A reverse proxy of Debian's in front of web processes, from the templates beside this file."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.ports import free_port

HERE = Path(__file__).parent
PROXIES = {
    "nginx": ("nginx.conf", ["nginx", "-p", "{directory}", "-c", "{file}"]),
    "caddy": ("Caddyfile", ["caddy", "run", "--adapter", "caddyfile", "--config", "{file}"]),
}
READY_SECONDS = 20


def is_there(name: str) -> bool:
    return shutil.which(name) is not None


@contextmanager
def in_front(name: str, service: int) -> Iterator[int]:
    """The port of a proxy before the web processes at port `service`."""
    template, command = PROXIES[name]
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="siege-proxy-") as directory:
        file = Path(directory) / template
        text = (HERE / template).read_text()
        for word, value in {"directory": directory, "port": port, "service": service}.items():
            text = text.replace("{" + word + "}", str(value))
        file.write_text(text)
        words = [word.replace("{directory}", directory).replace("{file}", str(file)) for word in command]
        environment = {
            **os.environ,
            "HOME": directory,
            "XDG_DATA_HOME": directory,
            "XDG_CONFIG_HOME": directory,
        }
        process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            wait_until_open(port, process)
            yield port
        finally:
            process.terminate()
            process.communicate(timeout=20)


def wait_until_open(port: int, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + READY_SECONDS
    while time.monotonic() < give_up and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    process.kill()
    raise RuntimeError(f"{process.args} did not listen: {process.communicate()[1].decode()[-500:]}")
