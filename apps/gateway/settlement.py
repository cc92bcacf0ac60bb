"""What follows an operation: bill the search or give its quota back, store the answer or release the Idempotency-Key."""

from collections.abc import Callable
from functools import cache

from django.db import transaction

from apps.common import sql
from apps.common.errors import AccountNotActive, IdempotencyKeyInProgress, RateLimitExceeded
from apps.gateway import search_quota
from apps.gateway.idempotency import ANSWERED, IS_OWN, Claim
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.search_quota import Quota
from apps.keys.partner import Partner

# Refusals that depend on the caller and not on the request: the same request may succeed a moment later.
NEVER_STORED = frozenset({401, 403, 405, 413, 415, 429})

# One statement, and so one round trip and one commit instead of five. The claim is locked first: another call cannot take it
# over meanwhile. Where it is lost, or the unit has lapsed, nothing is changed but the record, which is not reported, and the
# caller finds out which of them it was.
BILL_AND_ANSWER = f"""
WITH {{record}} own AS (
    SELECT id FROM gateway_idempotencyrecord WHERE {IS_OWN} FOR UPDATE
), unit AS (
    DELETE FROM gateway_searchunit WHERE id = %(unit)s AND EXISTS (SELECT FROM own) RETURNING units
), billed AS ({search_quota.BILLED})
{ANSWERED} WHERE id = %(claim)s AND EXISTS (SELECT FROM unit)
"""  # noqa: S608


def is_stored(status: int, error: Exception | None) -> bool:
    """Whether an answer is kept under its Idempotency-Key, so that a repeated call gets it again.

    A running call with the key gives another answer later. And an account that was stopped is refused with 402 by operations
    that move money, but may become active.
    """
    is_temporary = isinstance(error, IdempotencyKeyInProgress | AccountNotActive)
    return status < 500 and status not in NEVER_STORED and not is_temporary


def settle(request: PartnerRequest, answer: Answer) -> None:
    """Bill a success in the transaction that stores its answer; give the quota back after a failure or without a supplier call.

    Raises IdempotencyKeyInProgress when the call outlived its claim and another call has the key.
    """
    claim = request.claim
    if claim is not None and claim.finished and answer.status_code < 500:
        claim = None  # the operation stored the answer in its own transaction
    if request.billable and request.quota is not None and (answer.status_code >= 400 or not answer.billable):
        give_back(request, request.quota)
    if request.billable and request.quota is not None:
        bill(request, request.quota, answer, claim)
    elif claim is not None:
        if not is_stored(answer.status_code, request.error):
            # A search that was not begun left nothing behind: its key may be used for another body.
            claim.release(
                for_any_body=isinstance(request.error, RateLimitExceeded) and request.operation.counts_quota
            )
        elif not claim.complete(answer, ours=request.error is not None and request.error.ours):
            raise IdempotencyKeyInProgress  # another call with the key gives the answer


def bill(request: PartnerRequest, quota: Quota, answer: Answer, claim: Claim | None) -> None:
    """Bill the search and store its answer: in one statement where nothing came between, else in one transaction.

    Raises IdempotencyKeyInProgress when another call has the key: that call is billed. Raises RateLimitExceeded when this
    call's unit of quota lapsed and others have used the rest: nothing is billed.
    """
    if claim is not None and bill_and_answer(
        request.partner, quota, request.operation.product, claim, answer
    ):
        return
    try:
        with transaction.atomic():
            billed = search_quota.bill(request.partner, quota, request.operation.product)
            if claim is not None and not claim.complete(answer):
                raise IdempotencyKeyInProgress
    except IdempotencyKeyInProgress:
        give_back(request, quota)
        raise
    except RateLimitExceeded:
        give_back(request, quota)
        if claim is not None:
            claim.release(for_any_body=True)
        raise
    request.quota = billed


def give_back(request: PartnerRequest, quota: Quota) -> None:
    request.quota = search_quota.give_back(quota)
    request.billable = False


@cache
def with_record(insert: str) -> str:
    """The statement with the INSERT of a product's record; without one if the product has no record."""
    return BILL_AND_ANSWER.format(record=f"record AS ({insert})," if insert else "")


def bill_and_answer(partner: Partner, quota: Quota, product: str, claim: Claim, answer: Answer) -> bool:
    """Write the record, count the billable search and store its answer.

    False where another call has the key, or the unit has lapsed. Then the record alone is written: in the second case the search
    may still be billed.
    """
    record = answer.record
    changed = sql.rows_changed(
        with_record(record.insert if record else ""),
        {
            **(record.parameters if record else {}),
            **claim.completion(answer),
            **search_quota.bill_parameters(partner, quota, product),
        },
    )
    done = changed == 1
    claim.finished = claim.finished or done
    return done


def answered_together(request: PartnerRequest, work: Callable[[], Answer]) -> Answer:
    """Do the work and store its answer in one transaction. A call that dies has then done nothing, and a retry does it once.

    Raises IdempotencyKeyInProgress, with nothing done, when the call was paused beyond its claim and another call has the key:
    the answer of that call is what the partner gets. Storing the answer locks the claim, so that no call takes it over before
    the commit.
    """
    with transaction.atomic():
        answer = work()
        if request.claim is not None and not request.claim.complete(answer):
            raise IdempotencyKeyInProgress
    return answer
