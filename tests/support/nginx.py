"""Debian's nginx with the configuration of deploy/, in front of one group of web processes."""

import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.ports import free_port
from tests.support.processes import before_exec
from tests.support.stack import ROOT, wait_until_ready

AROUND = """
daemon off; master_process off; worker_processes 1; pid {directory}/nginx.pid; error_log {directory}/error.log crit;
events {{ worker_connections 2048; }}
http {{
    client_body_temp_path {directory}/body; proxy_temp_path {directory}/proxy; fastcgi_temp_path {directory}/f;
    uwsgi_temp_path {directory}/u; scgi_temp_path {directory}/s;
    {configuration}
}}
"""


def configuration(port: int, web_port: int, directory: str) -> str:
    """What a deployment begins with, on ports of ours, before one group of web processes, without TLS."""
    folder = ROOT / "deploy/nginx"
    text = (folder / "upstream.conf").read_text() + (folder / "travel-partner.conf").read_text()
    for pattern, ours in {
        r"^ *server 127\.0\.0\.1:8001.*\n": "",
        r"127\.0\.0\.1:8000": f"127.0.0.1:{web_port}",
        r"listen 80;": f"listen unix:{directory}/redirect;",
        r"listen 443 ssl http2;": f"listen 127.0.0.1:{port};",
        r"^ *ssl_.*\n": "",
        r"/var/log/nginx": directory,
    }.items():
        text, changed = re.subn(pattern, ours, text, flags=re.MULTILINE)
        assert changed, pattern
    return text


@contextmanager
def nginx(web_port: int) -> Iterator[int]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="tests-nginx-") as directory:
        file = Path(directory) / "nginx.conf"
        text = configuration(port, web_port, directory)
        file.write_text(AROUND.format(directory=directory, configuration=text))
        process = subprocess.Popen(
            ["nginx", "-p", directory, "-c", file],
            stderr=subprocess.DEVNULL,
            preexec_fn=before_exec(signal.SIGKILL),
        )
        try:
            wait_until_ready(f"http://127.0.0.1:{port}")
            yield port
        finally:
            process.terminate()
            process.wait(60)
