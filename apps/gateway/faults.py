"""The faults dial of a test environment: answers that come late, supplier's refusals, and answers that never arrive.

It touches the POSTs of /v1 that reach a supplier; the delay comes with every answer of /v1. A refusal of the dial is that of the
trigger `sbx_supplier_error`, so money and bookings end as they do there. An answer is lost once the work is done and the answer
stored: the booking stands, GET /v1/operations finds it, and a retry with the same Idempotency-Key gets the answer.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from django.conf import settings
from django.http import HttpResponse
from rest_framework.response import Response

from apps.accounts.faults import ERROR, LATENCY, LOST_ANSWER, Faults, next_call
from apps.common.errors import GatewayError
from apps.gateway.requests import PartnerRequest
from apps.gateway.sandbox import SUPPLIER_ERROR, Trigger

HEADER = "X-Sandbox-Fault"
NOTED = "sandbox_fault"
"""The step of the call's trace that says what was decided, for a later look-up of the call."""
HEAD_SECONDS = 0.05
"""What the web server has for sending the head."""
SAID = "The faults dial of the sandbox made it so."


class LostAnswer(HttpResponse):
    """An answer that ends after its first byte: its head is on its way by then, so that the web server can only end the
    connection, and a proxy in front cannot ask another process instead.
    """

    def __iter__(self) -> Iterator[bytes]:
        yield self.content[:1]
        time.sleep(HEAD_SECONDS)
        raise ConnectionAbortedError(f"The response is lost on purpose. {SAID}")


def plan(request: PartnerRequest) -> None:
    """Decide, before the operation, what goes wrong with it.

    A call with a trigger of its own takes no number and is left alone, and so is the replay of a stored answer.
    """
    if not request.partner.faults:
        return
    faults = Faults.of(request.partner.faults)
    touched = request.method == "POST" and SUPPLIER_ERROR in request.operation.triggers
    if not touched or request.trigger.value or not faults.fails_calls:
        return
    number = next_call(request.partner.account_id)
    request.fault = faults.of_call(number) if number is not None else ""
    if request.fault:
        request.trace.append(f"{NOTED} 0 {request.fault}")
    if request.fault == ERROR:
        request.trigger = Trigger(SUPPLIER_ERROR, by_dial=True)


def explain(request: PartnerRequest, error: GatewayError) -> None:
    """Say in the refusal that the dial asked for it."""
    if request.trigger.by_dial and request.trigger.fired and error.status_code == 502:
        error.message = f"{error.message} {SAID}"


def happen(request: PartnerRequest, response: HttpResponse) -> HttpResponse:
    """The response as the dial lets it go: late, lost, or as it is. `X-Sandbox-Fault` names what happened.

    Nothing happens to the answers of the sandbox's controls, so that the dial can be set back.
    """
    partner = request.known_partner
    if partner is None or not partner.faults or request.path.startswith("/sandbox"):
        return response
    faults = Faults.of(partner.faults)
    happened = [ERROR] if request.trigger.by_dial and request.trigger.fired else []
    if faults.latency_ms:
        happened += delayed(partner.account_id, faults.latency_ms)
    if request.fault == LOST_ANSWER:
        happened.append(LOST_ANSWER)
        response = LostAnswer(
            cast("Response", response).render().content, status=response.status_code, headers=response.headers
        )
    if happened:
        response[HEADER] = ", ".join(happened)
    return response


def delayed(account_id: str, milliseconds: int) -> list[str]:
    """Keep the answer for so long; where the account, or all accounts, have no place left, nothing is added."""
    with place(account_id) as has_place:
        if not has_place:
            return []
        time.sleep(milliseconds / 1000)
    return [LATENCY]


_counting = threading.Lock()
_waiting: Counter[str] = Counter()


@contextmanager
def place(account_id: str) -> Iterator[bool]:
    """Whether one more of the account's answers may wait in this process: a quarter of its threads at most, half for all."""
    with _counting:
        of_account, of_all = max(1, settings.WEB_THREADS // 4), max(1, settings.WEB_THREADS // 2)
        free = _waiting[account_id] < of_account and _waiting.total() < of_all
        if free:
            _waiting[account_id] += 1
    try:
        yield free
    finally:
        if free:
            with _counting:
                _waiting[account_id] -= 1
                if not _waiting[account_id]:
                    del _waiting[account_id]
