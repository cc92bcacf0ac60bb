"""What a member does to a booking in the portal goes the way of an API call, under an Idempotency-Key that the form has.

So a second click is the same call: it waits, gets what the first one got, or continues what the first one left open. Two people
have two keys: the booking's lock decides, and the later one gets a conflict.
"""

import re
import uuid
from collections.abc import Callable, Mapping

import orjson

from apps.accounts.actors import Actor
from apps.accounts.audit import Subject, record
from apps.accounts.models import AuditAction
from apps.bookings.models import Booking
from apps.common.errors import AccountNotActive, Conflict, GatewayError
from apps.gateway import idempotency
from apps.gateway.idempotency import Asked, Claim, StoredAnswer, fingerprint
from apps.gateway.requests import Caller
from apps.gateway.responses import Answer
from apps.gateway.settlement import is_stored
from apps.keys.partner import Partner

KEY = re.compile(r"portal-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def new_key() -> str:
    """For one form."""
    return f"portal-{uuid.uuid4()}"


def for_member(
    *,
    partner: Partner,
    booking: Booking,
    actor: Actor,
    key: str,
    operation: str,
    action: AuditAction,
    limit: Mapping[str, object],
    refuse: Callable[[Booking], None],
    act: Callable[[Caller], Booking],
    unrecorded: Mapping[str, object] | None = None,
) -> Booking:
    """The booking after `act`, which is done once for a key and recorded in the audit trail. `operation` is the operationId that
    it stands for, `limit` what the member agreed to, `unrecorded` what else the form says and no audit trail keeps (names), and
    `refuse` raises where it cannot begin.

    `partner` is the account without an API key. Raises AccountNotActive unless the account is active, IdempotencyKeyReuse for the
    key of another form, IdempotencyKeyInProgress during an earlier click, Conflict for what the first click was refused, and what
    `refuse` and `act` raise.
    """
    if partner.account_status != "active":
        raise AccountNotActive(f"The account is {partner.account_status}.")
    same = fingerprint("POST", f"portal {booking.pk} {action}", {**limit, **(unrecorded or {})})
    claim = idempotency.claim(partner, key, same, asked=Asked(operation))
    if isinstance(claim, StoredAnswer):
        return as_before(booking, claim)
    try:
        if not claim.taken_over:
            refuse(booking)
        record(
            account=booking.account_id,
            environment=booking.environment,
            action=action,
            actor=actor,
            subject=Subject("booking", booking.pk, booking.reference),
            details={**limit, "currency": booking.currency},
        )
        done = act(Caller(partner, "", claim=claim))
    except BaseException as error:
        _end(claim, error)
        raise
    claim.complete(Answer({"id": booking.pk, "status": done.status}, 200))
    return done


def as_before(booking: Booking, stored: StoredAnswer) -> Booking:
    """What the first click got. Raises Conflict where that was a refusal."""
    if stored.status == 200:
        return Booking.objects.get(pk=booking.pk)
    refused = orjson.loads(stored.body or b"{}")
    raise Conflict(refused.get("message", ""), **refused.get("extras", {}))


def _end(claim: Claim, error: BaseException) -> None:
    """Store a refusal under the key; release the key after what a second click may carry on."""
    if not isinstance(error, GatewayError) or not is_stored(error.status_code, error):
        claim.release()
        return
    claim.complete(Answer({"message": error.message, "extras": error.extras}, error.status_code))
