"""A second reader as judge: whatever we and h11 both take, we read alike. What two readers read differently can be smuggled."""

import h11
from hypothesis import given, settings
from hypothesis import strategies as st

from config.web.limits import Limits
from config.web.reading import Malformed, RequestReader

LIMITS = Limits()
LINES = st.sampled_from(
    [
        b"Content-Length: 5",
        b"Content-Length: 05",
        b"Content-Length: 7",
        b"content-length: 5",
        b"Content-Length : 5",
        b"Content-Length: 5 ",
        b"Content-Length: 5\t",
        b"Content-Length: 5, 5",
        b"Content-Length:",
        b" Content-Length: 5",
        b"Transfer-Encoding: chunked",
        b"Transfer-Encoding: Chunked",
        b"Transfer-Encoding: \x0bchunked",
        b"Transfer-Encoding: chunked, chunked",
        b"Transfer-Encoding: identity",
        b"Transfer-Encoding:",
        b"Transfer_Encoding: chunked",
        b"X-Folded: a\r\n b",
        b"X-Bare: a\nContent-Length: 7",
        b"X-Return: a\rb",
        b"X-Nul: a\x00b",
        b"X-Text: \xe9\xff",
        b"X-Empty:",
        b":empty name",
        b"no colon",
        b"Connection: close",
        b"Connection: keep-alive",
        b"Expect: 100-continue",
        b"Host: other.example",
    ]
)
BODIES = st.sampled_from(
    [
        b"",
        b"hello",
        b"5\r\nhello\r\n0\r\n\r\n",
        b"5\nhello\n0\n\n",
        b"5 \r\nhello\r\n0\r\n\r\n",
        b"0\r\n\r\n",
        b"0\r\nX-T: a\r\n\r\n",
    ]
)
TARGETS = st.sampled_from(
    [b"/v1/x", b"//v1/x", b"http://a.example/v1/x", b"/v1/%0d%0a", b"/v1 /x", b"/v1/\x00", b"v1", b"*"]
)
FOLLOWING = st.sampled_from([b"", b"GET /v1/second HTTP/1.1\r\nHost: api.example\r\n\r\n"])


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    version = draw(st.sampled_from([b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0"]))
    lines = [b"Host: api.example", *draw(st.lists(LINES, max_size=4))]
    end = draw(st.sampled_from([b"\r\n", b"\r\n", b"\r\n", b"\n"]))
    head = b"POST " + draw(TARGETS) + b" " + version + end + end.join(lines) + end + end
    return head + draw(BODIES) + draw(FOLLOWING)


def ours(sent: bytes) -> list[tuple[bytes, bytes, bytes]] | None:
    reader = RequestReader(LIMITS)
    try:
        reader.feed(sent)
    except Malformed:
        if not reader.ready:
            return None
    return [(one.method.encode(), one.target.encode(), b"".join(one.body)) for one in reader.ready]


def theirs(sent: bytes) -> list[tuple[bytes, bytes, bytes]] | None:
    """What h11 reads of it: whole requests, or None where it refuses the first."""
    connection, found = h11.Connection(h11.SERVER), []
    connection.receive_data(sent)
    try:
        while True:
            request = connection.next_event()
            if not isinstance(request, h11.Request):
                return found
            body = b""
            while isinstance(event := connection.next_event(), h11.Data):
                body += event.data
            if not isinstance(event, h11.EndOfMessage):
                return found
            found.append((request.method, request.target, body))
            connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
            connection.send(h11.EndOfMessage())
            if connection.states[h11.CLIENT] is h11.MUST_CLOSE:
                return found
            connection.start_next_cycle()
    except h11.RemoteProtocolError:
        return found or None


def path_of(target: bytes) -> bytes:
    return b"/" + target.split(b"/", 3)[3] if target.startswith(b"http://") else target


@settings(max_examples=1_500, deadline=None)
@given(requests())
def test_what_both_take_both_read_alike(sent: bytes) -> None:
    us, them = ours(sent), theirs(sent)
    if us is None or them is None:
        return
    them = [(method, path_of(target), body) for method, target, body in them]
    shared = min(len(us), len(them))
    assert us[:shared] == them[:shared]


def test_the_judge_would_notice() -> None:
    honest = b"POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
    assert ours(honest) == theirs(honest) == [(b"POST", b"/v1/x", b"hello")]
    assert theirs(honest.replace(b"5", b"4", 1)) != ours(honest)
