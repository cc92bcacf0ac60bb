"""What follows an operation: bill the search or give its quota back, answer or release the Idempotency-Key, log the call."""

import logging
import time

from django.db import transaction

from apps.common import tracing
from apps.common.errors import AccountNotActive, GatewayError, IdempotencyKeyInProgress, RateLimitExceeded
from apps.gateway import billing, call_metrics, search_quota, trace
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.envelope import error_body
from apps.gateway.idempotency import Claim
from apps.gateway.middleware import from_exception
from apps.gateway.search_quota import Quota
from apps.gateway.signals import call_ended
from apps.gateway.value_forms import method_to_log

logger = logging.getLogger("apps.gateway.calls")

# Refusals that depend on the caller and not on the request: the same request may succeed a moment later.
NEVER_STORED = frozenset({401, 403, 405, 413, 415, 429})


def finish(
    call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool
) -> tuple[Answer, GatewayError | None]:
    """Settle quota and claim, and log the call. Where settling fails, the failure is the answer: no answer is sent unstored."""
    try:
        settle(call, answer, error)
    except Exception as raised:
        error = from_exception(raised)
        answer = Answer(error_body(error, call.request_id), error.status_code)
    log(call, answer, error, replayed=replayed)
    return answer, error


def settle(call: Call, answer: Answer, error: GatewayError | None = None) -> None:
    """Bill a success in the transaction that stores its answer; give the quota back after a failure, or where nobody was asked.

    Raises IdempotencyKeyInProgress when the call outlived its claim and another call has the key.
    """
    claim = call.claim
    if claim is not None and claim.finished and answer.status < 500:
        claim = None  # the operation stored the answer in its own transaction
    if call.billable and call.quota is not None and (answer.status >= 400 or not answer.billable):
        give_back(call, call.quota)
    if call.billable and call.quota is not None:
        bill(call, call.quota, answer, claim)
    elif claim is not None:
        # An earlier call may hold the operation longer than it held the key. And an account that was stopped meanwhile is
        # refused with 402 by operations that move money.
        busy = isinstance(error, IdempotencyKeyInProgress | AccountNotActive)
        if answer.status >= 500 or answer.status in NEVER_STORED or busy:
            # A search that was not begun left nothing behind: its key may be used for another body.
            claim.release(for_any_body=isinstance(error, RateLimitExceeded) and call.route.counts_quota)
        elif not claim.complete(answer, ours=error is not None and error.ours):
            raise IdempotencyKeyInProgress  # another call with the key gives the answer


def bill(call: Call, quota: Quota, answer: Answer, claim: Claim | None) -> None:
    """Bill the search and store its answer: in one statement where nothing came between, else in one transaction.

    Raises IdempotencyKeyInProgress when another call has the key: that call is billed. Raises RateLimitExceeded when this
    call's unit of quota lapsed and others have used the rest: nobody is billed.
    """
    if claim is not None and billing.bill_and_answer(call.partner, quota, call.route.product, claim, answer):
        return
    try:
        with transaction.atomic():
            billed = search_quota.bill(call.partner, quota, call.route.product)
            if claim is not None and not claim.complete(answer):
                raise IdempotencyKeyInProgress
    except IdempotencyKeyInProgress:
        give_back(call, quota)
        raise
    except RateLimitExceeded:
        give_back(call, quota)
        if claim is not None:
            claim.release(for_any_body=True)
        raise
    call.quota = billed


def give_back(call: Call, quota: Quota) -> None:
    """Give the search's unit of quota back."""
    call.quota = search_quota.give_back(quota)
    call.billable = False


def log(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    """Write the call's log line, count it, and send `call_ended`."""
    call_metrics.count(call, answer.status, error)
    describe(call, error, replayed=replayed)
    if logger.isEnabledFor(logging.INFO):
        write_line(call, answer, error, replayed=replayed)
    call_ended.send(Call, call=call, answer=answer, error=error, replayed=replayed)


def describe(call: Call, error: GatewayError | None, *, replayed: bool) -> None:
    """Say in its trace which call this was."""
    if call.method in call.routes:
        tracing.rename(call.route.id)
    tracing.note(request_id=call.request_id, replayed=replayed)
    if call.partner_found is not None:
        tracing.note(account_id=call.partner.account_id, environment=call.partner.environment)
    if error is not None:
        tracing.fail(error)


def write_line(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    """One line. `extra` has the steps, as the request log writes them. It has no body, no key and no traveller's name."""
    operation = call.route.id if call.method in call.routes else method_to_log(call.request.method or "")
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
        "steps": trace.written(call.trace),
    }
    remark = f" {error.type}" if error else " replayed" if replayed else ""
    logger.info(
        "%s %s%s in %s ms, request %s",
        answer.status,
        operation,
        remark,
        milliseconds,
        call.request_id,
        extra={"call": entry},
    )
