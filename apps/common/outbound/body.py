"""An answer's body, unpacked and never larger than allowed, however small it travelled."""

import http.client
import zlib
from collections.abc import Iterator

PIECE = 64 * 1024


class BadBody(Exception):
    """The body is too large, cut short, or packed in a way that nobody asked for."""


def read_body(answer: http.client.HTTPResponse, *, max_bytes: int) -> bytes:
    """The whole body, unpacked where it is gzip. Raises BadBody, and what reading from the connection raises."""
    body = bytearray()
    for piece in _unpacked(answer):
        body += piece
        if len(body) > max_bytes:
            raise BadBody(f"more than {max_bytes} bytes")
    return bytes(body)


def _unpacked(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    encoding = (answer.getheader("Content-Encoding") or "").strip().lower()
    if encoding in ("", "identity"):
        return _pieces(answer)
    if encoding in ("gzip", "x-gzip"):
        return _gunzipped(_pieces(answer))
    raise BadBody(f"packed as {encoding}")


def _pieces(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    while piece := answer.read(PIECE):
        yield piece
    if answer.length:  # `read(amount)` ends at the connection's end, whatever Content-Length says
        raise BadBody(f"cut short by {answer.length} bytes")


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
        raise BadBody("not gzip") from error
    if not (empty or unpacker.eof):
        raise BadBody("gzip cut short")
