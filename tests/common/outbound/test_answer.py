"""Careless answers over a connection that the server keeps open: delivered, and the connection is used again if that is safe."""

import gzip

import pytest

from apps.common.outbound.answer import MAX_HEAD, Answer, BadAnswer, read_body
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.http import Limits, SupplierHTTP
from apps.webhooks.causes import Cause
from apps.webhooks.retry_schedule import Outcome
from apps.webhooks.sender import Sender
from tests.support.wire import wire
from tests.webhooks.sender.conftest import post

END = b"Content-Length: 2\r\n\r\nok"
DELIVERIES = 3

CARELESS = {
    "a name that is not ASCII": b"HTTP/1.1 200 OK\r\nX-S\xc3\xa9rver: 1\r\n" + END,
    "a line without a colon": b"HTTP/1.1 200 OK\r\nServed by us\r\n" + END,
    "a space before the colon": b"HTTP/1.1 200 OK\r\nX-A : b\r\n" + END,
    "a space before the colon of the length": b"HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
    "an empty name": b"HTTP/1.1 200 OK\r\n: b\r\n" + END,
    "a space in a name": b"HTTP/1.1 200 OK\r\nX A: b\r\n" + END,
    "a value that is not ASCII": b"HTTP/1.1 200 OK\r\nX-A: \xff\xfe\r\n" + END,
    "NUL in a value": b"HTTP/1.1 200 OK\r\nX-A: b\0c\r\n" + END,
    "CR in a value": b"HTTP/1.1 200 OK\r\nX-A: b\rc\r\n" + END,
    "a folded value": b"HTTP/1.1 200 OK\r\nX-A: b\r\n  c: d\r\n" + END,
    "a folded length": b"HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\nok",
    "a fold of nothing": b"HTTP/1.1 200 OK\r\n  c: d\r\n" + END,
    "a line of spaces": b"HTTP/1.1 200 OK\r\n  \r\n" + END,
    "bare line feeds": b"HTTP/1.1 200 OK\nX-A: b\nContent-Length: 2\n\nok",
    "doubled carriage returns": b"HTTP/1.1 200 OK\r\r\nContent-Length: 2\r\r\n\r\r\nok",
    "a lower-case version": b"http/1.1 200 ok\r\n" + END,
    "no reason": b"HTTP/1.1 200\r\n" + END,
    "a reason that is not ASCII": b"HTTP/1.1 200 D\xe9j\xe0\r\n" + END,
    "two spaces before the status": b"HTTP/1.1  200 OK\r\n" + END,
    "an empty line first": b"\r\nHTTP/1.1 200 OK\r\n" + END,
    "a later version": b"HTTP/1.2 200 OK\r\n" + END,
    "1.0 that keeps": b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n" + END,
    "careless interim answers": b"HTTP/1.1 103 \xe9\r\nLink\r\n\r\nhttp/1.1 100\n\nHTTP/1.1 200 OK\r\n" + END,
    "the length twice": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 02, 2\r\n\r\nok",
    "an identity coding": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n" + END,
    "many headers": b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 5_000 + END,
    "a large head": b"HTTP/1.1 200 OK\r\nX-A: " + b"b" * (MAX_HEAD - 100) + b"\r\n" + END,
    "chunked after an odd line": b"HTTP/1.1 200 OK\r\nodd\r\ntransfer-encoding : Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "chunks with bare line feeds": b"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n02 ;x\nok\n0\nX-T\n\n",
}

# The body is read where its end is certain. The connection is not used again.
ONCE = {
    "close": (b"HTTP/1.1 200 OK\r\nodd\r\nConnection: x, Close\r\n" + END, b"ok"),
    "1.0": (b"HTTP/1.0 200 OK\r\n" + END, b"ok"),
    "bytes after the answer": (b"HTTP/1.1 200 OK\r\n" + END + b"HTTP/1.1 500 No\r\n", b"ok"),
    "chunked with a length": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        b"ok",
    ),
    "204 with a length": (b"HTTP/1.1 204 None\r\nContent-Length: 2\r\n\r\n", b""),
}

AMBIGUOUS = {
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 200\r\n\r\nok",
    "two lengths in one line": b"HTTP/1.1 200 OK\r\nContent-Length: 2, 200\r\n\r\nok",
    "two lengths, one with a space": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length : 200\r\n\r\nok",
    "a signed length": b"HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
    "a length in hexadecimal": b"HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nok",
    "a length with NUL": b"HTTP/1.1 200 OK\r\nContent-Length: 2\x000\r\n\r\nok",
    "an endless length": b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\nok",
    "an empty length": b"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nok",
    "an unknown coding": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "chunked twice": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a signed chunk size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+2\r\nok\r\n0\r\n\r\n",
    "a negative chunk size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nok\r\n0\r\n\r\n",
}

