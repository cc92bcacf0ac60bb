"""What is left of a call when it has ended: its Idempotency-Key, its unit of the quota, and what services may store."""

from typing import Any

import pytest
from django.db import connection, transaction
from django.test import RequestFactory

from apps.common.errors import GatewayError, InternalError, RateLimitExceeded
from apps.gateway import search_quota
from apps.gateway.idempotency import Claim, StoredAnswer, claim
from apps.gateway.models import IdempotencyRecord, SearchQuotaDay, SearchUsage
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.settlement import settle
from apps.gateway.viewsets import finish
from apps.keys.partner import Partner
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.operations import operation_of

pytestmark = pytest.mark.usefixtures("noon")

KEY = "one-and-the-same-key"
DONE = {200, 201, 299, 400, 402, 404, 406, 409, 410, 412, 414, 416, 428, 430, 499}
RELEASED = {401, 403, 405, 413, 415, 429, 500, 501, 502, 503, 599}


@pytest.fixture
def partner(db: None) -> Partner:
    return partner_of(api_of_new_partner())


def claimed(partner: Partner) -> Claim:
    found = claim(partner, KEY, "print")
    assert isinstance(found, Claim)
    return found


def call_of(partner: Partner, operation_id: str, **state: Any) -> PartnerRequest:
    """A call of the operation that has come as far as `state` says."""
    operation = operation_of(operation_id)
    request: Any = RequestFactory().generic(operation.method, operation.url)
    request.request_id = "a-request"
    call = PartnerRequest(request, {operation.method: operation.route})
    call.known_partner = partner
    for name, value in state.items():
        setattr(call, name, value)
    return call


@pytest.mark.parametrize("status", sorted(DONE | RELEASED))
def test_an_answer_is_stored_unless_the_next_call_may_have_another(partner: Partner, status: int):
    settle(call_of(partner, "createFlightOrder", claim=claimed(partner)), Answer({"n": 1}, status))

    record = IdempotencyRecord.objects.get()
    assert record.state == ("done" if status in DONE else "released")
    assert (record.fingerprint, record.encrypted) == ("print", False)


@pytest.mark.parametrize(
    ("operation_id", "error", "fingerprint"),
    [
        ("searchFlights", RateLimitExceeded(), ""),
        ("createFlightOrder", RateLimitExceeded(), "print"),
        ("searchFlights", InternalError(), "print"),
    ],
)
def test_only_the_key_of_a_search_that_was_not_begun_is_free_for_another_body(
    partner: Partner, operation_id: str, error: GatewayError, fingerprint: str
):
    call = call_of(partner, operation_id, claim=claimed(partner), error=error)
    settle(call, Answer({}, error.status_code))

    record = IdempotencyRecord.objects.get()
    assert (record.state, record.fingerprint) == ("released", fingerprint)


@pytest.mark.parametrize(("status", "state"), [(201, "running"), (499, "running"), (500, "released")])
def test_a_failure_frees_the_key_whose_answer_was_stored_and_then_rolled_back(
    partner: Partner, status: int, state: str
):
    mine = claimed(partner)
    mine.finished = True  # as the operation left it, whose transaction was rolled back

    settle(call_of(partner, "createFlightOrder", claim=mine), Answer({}, status))

    assert IdempotencyRecord.objects.get().state == state


@pytest.mark.parametrize(("status", "billed"), [(201, True), (399, True), (400, False), (502, False)])
@pytest.mark.parametrize("with_key", [True, False])
def test_a_search_is_billed_or_its_unit_is_given_back(
    partner: Partner, status: int, billed: bool, with_key: bool
):
    call = call_of(partner, "searchFlights", quota=search_quota.take(partner), billable=True)
    call.claim = claimed(partner) if with_key else None

    settle(call, Answer({"n": 1}, status))

    assert (call.billable, SearchQuotaDay.objects.get().used) == (billed, int(billed))
    assert SearchUsage.objects.count() == int(billed)
    assert call.quota is not None
    assert call.quota.used == int(billed)


def test_a_search_that_is_billed_with_another_unit_is_stored_for_replays(partner: Partner, move_clock):
    call = call_of(partner, "searchFlights", quota=search_quota.take(partner), billable=True)
    call.claim = claimed(partner)
    first = call.quota
    move_clock(seconds=46)
    search_quota.give_back_lapsed()

    answer = finish(call, Answer({"n": 1}, 201))

    assert (answer.status_code, call.error, SearchUsage.objects.get().billable) == (201, None, 1)
    assert call.quota is not None
    assert first is not None
    assert call.quota.unit != first.unit
    assert isinstance(claim(partner, KEY, "print"), StoredAnswer)


def test_another_unit_relaxes_no_commit_of_the_answer_that_is_stored_with_it(partner: Partner, move_clock):
    first = search_quota.take(partner)
    move_clock(seconds=46)
    search_quota.give_back_lapsed()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = on")
        with transaction.atomic():
            assert search_quota.bill(partner, first, "flights").unit != first.unit
            cursor.execute("SHOW synchronous_commit")
            assert cursor.fetchone() == ("on",)
