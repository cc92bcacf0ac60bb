"""Work and its stored answer in one transaction, for operations that ask no supplier."""

from collections.abc import Callable

from django.db import transaction

from apps.common.errors import IdempotencyKeyInProgress
from apps.gateway.answer import Answer
from apps.gateway.call import Call


def answered_together(call: Call, work: Callable[[], Answer]) -> Answer:
    """Do the work and store its answer in one transaction. A call that dies has then done nothing, and a retry does it once.

    Raises IdempotencyKeyInProgress, with nothing done, when the call was paused beyond its claim and another call has the key:
    the answer of that call is what the partner is told. Storing the answer locks the claim, so that no call takes it over before
    the commit.
    """
    with transaction.atomic():
        answer = work()
        if call.claim is not None and not call.claim.complete(answer):
            raise IdempotencyKeyInProgress
    return answer
