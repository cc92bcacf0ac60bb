"""nginx before two groups of web processes, as in `deploy/nginx` but for ports and TLS, which `deploy/rehearse path` has."""

import os
import re
import signal
import time
from collections.abc import Collection
from pathlib import Path

from tests.deploy.rehearsal.programs import Program
from tests.support.ports import free_port
from tests.support.stack import ROOT

AROUND = """
daemon off;
worker_processes 2;
pid {directory}/nginx.pid;
error_log {directory}/error.log warn;
{user}
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    {upstream}
    {site}
}}
"""
READ_SECONDS = 60


class Front:
    """`tries_another` is whether a call that could not be handed to one group goes to the other one, as in the kit."""

    def __init__(self, directory: Path, groups: tuple[int, int], *, tries_another: bool) -> None:
        directory.mkdir(parents=True)
        self._directory, self._groups, self._tries_another = directory, groups, tries_another
        self.port = free_port()
        self._write(down=())
        words = ["nginx", "-p", directory, "-c", directory / "nginx.conf"]
        self._process = Program(words, directory / "nginx.log")
        self._process.wait_for_port(self.port)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def leave_out(self, *groups: int) -> None:
        """From now on calls go to the others. Returns when those under way are answered: nginx' former processes end."""
        self._write(down=groups)
        before = set(self._process.children())
        self._process.tell(signal.SIGHUP)
        give_up = time.monotonic() + READ_SECONDS
        while (before & set(self._process.children())) and time.monotonic() < give_up:
            time.sleep(0.05)

    def end(self) -> None:
        self._process.end(signal.SIGQUIT)

    def _write(self, down: Collection[int]) -> None:
        upstream = (ROOT / "deploy/nginx/upstream.conf").read_text()
        for known, port in zip(("8000", "8001"), self._groups, strict=True):
            mark = " down" if port in down else ""
            upstream, changed = re.subn(
                rf"127\.0\.0\.1:{known}([^;]*);", rf"127.0.0.1:{port}\1{mark};", upstream
            )
            assert changed == 1
        site = (ROOT / "deploy/nginx/travel-partner.conf").read_text()
        site = re.sub(r"(?s)server \{\s*listen 80;.*?\n\}\n", "", site)
        site = re.sub(r"\n\s*ssl_[^;]*;", "", site)
        site = re.sub(r"listen 443[^;]*;", f"listen 127.0.0.1:{self.port};", site)
        site = re.sub(r"/var/log/nginx", str(self._directory), site)
        if not self._tries_another:
            site = re.sub(r"proxy_next_upstream [^;]*;", "proxy_next_upstream off;", site)
        text = AROUND.format(
            directory=self._directory,
            upstream=upstream,
            site=site,
            user="user root;" if os.geteuid() == 0 else "",
        )
        (self._directory / "nginx.conf").write_text(text)
