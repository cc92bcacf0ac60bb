"""One reading of a request: what may become of each oddity, as data.

A request is written as it travels; `{key}`, `{unique}`, `{port}` and `{host}` are filled in. What came of it has one of
these names:

    probe         400 that names the property `probe`: head and body were read as the sender meant
    account       200 with the partner's own account
    keyless       401: no key was found
    empty         400 that misses a required property: the body was taken for an empty one
    unkeyed       400 idempotency_key_required
    trigger       400 that names X-Partner-Customer-Ref: the trigger was read
    refused       another 4xx, 501 or 505 in the envelope, or a bare one after which the connection is closed
    page          a refusal with a page of ours, for a path that is not of /v1
    bare, open    a refusal without the envelope, and the connection stays open
    closed        the connection ended without a word
    silent        nothing came
    taken         2xx
    failed        500, or what no HTTP is
"""

from dataclasses import dataclass

BODY = b'{"probe":1}'
REFUSED = ("refused",)
READ = ("probe",)
EITHER = ("probe", "refused")
MINE = ("account", "refused")
PAGE = ("page", "refused")
UNHEARD = ("keyless", "refused")
GONE = ("refused", "closed")
"""nginx takes a sender that ends its side for one that has gone, and HTTP/0.9 has no status line."""


@dataclass(frozen=True)
class Case:
    name: str
    raw: bytes
    allowed: tuple[str, ...]
    half_close: bool = False
    """Whether the sender ends its side after the last byte."""

    def __str__(self) -> str:
        return self.name


def get(
    name: str,
    headers: bytes = b"",
    allowed: tuple[str, ...] = REFUSED,
    *,
    target: bytes = b"/v1/account",
    method: bytes = b"GET",
    version: bytes = b"HTTP/1.1",
    host: bytes = b"Host: {host}\r\n",
    key: bytes = b"Authorization: Bearer {key}\r\n",
) -> Case:
    """A read of one's own account with something odd about it."""
    line = method + b" " + target + (b" " + version if version else b"") + b"\r\n"
    return Case(name, line + host + key + headers + b"\r\n", allowed)


def post(
    name: str,
    headers: bytes = b"Content-Length: 11\r\n",
    allowed: tuple[str, ...] = REFUSED,
    *,
    body: bytes = BODY,
    version: bytes = b"HTTP/1.1",
    once: bytes = b"Idempotency-Key: {unique}\r\n",
    kind: bytes = b"Content-Type: application/json\r\n",
    half_close: bool = False,
) -> Case:
    """A flight search whose body has one unknown property, with something odd about it."""
    head = b"POST /v1/flights/searches " + version + b"\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
    return Case(name, head + once + kind + headers + b"\r\n" + body, allowed, half_close)


def chunked(body: bytes = BODY, trailers: bytes = b"") -> bytes:
    return b"%x\r\n%s\r\n0\r\n%s\r\n" % (len(body), body, trailers)


CL = b"Content-Length: 11\r\n"
TE = b"Transfer-Encoding: chunked\r\n"