NOT_HTTP = {
    "a head without end": b"HTTP/1.1 200 OK\r\nX-A: " + b"b" * 2 * MAX_HEAD,
    "headers without end": b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 20_000,
    "another protocol": b"HTTP/2 200\r\n" + END,
    "no status": b"HTTP/1.1 OK\r\n" + END,
    "a status of two digits": b"HTTP/1.1 20\r\n" + END,
    "a status of four digits": b"HTTP/1.1 2000 OK\r\n" + END,
    "a status that is not ASCII": "HTTP/1.1 ２００ OK\r\n".encode() + END,
}


def table(answers: dict[str, object]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("answer", answers.values(), ids=answers.keys())


@table(CARELESS)
def test_a_careless_head_costs_neither_the_delivery_nor_the_connection(sender: Sender, answer: bytes) -> None:
    with wire() as server:
        server.acts.append(server.serves(answer))
        got = [post(sender, f"{server.url}/") for _ in range(DELIVERIES)]
        assert [(one.status_code, one.body, one.cause) for one in got] == [(200, "ok", None)] * DELIVERIES
        assert server.connections == 1


@table(ONCE)
def test_a_connection_is_not_used_again_where_what_follows_is_uncertain(
    sender: Sender, answer: tuple[bytes, bytes]
) -> None:
    raw, body = answer
    with wire() as server:
        server.acts.append(server.serves(raw))
        got = [post(sender, f"{server.url}/") for _ in range(DELIVERIES)]
        assert [(one.outcome, one.body.encode()) for one in got] == [(Outcome.ACCEPTED, body)] * DELIVERIES
        assert server.connections == DELIVERIES


@table(AMBIGUOUS)
def test_an_ambiguous_length_is_not_waited_for_and_the_status_counts(sender: Sender, answer: bytes) -> None:
    with wire() as server:
        server.acts.append(server.serves(answer))
        got = [post(sender, f"{server.url}/") for _ in range(DELIVERIES)]
        assert [(one.outcome, one.body) for one in got] == [(Outcome.ACCEPTED, "")] * DELIVERIES
        assert server.connections == DELIVERIES


@table(NOT_HTTP)
def test_what_is_not_http_is_reported_at_once(sender: Sender, answer: bytes) -> None:
    with wire() as server:
        server.acts.append(server.serves(answer))
        got = post(sender, f"{server.url}/")
        assert (got.status_code, got.cause) == (None, Cause("not_http", "what came back is not HTTP"))


def test_a_head_cut_short_counts_by_its_status(sender: Sender) -> None:
    with wire() as server:
        server.acts.append(server.answers(b"HTTP/1.1 200 OK\r\nContent-Le"))
        assert post(sender, f"{server.url}/").outcome is Outcome.ACCEPTED


@table(CARELESS)
def test_a_supplier_may_be_as_careless(answer: bytes) -> None:
    with wire() as server:
        server.acts.append(server.serves(answer))
        client = SupplierHTTP("acme", base_url=server.url)
        replies = [client.write("POST", "/orders"), client.read("GET", "/a"), client.read("GET", "/a")]
        assert [(reply.status, reply.body) for reply in replies] == [(200, b"ok")] * 3
        assert server.connections == 1


@table({**AMBIGUOUS, **NOT_HTTP})
def test_an_ambiguous_answer_to_a_write_is_of_unknown_outcome_at_once(answer: bytes) -> None:
    with wire() as server:
        server.acts.append(server.serves(answer))
        client = SupplierHTTP("acme", base_url=server.url)
        with pytest.raises(OutcomeUnknown, match="BadAnswer after sending"):
            client.write("POST", "/orders", limits=Limits(read=60, total=60))


def body(raw: bytes, max_bytes: int = 1000, **headers: str) -> bytes:
    lines = [f"{name.replace('_', '-')}: {value}\r\n".encode() for name, value in headers.items()]
    wire = iter([b"HTTP/1.1 200 OK\r\n" + b"".join(lines) + b"\r\n" + raw])
    return read_body(Answer(lambda: next(wire, b"")), max_bytes=max_bytes)


def test_a_body_is_read_whole() -> None:
    assert body(b"ok", Content_Length="2") == b"ok"
    assert body(b"ok") == b"ok"
    assert body(b"", Content_Length="0") == b""


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", " GZIP "])
def test_gzip_is_unpacked(encoding: str) -> None:
    assert body(gzip.compress(b"ok"), Content_Encoding=encoding) == b"ok"


def test_an_empty_body_is_empty_however_it_is_called() -> None:
    assert body(b"", Content_Encoding="gzip", Content_Length="0") == b""


@pytest.mark.parametrize(
    ("raw", "headers"),
    [
        (b"ok", {"Content_Length": "3"}),
        (gzip.compress(b"ok")[:-1], {"Content_Encoding": "gzip"}),
        (b"ok", {"Content_Encoding": "gzip"}),
        (b"ok", {"Content_Encoding": "br"}),
        (b"x" * 1001, {}),
        (gzip.compress(b"x" * 1001), {"Content_Encoding": "gzip"}),
    ],
    ids=["cut short", "gzip cut short", "no gzip", "another packing", "too large", "too large unpacked"],
)
def test_what_is_no_whole_body_is_refused(raw: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(BadAnswer):
        body(raw, **headers)
