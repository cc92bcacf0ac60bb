"""An answer's body, unpacked and never larger than allowed, however small it travelled."""

import zlib
from collections.abc import Iterator
from typing import Protocol

PIECE = 64 * 1024


class BadBody(Exception):
    """The body is too large, cut short, or packed in a way that nobody asked for."""


class Raw(Protocol):
    def read(self, amount: int, *, decode_content: bool) -> bytes: ...


def read_body(raw: Raw, *, encoding: str, max_bytes: int) -> bytes:
    """Everything that is left on the wire, unpacked. Raises BadBody."""
    body = bytearray()
    for piece in _unpacked(raw, encoding.strip().lower()):
        body += piece
        if len(body) > max_bytes:
            raise BadBody(f"more than {max_bytes} bytes")
    return bytes(body)


def _unpacked(raw: Raw, encoding: str) -> Iterator[bytes]:
    pieces = iter(lambda: raw.read(PIECE, decode_content=False), b"")
    if encoding in ("", "identity"):
        return pieces
    if encoding in ("gzip", "x-gzip"):
        return _gunzipped(pieces)
    raise BadBody(f"packed as {encoding}")


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
