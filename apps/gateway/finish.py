"""What follows an operation: the quota's unit billed or given back, the Idempotency-Key answered or released, the call logged."""

import logging
import time

from django.db import transaction

from apps.gateway import search_quota, trace
from apps.gateway.call import Answer, Call
from apps.gateway.envelope import error_body
from apps.gateway.errors import AccountNotActive, GatewayError, IdempotencyKeyInProgress
from apps.gateway.idempotency import Claim
from apps.gateway.middleware import from_exception
from apps.gateway.request_log import note
from apps.gateway.search_quota import Quota

logger = logging.getLogger("apps.gateway.calls")

# What says something of the caller's standing rather than of the request: the same request may succeed a moment later.
NEVER_STORED = frozenset({401, 403, 405, 413, 415, 429})


def finish(
    call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool
) -> tuple[Answer, GatewayError | None]:
    """Settle quota and claim. Where that fails, the caller gets that failure: an answer not stored was not given."""
    try:
        settle(call, answer, error)
    except Exception as raised:
        error = from_exception(raised)
        answer = Answer(error_body(error, call.request_id), error.status_code)
    log(call, answer, error, replayed=replayed)
    return answer, error


def settle(call: Call, answer: Answer, error: GatewayError | None = None) -> None:
    """A success is billed in the transaction that stores it; a failure gives its unit back."""
    claim = call.claim
    if claim is not None and claim.finished and answer.status < 500:
        claim = None  # answered in the operation's own transaction
    if call.billable and call.quota is not None and answer.status >= 400:
        give_back(call, call.quota)
    if call.billable and call.quota is not None:
        bill(call, call.quota, answer, claim)
    elif claim is not None:
        # The call before this one may still hold the operation itself, longer than it held the key. And an account that was
        # stopped meanwhile is refused with 402 where money changes hands.
        busy = isinstance(error, IdempotencyKeyInProgress | AccountNotActive)
        if answer.status >= 500 or answer.status in NEVER_STORED or busy:
            claim.release()
        else:
            claim.complete(answer)


def bill(call: Call, quota: Quota, answer: Answer, claim: Claim | None) -> None:
    """Raises IdempotencyKeyInProgress where the call was so slow that another has its key: that one is billed."""
    try:
        with transaction.atomic():
            search_quota.bill(call.partner, quota, call.route.product)
            if claim is not None and not claim.complete(answer):
                raise IdempotencyKeyInProgress
    except IdempotencyKeyInProgress:
        give_back(call, quota)
        raise


def give_back(call: Call, quota: Quota) -> None:
    call.quota = search_quota.give_back(call.partner, quota)
    call.billable = False


def log(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    """One line a call, and the same taken down for the request log."""
    if logger.isEnabledFor(logging.INFO):
        say(call, answer, error, replayed=replayed)
    note.call_ended(call, answer, error, replayed=replayed)


def say(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    """The line, and in `extra` which step ended the call and how long each took: no body, no key, no traveller."""
    operation = call.route.id if call.method in call.routes else call.method
    milliseconds = round((time.monotonic() - call.started) * 1000, 1)
    entry = {
        "requestId": call.request_id,
        "operation": operation,
        "keyId": call.partner.key_id if call.partner_found else None,
        "status": answer.status,
        "errorType": error.type if error else None,
        "replayed": replayed,
        "billable": call.billable,
        "milliseconds": milliseconds,
        "steps": [
            (step.name, step.verdict, step.milliseconds) for step in trace.read(trace.written(call.trace))
        ],
    }
    said = f" {error.type}" if error else " replayed" if replayed else ""
    logger.info(
        "%s %s%s in %s ms, request %s",
        answer.status,
        operation,
        said,
        milliseconds,
        call.request_id,
        extra={"call": entry},
    )
