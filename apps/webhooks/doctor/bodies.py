"""Compares the body that arrived with the one that was signed, and guesses the latter where nobody kept it."""

import base64
import binascii
import json
import re
import zlib
from typing import Any

import orjson

from apps.webhooks.doctor.findings import Code, Finding
from apps.webhooks.doctor.json_differences import (
    first_difference,
    kinds_of_difference,
    parsed,
    same,
    trimmed,
)

MAX_UNPACKED = 256 * 1024
GZIP_OR_ZLIB = 47
"""The `wbits` of zlib for either format, with the largest window (32 + 15)."""
ORDER = ("id", "type", "createdAt", "environment", "data")
"""The members of a payload, in the order in which they are sent."""
SHOWN = 24


def possible_originals(body: bytes, original: bytes | None) -> list[bytes]:
    """The bodies that may have been signed, the likeliest first; `body` itself is the first."""
    plain = [body, unpacked(body), from_base64(body), trimmed(body), latin_undone(body)]
    found = [body, original, *plain, *(as_we_write(each) for each in plain if each)]
    return list(dict.fromkeys(each for each in found if each is not None))


def difference(body: bytes, original: bytes) -> Finding | None:
    """How `body` came from `original`, and where they part; None where they are equal."""
    if body == original:
        return None
    if not body.strip():
        return Finding(Code.BODY_EMPTY, f"{len(original)} bytes were sent")
    for decode, code in ((unpacked, Code.BODY_COMPRESSED), (from_base64, Code.BODY_ENCODED)):
        decoded = decode(body)
        if decoded is not None and _equivalent(decoded, original):
            return Finding(code, f"{len(body)} bytes that stand for {len(decoded)}")
    if original.startswith(body):
        return Finding(Code.BODY_CUT, f"after {len(body)} of {len(original)} bytes")
    if latin_undone(body) == original:
        return Finding(Code.BODY_CHARSET, place(body, original))
    if _equivalent(body, original):
        kinds = kinds_of_difference(body, original)
        return Finding(Code.BODY_RESERIALISED, f"{', '.join(kinds)}; {place(body, original)}")
    return Finding(Code.BODY_CHANGED, _what_changed(body, original) + place(body, original))


def place(body: bytes, original: bytes) -> str:
    """`they part at byte 7: … where … was sent`"""
    at = parting(body, original)
    return f"they part at byte {at}: {_shown(body, at)} where {_shown(original, at)} was sent"


def parting(body: bytes, original: bytes) -> int:
    """The offset of the first byte that differs, from 0."""
    shorter = min(len(body), len(original))
    return next((at for at in range(shorter) if body[at] != original[at]), shorter)


def unpacked(body: bytes) -> bytes | None:
    """The start of a gzip or zlib stream, unpacked; None for anything else."""
    try:
        return zlib.decompressobj(GZIP_OR_ZLIB).decompress(body, MAX_UNPACKED)
    except zlib.error:
        return None


def from_base64(body: bytes) -> bytes | None:
    try:
        return base64.b64decode(body.strip().strip(b'"'), validate=True)
    except binascii.Error:
        return None


def latin_undone(body: bytes) -> bytes | None:
    """The bytes that were read as Latin-1 and written as UTF-8, or the other way round."""
    try:
        return body.decode().encode("latin-1")
    except UnicodeDecodeError:
        return body.decode("latin-1").encode()
    except UnicodeEncodeError:
        return None


def as_we_write(body: bytes) -> bytes | None:
    """The JSON of `body` in the form of a payload: compact, UTF-8, our order at the top."""
    value = parsed(trimmed(body))
    if not isinstance(value, dict):
        return None
    known = {name: value[name] for name in ORDER if name in value}
    try:
        return orjson.dumps(known | value, default=_number)
    except (TypeError, ValueError, RecursionError):
        return None


def as_receivers_write(body: bytes) -> list[bytes]:
    """The forms in which a receiver's code may have written the parsed body before it signed it."""
    value = parsed(trimmed(body))
    if value is None:
        return [b""]
    plain = json.loads(trimmed(body))
    forms: list[dict[str, Any]] = [
        {},
        {"ensure_ascii": False},
        {"separators": (",", ":")},
        {"separators": (",", ":"), "ensure_ascii": False},
        {"separators": (",", ":"), "sort_keys": True},
        {"sort_keys": True},
        {"indent": 2, "ensure_ascii": False},
        {"indent": 4},
    ]
    written = [json.dumps(plain, **form).encode(errors="replace") for form in forms]
    slashes = [written[3].replace(b"/", b"\\/"), written[2].replace(b"/", b"\\/")]  # as PHP does
    return [*written, *slashes, repr(plain).encode(), b"[object Object]", b""]


def _number(value: object) -> object:
    """A parsed number in the form that we write."""
    text = str(value)
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else float(text)


def _equivalent(body: bytes, original: bytes) -> bool:
    theirs, ours = parsed(trimmed(body)), parsed(trimmed(original))
    return theirs is not None and same(theirs, ours)


def _what_changed(body: bytes, original: bytes) -> str:
    theirs, ours = parsed(trimmed(body)), parsed(trimmed(original))
    if theirs is None or ours is None:
        return ""
    said = first_difference(theirs, ours)[:120]
    return f"{said.encode(errors='backslashreplace').decode()}; "  # a name may have half of a surrogate pair in it


def _shown(body: bytes, at: int) -> str:
    """A few bytes from `at` on, in quotes, what is not printable as an escape; `the end` where there is none."""
    if at >= len(body):
        return "the end"
    text = body[at : at + SHOWN].decode(errors="backslashreplace")
    return "“" + "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text) + "”"
