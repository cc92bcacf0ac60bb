"""The table of readings: each request is read as its sender meant, or refused."""

import gc
import weakref

import pytest

from config.web.limits import Limits
from config.web.reading import MAX_PIPELINED, Malformed, Request, RequestReader

LIMITS = Limits(head_bytes=2_000, head_fields=20, body_bytes=100)
HOST = b"Host: api.example\r\n"


def read(*pieces: bytes) -> RequestReader:
    reader = RequestReader(LIMITS)
    for piece in pieces:
        reader.feed(piece)
    return reader


def post(headers: bytes, body: bytes = b"") -> bytes:
    return b"POST /v1/x HTTP/1.1\r\n" + HOST + headers + b"\r\n" + body


def test_a_request_is_ready_when_its_last_byte_has_come() -> None:
    whole = post(b"Content-Length: 5\r\n", b"hello")
    assert len(whole) > 1
    for cut in range(1, len(whole)):
        reader = read(whole[:cut])
        assert (list(reader.ready), reader.begun) == ([], True)
        reader.feed(whole[cut:])
        (request,) = reader.ready
        assert (request.method, request.target, request.body) == ("POST", "/v1/x", request.body)
        assert b"".join(request.body) == b"hello"
        assert request.keep_alive


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(post(b"Content-Length: 5\r\nContent-Length: 5\r\n", b"hello"), 400, id="length twice"),
        pytest.param(post(b"Content-Length: 5\r\nContent-Length: 6\r\n", b"hello"), 400, id="two lengths"),
        pytest.param(
            post(b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"), 400, id="both"
        ),
        pytest.param(
            post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"), 400, id="both, turned"
        ),
        pytest.param(post(b"Content-Length: +5\r\n", b"hello"), 400, id="signed length"),
        pytest.param(post(b"Content-Length: 5,5\r\n", b"hello"), 400, id="list of lengths"),
        pytest.param(post(b"Content-Length: 0x5\r\n", b"hello"), 400, id="hexadecimal length"),
        pytest.param(post(b"Content-Length: -1\r\n"), 400, id="negative length"),
        pytest.param(post(b"Content-Length:\r\n"), 400, id="empty length"),
        pytest.param(post(b"Content-Length: 99999999999999999999999\r\n"), 400, id="length beyond 64 bits"),
        pytest.param(post(b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n"), 501, id="two codings"),
        pytest.param(post(b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"), 501, id="unknown coding"),
        pytest.param(post(b"Transfer-Encoding: chunked\r\n", b"0\r\nX-Late: 1\r\n\r\n"), 400, id="trailers"),
        pytest.param(
            post(b"Transfer-Encoding: chunked\r\n", b"5\nhello\r\n0\r\n\r\n"), 400, id="chunk with bare LF"
        ),
        pytest.param(
            post(b"Transfer-Encoding: chunked\r\n", b"0x5\r\nhello\r\n0\r\n\r\n"), 400, id="chunk size"
        ),
        pytest.param(post(b"X-Long: a\r\n b\r\n"), 400, id="folded header"),
        pytest.param(post(b"X-Long : a\r\n"), 400, id="space before the colon"),
        pytest.param(post(b"X\x00Y: a\r\n"), 400, id="NUL in a name"),
        pytest.param(post(b"X-Y: a\x00b\r\n"), 400, id="NUL in a value"),
        pytest.param(post(b"X-Y: a\rb\r\n"), 400, id="bare CR"),
        pytest.param(b"POST /v1/x HTTP/1.1\nHost: a\n\n", 400, id="bare LF"),
        pytest.param(post(b"X_Forwarded_For: 1.2.3.4\r\n"), 400, id="underscore"),
        pytest.param(post(b"Idempotency_Key: abcdefgh\r\n"), 400, id="underscore in our own"),
        pytest.param(post(b"Authorization: Bearer a\r\nauthorization: Bearer b\r\n"), 400, id="two keys"),
        pytest.param(post(HOST), 400, id="two hosts"),
        pytest.param(post(b"Content-Type: a/b\r\nContent-Type: application/json\r\n"), 400, id="two types"),
        pytest.param(
            post(b"Idempotency-Key: 12345678\r\nIdempotency-Key: 12345678\r\n"), 400, id="two keys of one"
        ),
        pytest.param(b"GET /v1/x HTTP/1.1\r\n\r\n", 400, id="no host"),
        pytest.param(b"GET v1/x HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="not a path"),
        pytest.param(b"GET /v1/x#y HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="fragment"),
        pytest.param(b"GET /v1/\xc3\xa9 HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="bytes beyond ASCII"),
        pytest.param(b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="asterisk"),
        pytest.param(b"CONNECT a:443 HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="tunnel"),
        pytest.param(
            b"GET http://user@host/v1/x HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="user in the target"
        ),
        pytest.param(
            b"GET http://a/v1/x HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="absolute target of another host"
        ),
        pytest.param(b"FROBNICATE /v1/x HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="unknown method"),
        pytest.param(b"get /v1/x HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="method in lower case"),
        pytest.param(b"GET /v1/x\r\n\r\n", 505, id="HTTP/0.9"),
        pytest.param(b"GET /v1/x HTTP/1.2\r\n" + HOST + b"\r\n", 400, id="HTTP/1.2"),
        pytest.param(b"GET /v1/x HTTP/2.0\r\n" + HOST + b"\r\n", 505, id="HTTP/2.0 in text"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, id="HTTP/2"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00", 400, id="TLS"),
        pytest.param(post(b"Expect: 200-ok\r\n"), 417, id="other expectation"),
        pytest.param(post(b"X-Long: " + b"a" * 3_000 + b"\r\n"), 431, id="large header"),
        pytest.param(b"GET /" + b"a" * 3_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 431, id="long target"),
        pytest.param(post(b"".join(b"X-%d: a\r\n" % number for number in range(30))), 431, id="many headers"),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(sent: bytes, status: int) -> None:
    reader = RequestReader(LIMITS)
    with pytest.raises(Malformed) as refusal:
        reader.feed(sent)
    assert refusal.value.status == status
    assert (list(reader.ready), reader.ended) == ([], True)


def test_a_header_without_an_end_is_refused_before_it_ends() -> None:
    reader = read(b"GET / HTTP/1.1\r\nX-Long: ")
    for _ in range(19):
        reader.feed(b"a" * 100)
    with pytest.raises(Malformed) as refusal:
        reader.feed(b"a" * 100)
    assert refusal.value.status == 431


@pytest.mark.parametrize(
    "begun", [b"0\r\nX", b"0\r\nX-Long: ", b"1;", b"1;a=", b"5\r\nhello\r\n0\r\nX"], ids=repr
)
def test_a_trailer_or_a_chunk_extension_without_an_end_is_refused_before_it_ends(begun: bytes) -> None:
    reader = read(post(b"Transfer-Encoding: chunked\r\n", begun))
    for _ in range(20):
        reader.feed(b"a" * 100)
    with pytest.raises(Malformed) as refusal:
        reader.feed(b"a" * 100)
    assert (refusal.value.status, reader.ended) == (431, True)


def test_a_body_in_chunks_of_a_byte_may_come_in_more_bytes_than_headers_may_have() -> None:
    reader = RequestReader(Limits(head_bytes=200, body_bytes=100))
    reader.feed(b"POST /v1/x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n")
    for _ in range(100):
        for piece in (b"1", b"\r\n", b"x", b"\r\n"):
            reader.feed(piece)
    reader.feed(b"0\r\n\r\n")
    assert [b"".join(request.body) for request in reader.ready] == [b"x" * 100]


@pytest.mark.parametrize(
    ("sent", "target", "host"),
    [
        (
            b"GET http://a.example:80/v1/x?a=b HTTP/1.1\r\nHost: A.example:80\r\n\r\n",
            "/v1/x?a=b",
            "A.example:80",
        ),
        (b"GET HTTP://api.example HTTP/1.1\r\nHost: api.example\r\n\r\n", "/", "api.example"),
        (b"GET http://api.example/ HTTP/1.0\r\n\r\n", "/", "api.example"),
        (b"GET //v1//x HTTP/1.1\r\nHost: api.example\r\n\r\n", "//v1//x", "api.example"),
        (b"GET /v1/%00%2Fx HTTP/1.0\r\nHost: api.example\r\n\r\n", "/v1/%00%2Fx", "api.example"),
    ],
)
def test_targets_are_read_as_they_were_meant(sent: bytes, target: str, host: str) -> None:
    (request,) = read(sent).ready
    assert (request.target, request.headers["host"]) == (target, host)


@pytest.mark.parametrize(
    ("headers", "name", "value"),
    [
        (b"X-Forwarded-For: 1.1.1.1\r\nx-forwarded-for: 2.2.2.2\r\n", "x-forwarded-for", "1.1.1.1,2.2.2.2"),
        (b"Cookie: a=1\r\nCookie: b=2\r\n", "cookie", "a=1; b=2"),
        (b"X-Partner-Customer-Ref: sbx_\xe9\r\n", "x-partner-customer-ref", "sbx_é"),
        (b"X-Spaced: \t a b \t\r\n", "x-spaced", "a b"),
    ],
)
def test_headers_are_joined_and_trimmed(headers: bytes, name: str, value: str) -> None:
    (request,) = read(post(headers + b"Content-Length: 0\r\n")).ready
    assert request.headers[name] == value


def test_a_chunked_body_is_read_to_its_end() -> None:
    reader = read(post(b"Transfer-Encoding: chunked\r\n", b"5;a=b\r\nhello\r\n3\r\n ab\r\n0\r\n"))
    assert not reader.ready
    reader.feed(b"\r\n")
    assert b"".join(reader.ready[0].body) == b"hello ab"


@pytest.mark.parametrize(
    "sent",
    [
        post(b"Content-Length: 101\r\n", b"a" * 101),
        post(b"Content-Length: 101\r\n"),
        post(b"Transfer-Encoding: chunked\r\n", b"65\r\n" + b"a" * 101 + b"\r\n0\r\n\r\n"),
    ],
)
def test_a_body_that_is_too_large_is_not_kept(sent: bytes) -> None:
    reader = read(sent)
    (request,) = reader.ready
    assert (request.unread, request.body, reader.ended) == (True, [], True)
    assert int(request.headers["content-length"]) > LIMITS.body_bytes


def test_pipelined_requests_come_in_order_and_are_bounded() -> None:
    one = post(b"Content-Length: 2\r\n", b"ab")
    reader = read(one + one[:30], one[30:])
    assert [b"".join(request.body) for request in reader.ready] == [b"ab", b"ab"]
    many = read(one * (MAX_PIPELINED + 5))
    assert many.ended


def test_what_follows_a_last_request_is_not_read_as_another() -> None:
    reader = RequestReader(LIMITS)
    with pytest.raises(Malformed):
        reader.feed(post(b"Connection: close\r\nContent-Length: 0\r\n") + post(b"Content-Length: 0\r\n"))
    assert [request.keep_alive for request in reader.ready] == [False]


def test_an_upgrade_is_not_accepted_and_ends_the_connection() -> None:
    reader = read(b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
    assert (len(reader.ready), reader.ended) == (1, True)


UPGRADE = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
"""What Java's own HttpClient sends with its first request over plain http, and `curl --http2`."""


@pytest.mark.parametrize(
    ("framing", "sent"),
    [
        (b"Content-Length: 5\r\n", b"hello"),
        (b"Transfer-Encoding: chunked\r\n", b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"),
    ],
    ids=["length", "chunked"],
)
def test_the_body_of_a_request_that_asks_for_an_upgrade_is_read(framing: bytes, sent: bytes) -> None:
    whole = post(UPGRADE + framing, sent)
    assert whole.endswith(sent)
    for cut in range(len(whole)):
        reader = read(*filter(None, (whole[:cut], whole[cut:])))
        (request,) = reader.ready
        assert (b"".join(request.body), request.method, request.target) == (b"hello", "POST", "/v1/x")
        assert (request.keep_alive, reader.ended, reader.in_body) == (False, True, False)
        assert request.headers["upgrade"] == "h2c"


def test_half_a_body_of_a_request_that_asks_for_an_upgrade_is_waited_for() -> None:
    reader = read(post(UPGRADE + b"Content-Length: 5\r\n", b"he"))
    assert (list(reader.ready), reader.in_body, reader.ended) == ([], True, False)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (post(UPGRADE + b"Transfer-Encoding: chunked\r\n", b"no\r\n"), 400),
        (post(UPGRADE + b"Transfer-Encoding: chunked\r\n", b"0\r\nX-Late: 1\r\n\r\n"), 400),
        (post(UPGRADE + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"), 400),
    ],
)
def test_an_upgrade_makes_no_reading_looser(sent: bytes, status: int) -> None:
    with pytest.raises(Malformed) as refusal:
        read(sent)
    assert refusal.value.status == status


def test_a_body_beside_an_upgrade_may_be_no_larger() -> None:
    for framing in (b"Content-Length: 101\r\n", b"Transfer-Encoding: chunked\r\n"):
        reader = read(post(UPGRADE + framing, b"65\r\n" + b"x" * 101))
        assert [request.unread for request in reader.ready] == [True]


def test_a_client_that_asks_is_told_to_continue() -> None:
    reader = read(post(b"Content-Length: 2\r\nExpect: 100-Continue\r\n"))
    assert reader.asks_to_continue
    assert not read(post(b"Content-Length: 999\r\nExpect: 100-continue\r\n")).asks_to_continue


def requests_in_memory() -> int:
    """Those of this file: a server of another test may still have a thread that ends, with a request of its own."""
    return sum(isinstance(one, Request) and one.target == "/v1/x" for one in gc.get_objects())


def test_what_a_connection_sent_goes_with_it() -> None:
    """And does not wait until Python looks for objects that refer to each other: bodies of 256 KiB piled up."""
    gc.collect()
    before = requests_in_memory()
    gc.disable()
    try:
        reader = read(post(b"Content-Length: 5\r\n", b"hello"), post(b"Content-Length: 9\r\n", b"half"))
        assert requests_in_memory() == before + 2
        gone = weakref.ref(reader)
        reader.close()
        del reader
        assert (gone(), requests_in_memory()) == (None, before)
    finally:
        gc.enable()


def test_a_reader_does_not_keep_the_request_that_was_taken_from_it() -> None:
    gc.collect()
    before = requests_in_memory()
    reader = read(post(b"Content-Length: 5\r\n", b"hello"))
    assert reader.ready.popleft().method == "POST"
    assert requests_in_memory() == before
