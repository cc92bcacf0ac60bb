"""An HTTP/1 answer, read from its bytes: the head leniently, the length of the body strictly.

`http.client` takes what follows an odd line of the head (one without a colon, a name that is not ASCII, a space before the
colon) for the body; h11 rejects the whole answer. With the `Content-Length` lost, a webhook that was accepted counts as
unanswered, and a supplier's write has an unknown outcome. Here such a line is skipped, or read as what it can only mean.

Where the length of the body is ambiguous (two lengths, a length that is not a number, an unknown transfer coding, a head cut
short), the body is not read, and the connection is not used again.
"""

import re
import zlib
from collections.abc import Callable, Iterator

MAX_HEAD = 64 * 1024  # bytes of a head, or of the trailers of a chunked body
PIECE = 64 * 1024  # bytes that are unpacked at a time
MAX_INTERIM = 10  # answers 100, 102 or 103 before the final one

STATUS_LINE = re.compile(rb"HTTP/1\.([0-9])[ \t]+([1-9][0-9]{2})(?:[ \t].*)?", re.IGNORECASE | re.DOTALL)
LENGTH = re.compile(r"[0-9]{1,18}")
CHUNK_SIZE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;.*)?", re.DOTALL)
WITHOUT_BODY = frozenset({101, 204, 304})


class BadAnswer(Exception):
    """What came back is not HTTP/1, is ambiguous or cut short, or is larger than allowed."""


class Answer:
    """The final answer to a request; `pieces()` reads its body."""

    status: int
    headers: list[tuple[str, str]]  # in the order they came in, names as sent

    def __init__(self, receive: Callable[[], bytes]) -> None:
        """Read the head; interim answers are skipped. `receive` returns the next bytes, b"" at the end of the connection.

        Raises BadAnswer, ConnectionError if the connection ends before an answer, and what `receive` raises.
        """
        self._receive = receive
        self._buffer = bytearray()
        self._ended = False
        for _ in range(MAX_INTERIM + 1):
            self._read_head()
            # 101 is final: no other protocol was asked for.
            if self.status >= 200 or self.status == 101:
                return
        raise BadAnswer(f"more than {MAX_INTERIM} interim answers")

    def header(self, name: str) -> str:
        """All values of a header, joined by commas; empty if there are none."""
        return ", ".join(self._values(name))

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives, without its framing. Raises BadAnswer, and what `receive` raises."""
        if self._ambiguous:
            raise BadAnswer("ambiguous length, or a head cut short")
        if self._chunked:
            yield from self._chunks()
        elif self._length is not None:
            yield from self._exactly(self._length)
        else:
            while piece := self._take():
                yield piece
        self._ended = True

    @property
    def leaves_connection_usable(self) -> bool:
        """Whether the body was read to its end, nothing follows it, and the server keeps the connection open."""
        return self._ended and self._keeps_open and not self._buffer

    def _read_head(self) -> None:
        line = self._line()
        if line in (b"\r\n", b"\n"):  # left over from the answer before
            line = self._line()
        if not line:
            raise ConnectionAbortedError("closed before a response")
        found = STATUS_LINE.fullmatch(line.rstrip(b"\r\n")) if line.endswith(b"\n") else None
        if found is None:
            raise BadAnswer("no HTTP/1 status line")
        self.status = int(found[2])
        lines, is_whole = self._lines()
        self.headers = list(_headers(lines))
        self._settle_framing(is_whole, older=found[1] == b"0")

    def _settle_framing(self, is_whole: bool, *, older: bool) -> None:
        """RFC 9112, 6.3 and 9.3. `older`: HTTP/1.0."""
        lengths, codings, options = map(self._members, ("Content-Length", "Transfer-Encoding", "Connection"))
        codings = [coding for coding in codings if coding not in ("", "identity")]
        certain = {int(length) for length in lengths if LENGTH.fullmatch(length)}
        self._length: int | None = min(certain, default=None)
        self._chunked = codings == ["chunked"]
        if self.status in WITHOUT_BODY:
            self._ambiguous, self._chunked = False, False
            self._keeps_open = self.status != 101 and not codings and set(lengths) <= {"0"}
            self._length = 0
        elif codings:
            self._ambiguous = not self._chunked
            self._keeps_open = not any(lengths) and not older  # both: one of them is wrong
        else:
            self._ambiguous = len(certain) > 1 or not all(map(LENGTH.fullmatch, lengths))
            self._keeps_open = self._length is not None
        self._ambiguous |= not is_whole
        self._keeps_open &= "close" not in options and (not older or "keep-alive" in options)

    def _values(self, name: str) -> list[str]:
        return [value for header, value in self.headers if header.lower() == name.lower()]

    def _members(self, name: str) -> list[str]:
        return [one.strip(" \t").lower() for value in self._values(name) for one in value.split(",")]

    def _chunks(self) -> Iterator[bytes]:
        while size := self._chunk_size():
            yield from self._exactly(size)
            if self._line() not in (b"\r\n", b"\n"):
                raise BadAnswer("a chunk of another size than announced, or cut short")
        if not self._lines()[1]:
            raise BadAnswer("trailers cut short")

    def _chunk_size(self) -> int:
        found = CHUNK_SIZE.fullmatch(self._line().rstrip(b"\r\n"))
        if found is None:
            raise BadAnswer("no chunk")
        return int(found[1], 16)

    def _exactly(self, size: int) -> Iterator[bytes]:
        while size:
            piece = self._take(size)
            if not piece:
                raise BadAnswer(f"cut short by {size} bytes")
            size -= len(piece)
            yield piece

    def _lines(self) -> tuple[list[bytes], bool]:
        """The lines up to an empty one, without their ends; False if the connection ended before it."""
        lines: list[bytes] = []
        left = MAX_HEAD
        while (line := self._line()).endswith(b"\n"):
            left -= len(line)
            if left < 0:
                raise BadAnswer(f"a head of more than {MAX_HEAD} bytes")
            line = line.rstrip(b"\r\n")
            if not line:
                return lines, True
            lines.append(line)
        return lines, False

    def _line(self) -> bytes:
        """The next line with its end, or what there is of it when the connection ends."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched) + 1) == 0:
            searched = len(self._buffer)
            if searched > MAX_HEAD:
                raise BadAnswer(f"a line of more than {MAX_HEAD} bytes")
            if not self._fill():
                end = searched
                break
        return self._cut(end)

    def _take(self, at_most: int | None = None) -> bytes:
        """The next bytes, `at_most` of them; b"" at the end of the connection."""
        if not self._buffer:
            self._fill()
        return self._cut(at_most if at_most is not None else len(self._buffer))

    def _fill(self) -> bool:
        received = self._receive()
        self._buffer += received
        return bool(received)

    def _cut(self, size: int) -> bytes:
        piece = bytes(self._buffer[:size])
        del self._buffer[:size]
        return piece


