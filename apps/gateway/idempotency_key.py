"""What a call sends: its Idempotency-Key, and the fingerprint by which two requests are the same (contract §2, "Idempotency")."""

import hashlib
import re

import orjson
from django.http import HttpRequest

from apps.common.errors import IdempotencyKeyRequired

SENT_AS = "HTTP_IDEMPOTENCY_KEY"
WELL_FORMED = re.compile(r"[\x20-\x7e]{8,255}")


def read_key(request: HttpRequest) -> str:
    """The request's Idempotency-Key. Raises IdempotencyKeyRequired when it is missing or malformed."""
    key: str | None = request.META.get(SENT_AS)
    if key is None:
        raise IdempotencyKeyRequired(why="There was no Idempotency-Key header.")
    if not WELL_FORMED.fullmatch(key):
        raise IdempotencyKeyRequired(why=_why_malformed(key))
    return key


def _why_malformed(key: str) -> str:
    if not 8 <= len(key) <= 255:
        return f"The Idempotency-Key has {len(key)} characters; 8 to 255 are taken."
    return "The Idempotency-Key has characters other than printable ASCII."


def fingerprint(method: str, path: str, body: object) -> str:
    """SHA-256 of method, path and canonical JSON: equal for equal requests, whatever their spacing and order of names."""
    try:
        canonical = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits
        canonical = orjson.dumps(_plain(body), option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(f"{method} {path} ".encode() + canonical).hexdigest()


def _plain(value: object) -> object:
    """`value` with the integers that orjson cannot hold as text behind a NUL, which no text of a body has."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return f"\x00{value}"
    return value
