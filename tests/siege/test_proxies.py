"""Behind a proxy, nobody chooses the address that they seem to call from: nginx and Caddy as Debian packs them, with the samples
of deploy/.

A key may be used from 203.0.113.7 alone; the calls come from elsewhere and say otherwise in every way that there is.
"""

from collections.abc import Iterator

import pytest

from tests.siege.proxies.running import PROXIES, in_front, is_there
from tests.siege.stage import Stage
from tests.siege.wire import call
from tests.support.tools import REQUIRED

pytestmark = pytest.mark.stack

ALLOWED = "203.0.113.7"
FORGERIES = {
    "nothing": "",
    "X-Forwarded-For": f"X-Forwarded-For: {ALLOWED}\r\n",
    "in small letters": f"x-forwarded-for: {ALLOWED}\r\n",
    "with underscores": f"X_Forwarded_For: {ALLOWED}\r\n",
    "half with underscores": f"X_Forwarded-For: {ALLOWED}\r\n",
    "underscores and the real one": f"X-Forwarded-For: 198.51.100.1\r\nX_Forwarded_For: {ALLOWED}\r\n",
    "twice": f"X-Forwarded-For: {ALLOWED}\r\nX-Forwarded-For: {ALLOWED}\r\n",
    "a comma at the end": f"X-Forwarded-For: {ALLOWED},\r\n",
    "many commas": f"X-Forwarded-For: {ALLOWED},,,,\r\n",
    "a space before the colon": f"X-Forwarded-For : {ALLOWED}\r\n",
    "folded": f"X-Forwarded-For: 198.51.100.1,\r\n {ALLOWED}\r\n",
    "folded after its name": f"X-Forwarded-For:\r\n {ALLOWED}\r\n",
    "another header's fold": f"X-Odd: a\r\n X-Forwarded-For: {ALLOWED}\r\n",
    "a bare CR": f"X-Odd: a\rX-Forwarded-For: {ALLOWED}\r\n",
    "a bare LF": f"X-Odd: a\nX-Forwarded-For: {ALLOWED}\r\n",
    "a NUL at the end": f"X-Forwarded-For: {ALLOWED}\x00\r\n",
    "named hop by hop": f"Connection: close, X-Forwarded-For\r\nX-Forwarded-For: {ALLOWED}\r\n",
    "hundreds": "X-Forwarded-For: " + ", ".join([ALLOWED] * 400) + "\r\n",
    "as IPv6": f"X-Forwarded-For: ::ffff:{ALLOWED}\r\n",
    "Forwarded": f"Forwarded: for={ALLOWED}\r\n",
    "X-Real-IP": f"X-Real-IP: {ALLOWED}\r\n",
    "X-Client-IP": f"X-Client-IP: {ALLOWED}\r\n",
    "True-Client-IP": f"True-Client-IP: {ALLOWED}\r\n",
    "CF-Connecting-IP": f"CF-Connecting-IP: {ALLOWED}\r\n",
    "X-Cluster-Client-IP": f"X-Cluster-Client-IP: {ALLOWED}\r\n",
    "Remote-Addr": f"Remote-Addr: {ALLOWED}\r\nREMOTE_ADDR: {ALLOWED}\r\n",
    "in the target": f"Host: {ALLOWED}\r\n",
}


@pytest.fixture(scope="module")
def behind_one_proxy(stage: Stage) -> int:
    """The port of web processes that trust the proxy in front of them."""
    return stage.web_port


@pytest.fixture(scope="module", params=list(PROXIES))
def proxy(request: pytest.FixtureRequest, behind_one_proxy: int) -> Iterator[int]:
    if not is_there(request.param):
        if REQUIRED:
            pytest.fail(f"There is no {request.param}")
        pytest.skip(f"waits for {request.param}, which .ci/run installs and REQUIRE_BROWSER=1 demands")
    with in_front(request.param, behind_one_proxy) as port:
        yield port


def account_read(port: int, key: str, headers: str = "", *, source: str = "127.0.0.1") -> int:
    lines = (
        f"GET /v1/account HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {key}\r\n{headers}\r\n"
    )
    return call(port, lines.encode("latin-1"), source=source, seconds=30).status


@pytest.mark.parametrize("forgery", FORGERIES)
def test_no_header_makes_a_call_come_from_elsewhere(forgery: str, proxy: int, stage: Stage) -> None:
    key = stage.partners["pinned"]["testKey"]
    assert account_read(proxy, key, FORGERIES[forgery]) in {400, 403}


@pytest.fixture(scope="module")
def without_a_proxy(stage: Stage) -> Iterator[int]:
    with stage.another_web(TRUSTED_PROXY_COUNT="0") as port:
        yield port


@pytest.mark.parametrize("forgery", FORGERIES)
def test_without_a_proxy_no_header_says_where_a_call_comes_from(
    forgery: str, without_a_proxy: int, stage: Stage
) -> None:
    key = stage.partners["pinned"]["testKey"]
    assert account_read(without_a_proxy, key, FORGERIES[forgery]) in {400, 403}


def test_behind_a_proxy_the_caller_is_who_connects_to_it(proxy: int, stage: Stage) -> None:
    """So that the refusals above mean something."""
    key = stage.partners["near"]["testKey"]
    assert account_read(proxy, key, source="127.0.0.9") == 200
    assert account_read(proxy, key, source="127.0.0.8") == 403
    assert account_read(proxy, key, "X-Forwarded-For: 127.0.0.9\r\n", source="127.0.0.8") == 403


def test_a_header_with_an_underscore_ends_at_the_proxy(proxy: int, stage: Stage) -> None:
    key = stage.partners["near"]["testKey"]
    assert account_read(proxy, key, "X_Odd: 1\r\n", source="127.0.0.9") == 200
