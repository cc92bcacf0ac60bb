"""That the peer does what it is compared by, and that the comparison is printed. Nothing is judged by its speed here."""

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench import beside_peer, stays
from tests.bench.server import Server

pytestmark = pytest.mark.stack


class Platform:
    """The peer as a partner of it sees it."""

    def __init__(self, server: Server, secret: str) -> None:
        self._server, self._secret = server, secret

    def ask(self, method: str, path: str, body: object = None, key: str = "key-0001") -> Any:
        headers = {"Authorization": f"Bearer {self._secret}", "Idempotency-Key": key}
        url = f"http://127.0.0.1:{self._server.port}{path}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            url, data, {**headers, "Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def patient() -> Iterator[None]:
    """Servers that wait longer for Redis than they would: other tests run beside."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("REDIS_TIMEOUT_SECONDS", "2")
        yield


@pytest.fixture(scope="module")
def api(patient: None) -> Iterator[Platform]:
    with beside_peer.served_peer() as server:
        (partner,) = beside_peer.made_by("tests.bench.peer.seed", server, 1)
        yield Platform(server, partner["secret"])


def test_the_peer_stores_twenty_offers_and_books_one_of_them_once(api: Platform) -> None:
    before = api.ask("GET", "/v1/account")["availableCents"]
    offers = api.ask("POST", "/v1/hotels/searches", stays.search("Rome"))["offers"]
    body = stays.booking(offers[7]["rateId"])
    booked = [api.ask("POST", "/v1/hotels/bookings", body, key="the-same-key") for _ in range(2)]
    assert len(offers) == 20
    assert (booked[0], booked[0]["totalCents"]) == (booked[1], offers[7]["totalCents"])
    assert api.ask("GET", "/v1/account")["availableCents"] == before - offers[7]["totalCents"]


def test_the_comparison_is_printed(patient: None, capsys: pytest.CaptureFixture[str]) -> None:
    beside_peer.main(rounds=1, seconds=0.5, partners=2)
    lines = capsys.readouterr().out.splitlines()
    rows = {line[:22].strip(): line[22:].split() for line in lines[3:7]}
    assert {name: len(figures) for name, figures in rows.items()} == {
        **dict.fromkeys(stays.CALLS, 7),
        "plain Django view": 2,
    }
    assert all(float(figure) > 0 for figures in rows.values() for figure in figures)
