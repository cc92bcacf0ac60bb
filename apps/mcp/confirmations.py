"""Confirmations: what a person agrees to before a tool moves money.

A confirmation is signed, not stored. It binds the key, the tool, its arguments and the total, and it is the Idempotency-Key of
the call that it confirms. It has no random part: asking again for the same thing at the same price gives the same confirmation,
so an assistant that lost an answer and starts over cannot book twice. Only after a refused attempt does the next one differ.
"""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.core.signing import BadSignature, Signer

from apps.bookings.outcomes import outcome_of_key
from apps.common import clock
from apps.common.errors import InvalidRequest, OfferExpired
from apps.gateway.idempotency import fingerprint
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from apps.keys.partner import Partner

FIELD = "confirmationId"
MAX_LENGTH = 255
"""Of an Idempotency-Key."""
MOST_ATTEMPTS = 50
SALT = "mcp.confirmation"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """`cents`: the most that the call may cost. `quote_id`, `to_credit`: a cancellation's quote, and whether its refund is credit
    with the airline.
    """

    expires_at: datetime
    cents: int
    currency: str
    quote_id: str = ""
    to_credit: bool = False
    attempt: int = 0

    def sealed(self, partner: Partner, tool: str, arguments: Mapping[str, object]) -> str:
        """The `confirmationId`. Equal for equal contents."""
        expires_at = int(self.expires_at.timestamp())
        contents = [expires_at, self.cents, self.currency, self.quote_id, int(self.to_credit), self.attempt]
        return Signer(salt=SALT).sign_object([_digest(partner.key_id), _asked(tool, arguments), *contents])


def read(token: object, partner: Partner, tool: str, arguments: Mapping[str, object]) -> Confirmation:
    """Raises InvalidRequest for one that is not ours, of another key or for other arguments, and OfferExpired for an old one.

    One that was used stays valid as long as the answer is stored: the call that it confirms gets its answer again.
    """
    if not isinstance(token, str) or len(token) > MAX_LENGTH:
        raise _refusal("is not a confirmation of this service")
    try:
        contents = Signer(salt=SALT).unsign_object(token)
    except (BadSignature, ValueError):
        raise _refusal("is not a confirmation of this service") from None
    key, asked, expires_at, cents, currency, quote_id, to_credit, attempt = contents
    if key != _digest(partner.key_id):
        raise _refusal("was given to another API key")
    if asked != _asked(tool, arguments):
        raise _refusal("was given for another tool or other arguments; call without it to get a new price")
    ends = datetime.fromtimestamp(expires_at, UTC)
    if clock.now(partner) >= ends and _record(partner, token) is None:
        raise OfferExpired(
            "This confirmation has expired; nothing was done. Call without it to get the price and terms again.",
            ours=True,
        )
    return Confirmation(ends, cents, currency, quote_id, bool(to_credit), attempt)


@dataclass(frozen=True, slots=True)
class Issued:
    """`is_used`: the call that it confirms succeeded before, and gets its answer again."""

    token: str
    is_used: bool = False


def issue(
    partner: Partner,
    tool: str,
    arguments: Mapping[str, object],
    expires_at: datetime,
    cents: int,
    currency: str,
) -> Issued:
    """The confirmation of a booking. An attempt that was refused, or whose booking failed or was cancelled since, has used its
    Idempotency-Key up, so the next one is taken.
    """
    for attempt in range(MOST_ATTEMPTS):
        made = Confirmation(expires_at, cents, currency, attempt=attempt)
        issued = Issued(made.sealed(partner, tool, arguments))
        record = _record(partner, issued.token)
        if record is None or record.state != IdempotencyState.DONE:
            return issued
        if (record.status or 0) < 400 and _stands(partner, issued.token):
            return Issued(issued.token, is_used=True)
    return issued


def _stands(partner: Partner, token: str) -> bool:
    """Whether the booking that the confirmation made is still one."""
    outcome = outcome_of_key(partner.account_id, partner.environment, token, now=clock.now(partner))
    booking = outcome.verdict.booking
    return booking is None or booking.status not in ("failed", "cancelled")


def _record(partner: Partner, token: str) -> IdempotencyRecord | None:
    of_partner = IdempotencyRecord.objects.filter(
        account_id=partner.account_id, environment=partner.environment
    )
    return of_partner.filter(key=token).only("state", "status").first()


def _asked(tool: str, arguments: Mapping[str, object]) -> str:
    return _digest(fingerprint("tool", tool, arguments))


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:15]).decode()


def _refusal(message: str) -> InvalidRequest:
    return InvalidRequest(details=[{"field": FIELD, "message": message}], ours=True)