CASES = (
    get("as it should be: a read", allowed=("account",)),
    post("as it should be: a body", allowed=READ),
    # --- how long the body is -----------------------------------------------------------------------------------
    post("two lengths, equal", CL + CL, EITHER),
    post("two lengths, different", CL + b"Content-Length: 5\r\n"),
    post("two lengths, the shorter one first", b"Content-Length: 5\r\n" + CL),
    post("a length in a list: 11, 11", b"Content-Length: 11, 11\r\n", EITHER),
    post("a length in a list: 5,11", b"Content-Length: 5,11\r\n"),
    post("length +11", b"Content-Length: +11\r\n"),
    post("length -11", b"Content-Length: -11\r\n"),
    post("length 0x0b", b"Content-Length: 0x0b\r\n"),
    post("length 1e1", b"Content-Length: 1e1\r\n"),
    post("length 11.0", b"Content-Length: 11.0\r\n"),
    post("length 1_1", b"Content-Length: 1_1\r\n"),
    post("length with a space inside", b"Content-Length: 1 1\r\n"),
    post("length in Arabic digits", "Content-Length: ١١\r\n".encode()),
    post("length, nothing", b"Content-Length: \r\n", body=b""),
    post("length of 30 digits", b"Content-Length: " + b"9" * 30 + b"\r\n"),
    post("length 0011", b"Content-Length: 0011\r\n", EITHER),
    post("no length, and a body", b"", half_close=True, allowed=("refused", "empty", "closed")),
    post(
        "body shorter than its length",
        b"Content-Length: 100\r\n",
        half_close=True,
        allowed=("refused", "closed"),
    ),
    post("body longer than its length", b"Content-Length: 5\r\n"),
    post("body over 256 KiB by its length alone", b"Content-Length: 262145\r\n", GONE, half_close=True),
    post("length and chunked", CL + TE, body=chunked()),
    post("chunked and length", TE + CL, body=chunked()),
    post("chunked", TE, EITHER, body=chunked()),
    post("chunked with a trailer", TE, EITHER, body=chunked(trailers=b"X-Late: 1\r\n")),
    post(
        "chunked with a trailer that is a key",
        TE,
        EITHER,
        body=chunked(trailers=b"Idempotency-Key: another-one\r\n"),
    ),
    post("chunked with an extension", TE, EITHER, body=b"b;a=b\r\n" + BODY + b"\r\n0\r\n\r\n"),
    post("chunked with a size that is none", TE, body=b"zz\r\n" + BODY + b"\r\n0\r\n\r\n"),
    post("chunked with a size beyond all", TE, body=b"ffffffffffffffff1\r\n" + BODY + b"\r\n0\r\n\r\n"),
    post(
        "chunked that ends in the middle",
        TE,
        body=b"b\r\n" + BODY[:4],
        half_close=True,
        allowed=("refused", "closed"),
    ),
    post("xchunked", b"Transfer-Encoding: xchunked\r\n", body=chunked(), half_close=True),
    post("chunked, identity", b"Transfer-Encoding: chunked, identity\r\n", body=chunked(), half_close=True),
    post("gzip, chunked", b"Transfer-Encoding: gzip, chunked\r\n", body=chunked(), half_close=True),
    post("identity", b"Transfer-Encoding: identity\r\n" + CL, EITHER),
    post("chunked twice", TE + TE, body=chunked(), half_close=True),
    post("Chunked in capitals", b"Transfer-Encoding: CHUNKED\r\n", EITHER, body=chunked()),
    post("chunked with a tab before it", b"Transfer-Encoding:\tchunked\r\n", EITHER, body=chunked()),
    post(
        "chunked with a vertical tab before it",
        b"Transfer-Encoding: \x0bchunked\r\n",
        body=chunked(),
        half_close=True,
    ),
    post("Transfer_Encoding", b"Transfer_Encoding: chunked\r\n" + CL, EITHER),
    post("a body to a GET is not another request", CL, EITHER),
    # --- how headers are written --------------------------------------------------------------------------------
    get("obs-fold", b"X-Long: a\r\n b\r\n", MINE),
    get("obs-fold of the key", b"Authorization: Bearer\r\n {key}\r\n", ("refused", "keyless"), key=b""),
    get("a line that begins with a space", b" X-Odd: a\r\n", MINE, key=b"Authorization: Bearer {key}\r\n"),
    Case("bare LF", b"GET /v1/account HTTP/1.1\nHost: {host}\nAuthorization: Bearer {key}\n\n", MINE),
    get("NUL in a value", b"X-Odd: a\x00b\r\n"),
    get("NUL in a name", b"X-O\x00dd: a\r\n"),
    get("CR in a value", b"X-Odd: a\rb\r\n"),
    get("CR before another header", b"X-Odd: a\rX-Other: b\r\n"),
    get("LF in the target", target=b"/v1/acc\nount", allowed=GONE),
    get("space before the colon", b"X-Odd : a\r\n", MINE),
    get("space before the colon of the key", b"Authorization : Bearer {key}\r\n", UNHEARD, key=b""),
    post("space before the colon of the length", b"Content-Length : 11\r\n", half_close=True),
    get("no colon", b"X-Odd\r\n", MINE),
    get("empty name", b": a\r\n"),
    get("a name that is no token", b"X(Odd): a\r\n", MINE),
    get("a name beyond ASCII", "X-Ödd: a\r\n".encode(), MINE),
    get("a value in UTF-8", "X-Odd: ä\r\n".encode(), MINE),
    get("a value in Latin-1", b"X-Odd: \xe4\r\n", MINE),
    get("a header of 64 KiB", b"X-Long: " + b"a" * 65_536 + b"\r\n", MINE),
    get("a header of 1 MiB", b"X-Long: " + b"a" * 1_048_576 + b"\r\n"),
    get("500 headers", b"".join(b"X-%d: a\r\n" % n for n in range(500)), (*MINE, "bare, open")),
    get("5,000 headers", b"".join(b"X-%d: a\r\n" % n for n in range(5_000))),
    # --- headers with underscores, which WSGI cannot tell from those with hyphens --------------------------------
    post("Idempotency_Key alone", CL + b"Idempotency_Key: {unique}\r\n", ("unkeyed", "refused"), once=b""),
    post("Idempotency_Key beside the real one", CL + b"Idempotency_Key: another-one\r\n", EITHER),
    post("Content_Length alone", b"Content_Length: 11\r\n", ("refused", "empty", "closed"), half_close=True),
    post("Content_Length beside the real one", CL + b"Content_Length: 5\r\n", EITHER),
    post("Content_Type beside the real one", CL + b"Content_Type: text/plain\r\n", EITHER),
    post("X_Partner_Customer_Ref", CL + b"X_Partner_Customer_Ref: sbx_nonsense\r\n", EITHER),
    # --- what comes twice ---------------------------------------------------------------------------------------
    get("two keys, equal", b"Authorization: Bearer {key}\r\n", (*MINE, "keyless")),
    get("two keys, the second wrong", b"Authorization: Bearer none\r\n", UNHEARD),
    get(
        "two keys, the first wrong",
        b"Authorization: Bearer {key}\r\n",
        UNHEARD,
        key=b"Authorization: Bearer none\r\n",
    ),
    get("two hosts, equal", b"Host: {host}\r\n"),
    get("two hosts, different", b"Host: elsewhere.example\r\n"),
    post("two content types, equal", CL + b"Content-Type: application/json\r\n", EITHER),
    post("two content types, different", CL + b"Content-Type: text/plain\r\n", EITHER),
    post("two Idempotency-Keys, different", CL + b"Idempotency-Key: another-one\r\n", EITHER),
    post("two Idempotency-Keys, equal", CL + b"Idempotency-Key: {unique}\r\n", EITHER),
    post(
        "two triggers",
        CL + b"X-Partner-Customer-Ref: sbx_slow\r\nX-Partner-Customer-Ref: trip-1\r\n",
        ("trigger", "refused"),
    ),
    get("two cookies", b"Cookie: a=1\r\nCookie: b=2\r\n", MINE),
    get("Accept twice", b"Accept: application/json\r\nAccept: text/html\r\n", MINE),
    # --- the request line and the host --------------------------------------------------------------------------
    get("absolute target", target=b"http://{host}/v1/account", allowed=MINE),
    get("absolute target of another host", target=b"http://elsewhere.example/v1/account"),
    get(
        "absolute target, Host of another",
        target=b"http://{host}/v1/account",
        host=b"Host: elsewhere.example\r\n",
        allowed=MINE,  # RFC 9112, 3.2.2: the target's goes before
    ),
    get("target of CONNECT", method=b"CONNECT", target=b"127.0.0.1:80", allowed=PAGE),
    get("target *", method=b"OPTIONS", target=b"*", allowed=PAGE),
    get("target without a slash", target=b"v1/account"),
    get("target with a fragment", target=b"/v1/account#here", allowed=MINE),
    get("target with a space", target=b"/v1/acc ount"),
    get("target of 64 KiB", target=b"/v1/account?a=" + b"a" * 65_536, allowed=MINE),
    get("no Host", host=b""),
    get("an empty Host", host=b"Host:\r\n"),
    get("a Host of somebody else", host=b"Host: elsewhere.example\r\n"),
    get("a Host with a path", host=b"Host: 127.0.0.1/v1\r\n"),
    get("a Host with a user", host=b"Host: user@127.0.0.1\r\n"),
    get("a Host with a port that is none", b"", MINE, host=b"Host: 127.0.0.1:none\r\n"),
    get("lower-case method", method=b"get", allowed=MINE),
    get("unknown method", method=b"BREW"),
    get("TRACE", method=b"TRACE"),
    get("method with a NUL", method=b"GE\x00T"),
    get("HEAD", method=b"HEAD", allowed=("taken", "refused", "bare, open")),
    # --- versions and other protocols ---------------------------------------------------------------------------
    get("HTTP/1.0 with a Host", version=b"HTTP/1.0", allowed=MINE),
    get("HTTP/1.0 without a Host", version=b"HTTP/1.0", host=b"", allowed=MINE),
    post("HTTP/1.0 with a body", version=b"HTTP/1.0", allowed=EITHER),
    post("HTTP/1.0, chunked", TE, body=chunked(), version=b"HTTP/1.0", half_close=True),
    Case("HTTP/0.9", b"GET /v1/account\r\n\r\n", ("refused", "closed")),
    get("HTTP/1.2", version=b"HTTP/1.2", allowed=MINE),
    get("HTTP/2.0 in the line", version=b"HTTP/2.0"),
    get("HTTP/3.0 in the line", version=b"HTTP/3.0"),
    get("http/1.1 in small letters", version=b"http/1.1"),
    get("no version but a space", version=b" ", allowed=GONE),
    Case("a TLS greeting", bytes.fromhex("16030100c8010000c40303") + b"\x00" * 100, ("refused", "closed")),
    Case("nothing but CRLF", b"\r\n\r\n\r\n", ("refused", "closed"), half_close=True),
    Case(
        "CRLF before the request line",
        b"\r\nGET /v1/account HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\r\n",
        MINE,
    ),
    get(
        "Upgrade: h2c",
        b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
        MINE,
    ),
    get(
        "Upgrade: websocket",
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        MINE,
    ),
    # --- expectations -------------------------------------------------------------------------------------------
    post("Expect: 100-continue", CL + b"Expect: 100-continue\r\n", READ),
    post("Expect: 100-Continue", CL + b"Expect: 100-Continue\r\n", READ),
    post("Expect: something else", CL + b"Expect: 200-ok\r\n", EITHER),
    # --- paths --------------------------------------------------------------------------------------------------
    get("an encoded letter", target=b"/v1/%61ccount", allowed=MINE),
    get("an encoded slash", target=b"/v1%2faccount", allowed=MINE),
    get("an encoded dot", target=b"/v1/x/%2e%2e/account", allowed=MINE),
    get("dots", target=b"/v1/x/../account", allowed=MINE),
    get("a double slash", target=b"//v1/account"),
    get("an encoded NUL", target=b"/v1/account%00"),
    get("an encoded CRLF", target=b"/v1/account%0d%0aX-Odd:%20a"),
    get("encoded twice", target=b"/v1/%2561ccount"),
    get("half an encoding", target=b"/v1/account%2"),
    get("an encoding that is none", target=b"/v1/account%zz"),
    get("UTF-8 that is overlong", target=b"/v1/%c0%afaccount"),
    get("raw bytes beyond ASCII", target=b"/v1/acc\xe4ount"),
    get("a backslash", target=b"/v1\\account", allowed=PAGE),
    get("a semicolon", target=b"/v1/account;a=b"),
    get("/V1 in capitals", target=b"/V1/account"),
)
