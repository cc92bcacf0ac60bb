"""Airalo's webhooks: little data left on a profile, little credit left on our account.

They sign with our API secret. Their pages leave open over what: the bytes as sent, or the compact encoding with `/` and all
beyond ASCII escaped, which their own client makes of what was decoded. Either is taken.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from apps.common import clock
from apps.esim.suppliers.airalo.client import NAME
from apps.esim.suppliers.base import LowData
from apps.suppliers.alerts import alert
from apps.suppliers.models import AlertKind
from apps.suppliers.vendors import Forged, Hint, Unreadable

SIGNATURE = "airalo-signature"
LOW_DATA, LOW_CREDIT = "low_data", "credit_limit"
LEVELS = {
    "75%": LowData(percent_used=75),
    "90%": LowData(percent_used=90),
    "3days": LowData(days_left=3),
    "1days": LowData(days_left=1),
}
"""In their words. Which of them they send for plans without a limit is not documented."""
BY_DAY, BY_HOUR = "%Y%m%d", "%Y%m%d%H"


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
    if body.get("iccid"):
        level = str(body.get("level"))
        kind = f"{LOW_DATA} {level}" if level in LEVELS else LOW_DATA
        # Another webhook with the same text may follow a top-up. Each level is reported once all the same.
        return Hint(_event_id(raw, BY_HOUR), kind, object_id=str(body["iccid"]))
    if body.get("request_id") or body.get("sims"):
        return None  # of an asynchronous order, which we do not make
    return Hint(_event_id(raw, BY_DAY), LOW_CREDIT, object_id=_credit_used(body))


def _credit_used(body: Mapping[str, Any]) -> str:
    """How much of our credit is used, `90%`; empty where they do not say. What remains is no affair of the hint's.

    Their example says it in a sentence alone: "Surpassed 80% of the credit limit balance".
    """
    level = body.get("level")
    stated = f"{level}%" if isinstance(level, int) else str(level or body.get("message"))
    found = re.search(r"(?<!\d)(\d{1,3})%", stated, re.ASCII)
    return f"{found[1]}%" if found else ""


def _event_id(raw: bytes, within: str) -> str:
    """Theirs have no id. The same text later on is another event: credit runs low more than once."""
    return f"{clock.now():{within}}-{hashlib.sha256(raw).hexdigest()}"


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
    """Report the level that a hint names, and read the usage; alert staff to low credit. Raises SupplierError."""
    # Imported late: services choose among adapters, this one too.
    from apps.esim.services.usage import refresh_usage

    kind, _, level = hint.kind.partition(" ")
    if kind == LOW_DATA:
        refresh_usage(supplier_name=supplier, iccid=hint.object_id, low=LEVELS.get(level))
    elif kind == LOW_CREDIT:
        reached = (
            f"{hint.object_id} of our credit at Airalo is used" if hint.object_id else "little credit left"
        )
        alert(supplier, AlertKind.CREDIT_LOW, reached)
