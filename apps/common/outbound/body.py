"""An answer's body, unpacked and never larger than allowed, however small it travelled."""

import zlib
from collections.abc import Iterator

from apps.common.outbound.answer import Answer, BadAnswer

PIECE = 64 * 1024


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
