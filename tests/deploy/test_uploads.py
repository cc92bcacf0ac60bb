"""A logo through the proxies of deploy/, whose limit for every other body is smaller."""

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
import requests
from django.conf import settings

from apps.accounts.models import Branding, Role
from tests.factories.accounts import AccountFactory
from tests.portal.person import Person, member_of
from tests.support.nginx import nginx
from tests.support.pictures import drawn, file_of, noisy
from tests.support.ports import free_port
from tests.support.stack import ROOT, wait_until_ready
from tests.support.tools import needs

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@contextmanager
def caddy(web_port: int) -> Iterator[int]:
    """Debian's, with the configuration of deploy/ on a port of ours, without TLS."""
    port, admin = free_port(), free_port()
    text = (ROOT / "deploy/caddy/Caddyfile").read_text()
    for theirs, ours in {
        "{\n\tservers {": f"{{\n\tadmin 127.0.0.1:{admin}\n\tauto_https off\n\tservers {{",
        "{$SITE_NAME:api.example.com} {": f"http://127.0.0.1:{port} {{",
        "{$UPSTREAMS:127.0.0.1:8000 127.0.0.1:8001} {": f"127.0.0.1:{web_port} {{",
    }.items():
        assert theirs in text
        text = text.replace(theirs, ours, 1)
    with tempfile.TemporaryDirectory(prefix="tests-caddy-") as directory:
        file = Path(directory) / "Caddyfile"
        file.write_text(text)
        process = subprocess.Popen(
            ["caddy", "run", "--adapter", "caddyfile", "--config", file],
            env={"PATH": "/usr/bin:/usr/local/bin", "HOME": directory},
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until_ready(f"http://127.0.0.1:{port}")
            yield port
        finally:
            process.terminate()
            process.wait(60)


PROXIES: dict[str, Callable[[int], AbstractContextManager[int]]] = {"nginx": nginx, "caddy": caddy}


@pytest.mark.parametrize(
    "proxy", [pytest.param(proxy, marks=needs(name), id=name) for name, proxy in PROXIES.items()]
)
def test_a_logo_passes_and_what_is_larger_is_refused_on_its_page(live_server, proxy) -> None:
    owner = member_of(AccountFactory(), Role.OWNER)
    with proxy(int(live_server.url.rpartition(":")[2])) as port:
        browser = Browser(owner, f"http://127.0.0.1:{port}")
        good = file_of(noisy((800, 800)))
        assert 1_900_000 < len(good) < 2 * 1024**2
        assert browser.upload(good) == (302, "/portal/branding/")
        assert Branding.objects.get().logo
        assert browser.upload(file_of(noisy((900, 900)))) == (400, None)
        status, address = browser.upload(bytes(3_500_000))
        assert (status, urlsplit(address).query) == (303, "logo=too-large")
        assert "a logo has at most 2 MiB" in browser.session.get(urljoin(browser.url, address)).text
        assert browser.upload(file_of(drawn(size=(900, 30))), "/portal/branding/")[0] == 302
        refused = 413 if proxy is nginx else 503  # Caddy 2.6 cuts a body that it buffers
        assert browser.upload(good, "/portal/branding/")[0] == refused


class Browser:
    """Without the header that a browser sends with the port, which the proxies do not pass on."""

    def __init__(self, person: Person, url: str) -> None:
        self.url, self.session = url, requests.Session()
        cookie = person.client.cookies[settings.SESSION_COOKIE_NAME]
        self.session.cookies.set(settings.SESSION_COOKIE_NAME, cookie.value)

    def upload(self, content: bytes, path: str = "/portal/branding/logo/") -> tuple[int, str | None]:
        self.session.get(f"{self.url}/portal/branding/")
        token = {"csrfmiddlewaretoken": self.session.cookies[settings.CSRF_COOKIE_NAME]}
        files = {"logo": ("logo.png", content, "image/png")}
        answer = self.session.post(f"{self.url}{path}", token, files=files, allow_redirects=False)
        return answer.status_code, answer.headers.get("Location")
