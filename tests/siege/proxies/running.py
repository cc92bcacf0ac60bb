"""A reverse proxy of Debian's in front of web processes, with the samples of deploy/ in the templates beside this file."""

import os
import re
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
SAMPLES = HERE.parents[2] / "deploy"
TLS_OF_NGINX = re.compile(r"^ *ssl_.*\n", re.MULTILINE)
PROXIES = {
    "nginx": ("nginx.conf", ["nginx", "-p", "{directory}", "-c", "{file}"]),
    "caddy": ("Caddyfile", ["caddy", "run", "--adapter", "caddyfile", "--config", "{file}"]),
}
READY_SECONDS = 60


def is_there(name: str) -> bool:
    return shutil.which(name) is not None


def sample_of(name: str) -> str:
    """The sample that a deployment begins with, on ports of ours, before one web server, without TLS."""
    if name == "caddy":
        sample = (SAMPLES / "caddy/Caddyfile").read_text()
        sample = sample.replace("127.0.0.1:8000 127.0.0.1:8001", "127.0.0.1:{service}")
        around = "\tadmin off\n\tauto_https off\n\tstorage file_system {directory}\n"
        sample = sample.replace("\n{\n", "\n{\n" + around, 1)
        return sample.replace("api.example.com {", "http://127.0.0.1:{port} {\n\tbind 127.0.0.1", 1)
    both = (SAMPLES / "nginx/upstream.conf").read_text() + (SAMPLES / "nginx/travel-partner.conf").read_text()
    both = both.replace("    server 127.0.0.1:8001 max_fails=1 fail_timeout=5s;\n", "")
    both = both.replace("127.0.0.1:8000", "127.0.0.1:{service}").replace("/var/log/nginx", "{directory}")
    redirect, secure = "listen 80;", "listen 443 ssl http2;"
    both = both.replace(redirect, "listen unix:{directory}/redirect;").replace(
        secure, "listen 127.0.0.1:{port};"
    )
    return TLS_OF_NGINX.sub("", both)


@contextmanager
def in_front(name: str, service: int) -> Iterator[int]:
    """The port of a proxy before the web processes at port `service`."""
    template, command = PROXIES[name]
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="siege-proxy-") as directory:
        file = Path(directory) / template
        text = (HERE / template).read_text()
        values = {"sample": sample_of(name), "directory": directory, "port": port, "service": service}
        for word, value in values.items():
            text = text.replace("{" + word + "}", str(value))
        file.write_text(text)
        command = [word.replace("{directory}", directory).replace("{file}", str(file)) for word in command]
        environment = {
            **os.environ,
            "HOME": directory,
            "XDG_DATA_HOME": directory,
            "XDG_CONFIG_HOME": directory,
        }
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            wait_until_open(port, process)
            yield port
        finally:
            process.terminate()
            process.communicate(timeout=60)


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
