"""One reading of a request: llhttp splits the bytes, and whatever two readers could understand differently is refused.

A proxy in front and the service must see the same request. So each header that means one thing comes once, names have no
underscore (WSGI folds `X_Forwarded_For` into `X-Forwarded-For`), a body has one length, and HTTP/1.1 names its host.
"""

from collections import deque
from dataclasses import dataclass, field

import httptools

from config.web.limits import Limits

ONCE = frozenset(
    {
        "authorization",
        "content-length",
        "content-type",
        "expect",
        "host",
        "idempotency-key",
        "origin",
        "referer",
        "transfer-encoding",
        "user-agent",
        "x-forwarded-proto",
        "x-partner-customer-ref",
        "x-real-ip",
    }
)
"""Headers that a request may carry once. Others are lists, joined with commas in their order, as RFC 9110 says."""

MAX_PIPELINED = 16
"""Requests that may wait on one connection for the answer to the one before them."""


class Malformed(Exception):
    """The request is refused before anything reads it. The connection ends with the answer."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message, self.status = message, status


@dataclass(slots=True)
class Request:
    """A request, read whole."""

    method: str
    target: str
    """As sent, without the scheme and host of an absolute one."""
    version: str
    """1.0 or 1.1."""
    headers: dict[str, str]
    """By lower-case name."""
    keep_alive: bool
    body: list[bytes] = field(default_factory=list)
    unread: bool = False
    """The body was too large to be read; the connection ends with the answer."""
    path: str = field(init=False)
    """The target without its query."""
    query: str = field(init=False)

    def __post_init__(self) -> None:
        self.path, _, self.query = self.target.partition("?")


class RequestReader:
    """What one connection sends, bytes in and whole requests out (`ready`). llhttp calls the `on_…` methods."""

    def __init__(self, limits: Limits) -> None:
        self.ready: deque[Request] = deque()
        self.in_body = False
        self.begun = False
        """Whether a request has begun that is not whole yet."""
        self.buffered = 0
        """Bytes of its body so far."""
        self.asks_to_continue = False
        self.ended = False
        """Nothing more is read from this connection."""
        self._limits = limits
        self._parser: httptools.HttpRequestParser | None = httptools.HttpRequestParser(self)
        self._body_bytes = 0
        self._fed = 0
        self._refusal: Malformed | None = None
        self._start()

    def _start(self) -> None:
        self._url = b""
        self._head_bytes = 0
        self._fields: list[tuple[bytes, bytes]] = []
        self._request: Request | None = None

    def feed(self, data: bytes) -> None:
        """Raises Malformed; what was ready before it may still be answered."""
        in_head, buffered, whole = not self.in_body, self.buffered, len(self.ready)
        assert self._parser is not None
        try:
            self._parse(data)
        except httptools.HttpParserError as error:
            self.ended = True
            raise self._refusal or _unreadable(error) from None
        came_on = self.in_body and (in_head or self.buffered > buffered)
        if self.ended or came_on or len(self.ready) > whole:
            self._fed = 0
        else:  # a header, a chunk's size or a trailer, of which llhttp tells nothing before its end
            self._fed += len(data)
            if self._fed > self._limits.head_bytes:
                self.ended = True
                raise Malformed("The headers are too large.", 431)
        if len(self.ready) > MAX_PIPELINED:
            self.ended = True

    def close(self) -> None:
        """Nothing more comes. Parser and reader refer to each other: together they would stay in memory, with a body."""
        self.ended = True
        self._parser = self._request = None
        self.ready.clear()

    def _parse(self, data: bytes) -> None:
        """An upgrade is not accepted: the request is answered as it stands, and is the last of its connection."""
        assert self._parser is not None
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            if self._request is None:
                self.ended = True
                return
            self._request.keep_alive = False
            self._parser = parser_of_body(self._request, BodyReader(self))
            self._parser.feed_data(data[upgrade.args[0] :])

    # --- llhttp's callbacks: an exception ends the parsing, so that refusals are kept aside -------------------------
    def on_message_begin(self) -> None:
        self._start()
        self.begun = True
        if self.ended:
            self._refuse("The connection was to end with the request before.")

    def on_url(self, url: bytes) -> None:
        self._url += url
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._request is not None:
            self._refuse("A body may not be followed by trailers.")
        self._fields.append((name, value))
        if len(self._fields) > self._limits.head_fields:
            self._refuse("There are too many headers.", 431)
        self._count(len(name) + len(value))

    def on_headers_complete(self) -> None:
        assert self._parser is not None
        version = self._parser.get_http_version()
        if version not in ("1.0", "1.1"):
            self._refuse("This service speaks HTTP/1.1.", 505)
        headers = self._headers(version)
        self._request = Request(
            self._parser.get_method().decode("ascii"),
            self._target(headers),
            version,
            headers,
            self._parser.should_keep_alive() and version == "1.1",
        )
        self.in_body = True
        self._body_bytes = self._limits.body_bytes_of(self._request.target)
        if "content-length" in headers and int(headers["content-length"]) > self._body_bytes:
            self._end_unread()
        self.asks_to_continue = (
            headers.get("expect") == "100-continue" and version == "1.1" and not self.ended
        )

    def on_body(self, body: bytes) -> None:
        if self._request is None or self.ended:
            return
        self.buffered += len(body)
        if self.buffered > self._body_bytes:
            self._end_unread()
        else:
            self._request.body.append(body)

    def on_message_complete(self) -> None:
        if not (self.ended or self._leaves_body()):
            self._complete()

    def _leaves_body(self) -> bool:
        """Whether llhttp calls a request whole before its body, because it asks for an upgrade."""
        assert self._parser is not None
        if self._request is None or not self._parser.should_upgrade():
            return False
        headers = self._request.headers
        return "transfer-encoding" in headers or int(headers.get("content-length", 0)) > 0

    # --- their parts ------------------------------------------------------------------------------------------------
    def _complete(self) -> None:
        assert self._request is not None
        self.ready.append(self._request)
        self.in_body = self.begun = self.asks_to_continue = False
        self.buffered = 0
        if not self._request.keep_alive:
            self.ended = True
        self._request = None  # whoever answers it has it; a connection that idles keeps no body

    def _end_unread(self) -> None:
        """The body is too large: the service says so (413), and none of it is kept."""
        assert self._request is not None
        self._request.body.clear()
        self._request.unread = True
        self._request.headers.setdefault("content-length", str(self._body_bytes + 1))
        self._complete()
        self.ended = True

    def _headers(self, version: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for raw_name, raw_value in self._fields:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1").strip(" \t")
            if "_" in name:
                self._refuse(f"Header names have no underscore: {name[:64]}.")
            if name not in found:
                found[name] = value
            elif name in ONCE or name == self._limits.client_address_header:
                self._refuse(f"The header {name} was sent twice.")
            else:
                found[name] += ("; " if name == "cookie" else ",") + value
        if version == "1.1" and "host" not in found:
            self._refuse("HTTP/1.1 asks for a Host header.")
        if found.get("expect", "100-continue").lower() != "100-continue":
            self._refuse("Of expectations only 100-continue is met.", 417)
        if "transfer-encoding" in found:
            self._check_coding(found)
        elif "expect" in found:
            found["expect"] = found["expect"].lower()
        return found

    def _check_coding(self, headers: dict[str, str]) -> None:
        if headers["transfer-encoding"].lower() != "chunked":
            self._refuse("Of transfer codings only chunked is read.", 501)
        if "content-length" in headers:
            self._refuse("A body has one length: Content-Length or chunked, not both.")

    def _target(self, headers: dict[str, str]) -> str:
        """The path and query. An absolute target's host must be the Host header's (RFC 9112, 3.2.2, prefers the target's)."""
        target = self._url.decode("latin-1")
        if target.lower().startswith(("http://", "https://")):
            authority, slash, rest = target.partition("://")[2].partition("/")
            if "?" in authority or "#" in authority or "@" in authority:
                self._refuse("The request target could not be read.")
            if headers.setdefault("host", authority).lower() != authority.lower():
                self._refuse("The request names two hosts.")
            target = slash + rest or "/"
        if not target.startswith("/") or "#" in target or not target.isascii():
            self._refuse("The request target is not a path.")
        return target

    def _count(self, count: int) -> None:
        self._head_bytes += count
        if self._head_bytes > self._limits.head_bytes:
            self._refuse("The headers are too large.", 431)

    def _refuse(self, message: str, status: int = 400) -> None:
        self._refusal = Malformed(message, status)
        raise self._refusal


def _unreadable(error: Exception) -> Malformed:
    if isinstance(error, httptools.HttpParserInvalidMethodError):
        return Malformed("The request's method is not known, or this is not HTTP/1.1.")
    return Malformed("This is not a request in HTTP/1.1.")


def parser_of_body(request: Request, reader: "BodyReader") -> httptools.HttpRequestParser:
    """For what follows the head of a request that asks for an upgrade: to llhttp that is another protocol, to us its body."""
    length = request.headers.get("content-length")
    framing = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
    parser = httptools.HttpRequestParser(reader)
    parser.feed_data(f"POST / HTTP/1.1\r\nHost: a\r\n{framing}\r\n\r\n".encode())
    return parser


class BodyReader:
    """Hands llhttp's callbacks to `reader` once the head is over, which is not what the connection sent."""

    def __init__(self, reader: RequestReader) -> None:
        self._reader = reader
        self._head_is_over = False

    def on_headers_complete(self) -> None:
        self._head_is_over = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._head_is_over:  # a trailer
            self._reader.on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._reader.on_body(body)

    def on_message_complete(self) -> None:
        self._reader.on_message_complete()

    def on_message_begin(self) -> None:
        if self._head_is_over:  # another request, after the last one of the connection
            self._reader.on_message_begin()
