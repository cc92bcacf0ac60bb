"""`{"maxPenaltyCents": 0}` on its way to a cancellation that costs something, over every transport that there may be."""

import json
import time
from collections.abc import Callable

from tests.siege.goods import CONTACT, NAMES
from tests.siege.reading import http2
from tests.siege.reading.cases import chunked
from tests.siege.reading.sending import SECONDS
from tests.siege.stage import Stage
from tests.siege.wire import call, connected, read_by

LIMIT = b'{"maxPenaltyCents":0}'


class Buyer:
    """Books hotels at rates that are lost when they are cancelled."""

    def __init__(self, stage: Stage) -> None:
        self.port, self.key = stage.port, stage.partners["victim"]["testKey"]
        self.api = stage.api("victim", "test")
        hotels = self.api.post("/v1/hotels/searches", {}).body["hotels"]
        self.rate = next(rate for hotel in hotels for rate in hotel["rates"] if not rate["refundable"])[
            "rateId"
        ]

    def book(self) -> str:
        guests = [{**NAMES, "type": "adult"}]
        made = self.api.post(
            "/v1/hotels/bookings", {"rateId": self.rate, "guests": guests, "contact": CONTACT}
        )
        assert made.status == 201, made.body
        return str(made.body["id"])

    def status_of(self, booking: str) -> str:
        return str(self.api.get(f"/v1/hotels/bookings/{booking}").body["status"])

    def head(self, booking: str, *more: str, version: str = "HTTP/1.1") -> bytes:
        lines = [
            f"POST {path(booking)} {version}",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {self.key}",
            f"Idempotency-Key: cancel-{time.monotonic_ns()}",
            "Content-Type: application/json",
            *more,
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def send(self, raw: bytes) -> int | None:
        return call(self.port, raw, seconds=SECONDS).status or None


def path(booking: str) -> str:
    return f"/v1/hotels/bookings/{booking}/cancel"


LENGTH = f"Content-Length: {len(LIMIT)}"


def with_length(buyer: Buyer, booking: str) -> int | None:
    return buyer.send(buyer.head(booking, LENGTH) + LIMIT)


def in_chunks(buyer: Buyer, booking: str) -> int | None:
    return buyer.send(buyer.head(booking, "Transfer-Encoding: chunked") + chunked(LIMIT))


def in_chunks_with_a_trailer(buyer: Buyer, booking: str) -> int | None:
    body = chunked(LIMIT, b"X-Late: 1\r\n")
    return buyer.send(buyer.head(booking, "Transfer-Encoding: chunked") + body)


def in_disguised_chunks(buyer: Buyer, booking: str) -> int | None:
    return buyer.send(buyer.head(booking, "Transfer-Encoding: xchunked") + chunked(LIMIT))


def by_http_1_0(buyer: Buyer, booking: str) -> int | None:
    return buyer.send(buyer.head(booking, LENGTH, version="HTTP/1.0") + LIMIT)


def when_asked_for(buyer: Buyer, booking: str) -> int | None:
    with connected(buyer.port) as connection:
        connection.sendall(buyer.head(booking, LENGTH, "Expect: 100-continue"))
        connection.settimeout(SECONDS)
        connection.recv(100)
        connection.sendall(LIMIT)
        return read_by(connection, seconds=SECONDS).status or None


def byte_by_byte(buyer: Buyer, booking: str) -> int | None:
    with connected(buyer.port) as connection:
        connection.sendall(buyer.head(booking, LENGTH))
        for number in range(len(LIMIT)):
            time.sleep(0.01)
            connection.sendall(LIMIT[number : number + 1])
        return read_by(connection, seconds=SECONDS).status or None


def by_http_2(buyer: Buyer, booking: str, *, said: bool, pieces: int) -> int | None:
    answer = http2.post(buyer.port, path(booking), buyer.key, LIMIT, with_length=said, pieces=pieces)
    if not answer:
        return None
    return 409 if json.loads(answer).get("error", {}).get("type") == "conflict" else 200


TRANSPORTS: dict[str, Callable[[Buyer, str], int | None]] = {
    "HTTP/1.1 with a length": with_length,
    "HTTP/1.1 in chunks": in_chunks,
    "HTTP/1.1 in chunks with a trailer": in_chunks_with_a_trailer,
    "HTTP/1.1 in chunks under another name": in_disguised_chunks,
    "HTTP/1.1 byte by byte": byte_by_byte,
    "HTTP/1.1 after 100-continue": when_asked_for,
    "HTTP/1.0": by_http_1_0,
    "HTTP/2 with a length": lambda buyer, booking: by_http_2(buyer, booking, said=True, pieces=1),
    "HTTP/2 without a length": lambda buyer, booking: by_http_2(buyer, booking, said=False, pieces=1),
    "HTTP/2 without a length, in pieces": lambda buyer, booking: by_http_2(
        buyer, booking, said=False, pieces=3
    ),
}
