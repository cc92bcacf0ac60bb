"""Finds which secret made a signature, over which body, timestamp and event id: `apps/webhooks/signatures.py`, backwards."""

import base64
import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.webhooks.doctor.signature_headers import SERVICE, SignatureHeader, Value
from apps.webhooks.signatures import PREFIX

LIKELY_BODIES = 2
"""How many bodies are tried with the secrets of other endpoints."""


@dataclass(frozen=True, slots=True)
class KnownSecret:
    """A secret of the account. `ended_at`: when a previous secret signs no more, by the real clock; None for a current one."""

    text: str
    endpoint_id: str
    endpoint_url: str
    environment: str
    is_chosen: bool
    """Whether it is of the endpoint that the person chose."""
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """What made a signature."""

    value: Value
    secret: KnownSecret
    body: bytes
    timestamp: str


@dataclass(frozen=True, slots=True)
class Possible:
    """What may have been signed, the likeliest first."""

    bodies: Sequence[bytes]
    timestamps: Sequence[str]
    event_ids: Sequence[str]

    @property
    def likeliest(self) -> "Possible":
        return Possible(self.bodies[:LIKELY_BODIES], self.timestamps[:1], self.event_ids)


def find(header: SignatureHeader, possible: Possible, secrets: Sequence[KnownSecret]) -> Match | None:
    """The likeliest explanation of one of the header's values; None where there is none."""
    readable = [(value, value.digest) for value in header.values if value.digest is not None]
    for secret in sorted(secrets, key=lambda each: (not each.is_chosen, each.ended_at is not None)):
        within = possible if secret.is_chosen else possible.likeliest
        for signed, body, timestamp in _texts(header.scheme, within):
            digest = hmac.digest(key_of(secret, header.scheme), signed, hashlib.sha256)
            for value, theirs in readable:
                if hmac.compare_digest(digest, theirs):
                    return Match(value, secret, body, timestamp)
    return None


def key_of(secret: KnownSecret, scheme: str) -> bytes:
    return secret.text.encode() if scheme == SERVICE else base64.b64decode(secret.text.removeprefix(PREFIX))


def signed_text(scheme: str, *, timestamp: str, body: bytes, event_id: str) -> bytes:
    head = f"{timestamp}." if scheme == SERVICE else f"{event_id}.{timestamp}."
    return head.encode() + body


def _texts(scheme: str, possible: Possible) -> Iterator[tuple[bytes, bytes, str]]:
    event_ids = ("",) if scheme == SERVICE else possible.event_ids  # which that scheme does not sign
    for body in possible.bodies:
        for timestamp in _once_each(possible.timestamps):
            for event_id in _once_each(event_ids):
                yield signed_text(scheme, timestamp=timestamp, body=body, event_id=event_id), body, timestamp


def _once_each(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))
