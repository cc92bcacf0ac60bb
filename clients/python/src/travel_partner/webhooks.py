"""Verifies that a delivery is the service's, and reads its event.

The service signs each delivery twice with the same secret: `X-Service-Signature`, and `webhook-signature` of Standard Webhooks.
Either is enough.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from travel_partner._model import Model
from travel_partner.errors import TravelPartnerError
from travel_partner.event_types import EVENTS, KnownEvent
from travel_partner.response import NO_JSON

TOLERANCE_SECONDS = 300
PREFIX = "whsec_"


class WebhookVerificationError(TravelPartnerError):
    """Not the service's, or too old: respond with 400 and do nothing."""


class UnreadableEventError(TravelPartnerError):
    """The service's, but this version of the client cannot read it."""


class UnknownEvent(Model, kw_only=True):
    """An event of a type that this version does not know."""

    id: str
    type: str
    created_at: datetime = msgspec.field(name="createdAt")
    environment: str
    data: dict[str, Any]
    sequence: int | None = None


Event = KnownEvent | UnknownEvent


def verify(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> Event:
    """The event of a delivery. Raises WebhookVerificationError unless it was signed with one of `secrets` a short while ago.

    `body`: the bytes as received. `headers`: all of the request's. `secrets`: one, or several during a rotation.
    `tolerance`: how many seconds the clocks may differ. Raises ValueError for an invalid secret or tolerance.
    """
    if not isinstance(body, bytes):
        raise TypeError(
            "Pass the bytes of the body as received: a body that was parsed and serialized again differs."
        )
    if not isinstance(tolerance, int | float) or not 0 <= tolerance < math.inf:
        raise ValueError("tolerance is a number of seconds: 0 or more, and finite.")
    keys = [key.strip() for key in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys or not all(key.startswith(PREFIX) for key in keys):
        raise ValueError(f"A signing secret starts with {PREFIX}.")
    _check(body, {name.lower(): value for name, value in headers.items()}, keys, _window(tolerance, now))
    return _event(body)


def _window(tolerance: float, now: float | None) -> tuple[float, float]:
    instant = time.time() if now is None else now
    return instant - tolerance, instant + tolerance


def _check(body: bytes, headers: Mapping[str, str], keys: Sequence[str], window: tuple[float, float]) -> None:
    if "x-service-signature" in headers:
        timestamp, expected, found = _service(body, headers, keys)
    elif "webhook-signature" in headers:
        timestamp, expected, found = _standard(body, headers, keys)
    else:
        raise WebhookVerificationError("The delivery is not signed.")
    if not any([hmac.compare_digest(one, other) for one in expected for other in found]):  # noqa: C419 - all are compared
        raise WebhookVerificationError("No signature was made with one of these secrets.")
    if not (timestamp.isascii() and timestamp.isdigit() and window[0] <= float(timestamp) <= window[1]):
        raise WebhookVerificationError("The delivery was not signed within the tolerance.")


Parts = tuple[str, list[bytes], list[bytes]]
"""When it was signed, the signatures that would be right, those that it has."""


def _service(body: bytes, headers: Mapping[str, str], keys: Sequence[str]) -> Parts:
    """`t=<unix seconds>,v1=<hex>[,v1=…]` over `<t>.<body>`, with the whole secret as the key."""
    fields = [part.strip().partition("=") for part in headers["x-service-signature"].split(",")]
    timestamp = next((value for name, _, value in fields if name == "t"), "")
    signed = timestamp.encode() + b"." + body
    expected = [hmac.new(key.encode(), signed, hashlib.sha256).hexdigest().encode() for key in keys]
    return timestamp, expected, [value.encode() for name, _, value in fields if name == "v1"]


def _standard(body: bytes, headers: Mapping[str, str], keys: Sequence[str]) -> Parts:
    """`v1,<base64>[ v1,…]` over `<id>.<timestamp>.<body>`, with the bytes that the secret encodes in base64."""
    timestamp = headers.get("webhook-timestamp", "")
    signed = b".".join([headers.get("webhook-id", "").encode(), timestamp.encode(), body])
    expected = [
        base64.b64encode(
            hmac.new(base64.b64decode(key.removeprefix(PREFIX)), signed, hashlib.sha256).digest()
        )
        for key in keys
    ]
    fields = [part.partition(",") for part in headers["webhook-signature"].split()]
    return timestamp, expected, [value.encode() for name, _, value in fields if name == "v1"]


def _event(body: bytes) -> Event:
    try:
        plain = msgspec.json.decode(body, type=UnknownEvent)
        kind = EVENTS.get(plain.type)
        return msgspec.json.decode(body, type=kind) if kind else plain
    except NO_JSON as error:
        raise UnreadableEventError(str(error)) from error
