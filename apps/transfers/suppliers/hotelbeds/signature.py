"""How Hotelbeds knows that a call is ours: a hash that is good for a few minutes."""

import hashlib


def signature(key: str, secret: str, unix_seconds: int) -> str:
    """The `X-Signature` of a call made at that second."""
    return hashlib.sha256(f"{key}{secret}{unix_seconds}".encode()).hexdigest()
