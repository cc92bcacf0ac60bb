"""Airalo's webhooks: little data left on a profile, little credit left on our account.

They sign with our API secret. Their pages leave open over what: the bytes as sent, or the compact encoding with `/` and all
beyond ASCII escaped, which their own client makes of what was decoded. Either is taken.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from apps.common import clock
from apps.esim.suppliers.airalo.client import NAME
from apps.suppliers.alerts import alert
from apps.suppliers.models import AlertKind
from apps.suppliers.vendors import Forged, Hint, Unreadable

SIGNATURE = "airalo-signature"
LOW_DATA, LOW_CREDIT = "low_data", "credit_limit"


def verify(headers: Mapping[str, str], raw: bytes) -> Hint | None:
    """The hint in a webhook, None for one that concerns nothing of ours. Raises Forged, Unreadable."""
    secret = settings.SUPPLIER_CREDENTIALS[NAME]["client_secret"]
    given = headers.get(SIGNATURE, "").strip().lower()
    if not secret or not _signed(raw, given, secret):
        raise Forged
    body = json.loads(raw)
    if not isinstance(body, dict):
        raise Unreadable("not an object")
    return _hint(raw, body)


def _hint(raw: bytes, body: Mapping[str, Any]) -> Hint | None:
    """The kind is not in the body: its fields show it."""
    event_id = _event_id(raw)
    if body.get("iccid"):
        return Hint(event_id, LOW_DATA, object_id=str(body["iccid"]))
    if body.get("request_id") or body.get("sims"):
        return None  # of an asynchronous order, which we do not make
    return Hint(event_id, LOW_CREDIT, object_id=_level(body.get("level")))


def _level(raw: object) -> str:
    """How much of our credit is used, `90%`; empty where they do not say. What remains is no affair of the hint's."""
    digits = str(raw).strip().rstrip("%")
    return f"{digits}%" if digits.isascii() and digits.isdigit() and len(digits) <= 3 else ""


def _event_id(raw: bytes) -> str:
    """Theirs have no id. The same text on another day is another event: credit runs low more than once."""
    return f"{clock.today():%Y%m%d}-{hashlib.sha256(raw).hexdigest()}"


def _signed(raw: bytes, given: str, secret: str) -> bool:
    return any(
        hmac.compare_digest(
            hmac.new(secret.encode(), text, hashlib.sha512).hexdigest().encode(), given.encode()
        )
        for text in (raw, _as_their_client_encodes(raw))
    )


def _as_their_client_encodes(raw: bytes) -> bytes:
    """`json_encode` of PHP, without options. What is no JSON is only itself."""
    try:
        return json.dumps(json.loads(raw), separators=(",", ":")).replace("/", "\\/").encode()
    except (ValueError, RecursionError):
        return raw


def refresh(supplier: str, hint: Hint) -> None:
    """Read the usage that a hint names; alert staff to low credit. Raises SupplierError."""
    # Imported late: services choose among adapters, this one too.
    from apps.esim.services.usage import refresh_usage

    if hint.kind == LOW_DATA:
        refresh_usage(supplier_name=supplier, iccid=hint.object_id)
    elif hint.kind == LOW_CREDIT:
        reached = (
            f"{hint.object_id} of our credit at Airalo is used" if hint.object_id else "little credit left"
        )
        alert(supplier, AlertKind.CREDIT_LOW, reached)
