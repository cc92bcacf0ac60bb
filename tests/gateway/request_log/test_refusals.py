"""Whatever refuses a call, its entry says which check it was, and why: in more words than the wire has (contract §2)."""

import uuid
from collections.abc import Callable

import pytest
from django.test import RequestFactory

from apps.gateway import client_ip
from apps.gateway.request_log.headers import address_to_log
from apps.gateway.request_log.models import LoggedCall
from tests.contract.attempts import FAULTS, Attempt, Fault
from tests.support.operations import operation_of

pytestmark = pytest.mark.django_db

STEP_NAMES = {
    4: "bearer_key",
    5: "environment",
    6: "client_ip",
    7: "method",
    8: "account_status",
    9: "scope",
    10: "rate_limit",
    11: "body",
    12: "idempotency_key",
    13: "sandbox_trigger",
    14: "idempotency_claim",
    15: "validation",
    16: "quota",
}
OWNERLESS = {"no key", "not bearer", "junk key", "wrong checksum", "key never issued"}

Logged = Callable[[], list[LoggedCall]]


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_every_refusal_has_an_entry_that_names_its_step(fault: Fault, logged: Logged):
    attempt = Attempt(operation_of("searchFlights"))
    fault.plant(attempt)
    response = attempt.send()
    [call] = logged()

    assert call.request_id == uuid.UUID(response["X-Request-Id"])
    assert (call.status, call.error_type) == (response.status_code, fault.type)
    assert (call.method, call.response_body["error"]["type"]) == (attempt.method, fault.type)
    if fault.step < 4:
        assert (call.account_id, call.steps) == (None, [])
        return
    assert [step.name for step in call.steps if not step.passed] == [STEP_NAMES[fault.step]]
    assert [step.name for step in call.steps] == list(STEP_NAMES.values())[: fault.step - 3]
    owner = None if fault.name in OWNERLESS else attempt.api_key.id
    assert (call.key_id, call.secret_id) == (owner, attempt.secret_row.pk if owner else None)
    assert call.client_address == attempt.api.address


WHY = {
    "no key": "There was no Authorization header.",
    "not bearer": "The Authorization header is not `Bearer <key>`.",
    "junk key": "The key that was sent is none that was ever issued.",
    "revoked key": "Whoever calls from {address} still uses this key, which was revoked.",
    "wrong environment": "The key is a test key; this address serves live keys alone.",
    "wrong address": "The call came from {address}, which is not in the key's list: 198.51.100.7.",
    "wrong method": "This path takes POST alone.",
    "suspended": "The account is suspended.",
    "read-only": "The account is read-only: it may read what is not billable, and nothing else.",
    "missing scope": "The operation needs the scope flights:search; the key has bookings:read.",
    "over the limit": "In this minute the key had used all 0 calls of its class.",
    "wrong type": "The Content-Type says text/plain; a body is application/json.",
    "body over 256 KiB": "The body is larger than the 256 KiB that are taken.",
    "no Idempotency-Key": "There was no Idempotency-Key header.",
    "short Idempotency-Key": "The Idempotency-Key has 7 characters; 8 to 255 are taken.",
    "unknown trigger": "What was sent is not valid in X-Partner-Customer-Ref.",
    "key reused": "Within the last 24 h this Idempotency-Key came with another path or body.",
    "key in progress": "The first call with this Idempotency-Key had not ended yet.",
    "unknown property": "What was sent is not valid in •••.",
    "no quota left": "The day's 0 searches of the account were used up.",
}


@pytest.mark.parametrize("name", WHY)
def test_the_owner_reads_why(name: str, logged: Logged):
    attempt = Attempt(operation_of("searchFlights"))
    next(fault for fault in FAULTS if fault.name == name).plant(attempt)
    attempt.send()
    [call] = logged()

    assert call.why == WHY[name].format(address=attempt.api.address)


def test_the_owner_of_an_expired_secret_reads_when_it_expired(logged: Logged):
    attempt = Attempt(operation_of("getAccount"))
    next(fault for fault in FAULTS if fault.name == "expired secret").plant(attempt)
    attempt.send()
    [call] = logged()

    assert call.account_id is not None
    assert call.why.startswith(
        f"Whoever calls from {attempt.api.address} still uses a secret that expired on 20"
    )


def test_what_is_too_long_for_an_address_is_not_remembered(rf: RequestFactory):
    """Behind a proxy that is misconfigured it may be anything, of any length."""
    client_ip._can_be_read.cache_clear()

    def address(sent: str) -> str:
        return address_to_log(client_ip.client_address(rf.get("/", REMOTE_ADDR=sent)))

    assert address("1" * 46) == ""
    assert client_ip._can_be_read.cache_info().currsize == 0
    assert address("2001:db8::1") == "2001:db8::1"
    assert client_ip._can_be_read.cache_info().currsize == 1
