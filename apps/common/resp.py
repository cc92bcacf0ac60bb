"""Redis' wire format (RESP2), as far as a script's call and its answer need it.

redis-py's own connection looks up encoders, retries, metrics and a pool for each command, which costs more than the command.
"""

from collections.abc import Sequence
from typing import Any

from redis.exceptions import NoScriptError, ResponseError

INTEGER, BULK, ARRAY, STATUS, ERROR = b":$*+-"


class Incomplete(Exception):
    """More of the answer is to come."""


def packed(parts: Sequence[str | int | bytes]) -> bytes:
    """A command as Redis reads it."""
    out = [b"*%d\r\n" % len(parts)]
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode()
        out.append(b"$%d\r\n%b\r\n" % (len(raw), raw))
    return b"".join(out)


def answer(data: bytes) -> Any:
    """The one answer that `data` is. Raises Incomplete, ResponseError for a refusal, ValueError for anything else."""
    found, end = _read(data, 0)
    if end != len(data):
        raise ValueError("Redis said more than was asked.")
    if isinstance(found, ResponseError):
        raise found
    return found


def _read(data: bytes, at: int) -> tuple[Any, int]:
    """What begins at `at`, and where it ends."""
    end = data.find(b"\r\n", at)
    if end < 0:
        raise Incomplete
    kind, head, at = data[at], data[at + 1 : end], end + 2
    if kind == BULK:
        return _bulk(data, at, int(head))
    if kind == INTEGER:
        return int(head), at
    if kind == ARRAY:
        return _array(data, at, int(head))
    if kind == STATUS:
        return head, at
    if kind == ERROR:
        text = head.decode(errors="replace")
        return (NoScriptError if text.startswith("NOSCRIPT") else ResponseError)(text), at
    raise ValueError("Redis answered in another format.")


def _bulk(data: bytes, at: int, length: int) -> tuple[bytes | None, int]:
    if length < 0:
        return None, at
    end = at + length
    if len(data) < end + 2:
        raise Incomplete
    return data[at:end], end + 2


def _array(data: bytes, at: int, length: int) -> tuple[list[Any] | None, int]:
    if length < 0:
        return None, at
    items = []
    for _ in range(length):
        item, at = _read(data, at)
        items.append(item)
    return items, at