def _headers(lines: list[bytes]) -> Iterator[tuple[str, str]]:
    """A line that begins with a space continues the one before it. One without a name or a colon is skipped."""
    unfolded: list[str] = []
    for line in lines:
        text = line.decode("latin-1").replace("\0", " ").replace("\r", " ")
        if text[0] not in " \t":
            unfolded.append(text)
        elif unfolded:
            unfolded[-1] += " " + text.strip(" \t")
    for text in unfolded:
        name, colon, value = text.partition(":")
        name = name.strip(" \t")
        if name and colon:
            yield name, value.strip(" \t")


def read_body(answer: Answer, *, max_bytes: int) -> bytes:
    """The whole body, unpacked where it is gzip. Raises BadAnswer, and what reading from the connection raises."""
    body = bytearray()
    for piece in _unpacked(answer):
        body += piece
        if len(body) > max_bytes:
            raise BadAnswer(f"more than {max_bytes} bytes")
    return bytes(body)


def _unpacked(answer: Answer) -> Iterator[bytes]:
    encoding = answer.header("Content-Encoding").lower()
    if encoding in ("", "identity"):
        return answer.pieces()
    if encoding in ("gzip", "x-gzip"):
        return _gunzipped(answer.pieces())
    raise BadAnswer(f"packed as {encoding}")


def _gunzipped(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """A piece at a time: what a few bytes unpack to may be a thousand times as much."""
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    empty = True
    try:
        for packed in pieces:
            empty = False
            while packed and not unpacker.eof:
                yield unpacker.decompress(packed, PIECE)
                packed = unpacker.unconsumed_tail
        if not (empty or unpacker.eof):
            yield unpacker.flush()
    except zlib.error as error:
        raise BadAnswer("not gzip") from error
    if not (empty or unpacker.eof):
        raise BadAnswer("gzip cut short")
