"""Contract §2 as a table: every operation × every reason to refuse it, alone and together. The earliest step wins."""

import random
import time
import uuid
from itertools import groupby, pairwise
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from apps.bookings.models import Booking
from apps.bookings.models import Operation as OperationRow
from apps.gateway.models import IdempotencyRecord, SearchQuotaDay, SearchUsage
from apps.ledger.models import Hold
from tests.contract.attempts import FAULTS, VALID_SEARCHES, Attempt, Fault
from tests.support.operations import Operation, operations, partner_operations

pytestmark = pytest.mark.django_db

RANDOM_COMBINATIONS = 400
SEED = 20261120

CASES = [
    pytest.param(operation, fault, id=f"{operation.route.id}: {fault}")
    for operation in partner_operations()
    for fault in FAULTS
    if fault.concerns(operation)
]
BY_OPERATION = [pytest.param(operation, id=operation.route.id) for operation in partner_operations()]


def faults_of(operation: Operation) -> list[Fault]:
    return [fault for fault in FAULTS if fault.concerns(operation)]


def refused(attempt: Attempt, *planted: Fault) -> tuple[Any, dict[str, Any]]:
    """The refusal of a request with these faults; what holds of every refusal is asserted here."""
    for fault in planted:
        fault.plant(attempt)
    response = attempt.send()
    first = min(planted, key=lambda fault: fault.slot)
    names = f"{attempt.operation}: {', '.join(map(str, planted))}"
    error = response.json()["error"]

    assert (response.status_code, error["type"]) == (first.status_for(attempt.operation), first.type), names
    assert response["Content-Type"] == "application/json", names
    assert error["requestId"] == response["X-Request-Id"] == str(uuid.UUID(error["requestId"])), names
    assert set(error) == {"type", "message", "requestId", *first.extras} | (
        {"details"} if error["type"] == "invalid_request" else set()
    ), names
    return response, error


def rows_left() -> tuple[int, ...]:
    """Of each table that a call which goes on writes to, in one statement."""
    written = (Booking, OperationRow, Hold, SearchQuotaDay, SearchUsage, IdempotencyRecord)
    counts = (f"(SELECT count(*) FROM {model._meta.db_table})" for model in written)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(counts)}")
        return tuple(cursor.fetchone())


def assert_untouched(supplier_calls: list[str], *, records: int = 0) -> None:
    assert rows_left() == (0, 0, 0, 0, 0, records)
    assert supplier_calls == []


@pytest.mark.parametrize(("operation", "fault"), CASES)
def test_each_fault_is_refused_with_its_status_type_and_headers(
    operation: Operation, fault: Fault, supplier_calls: list[str]
):
    attempt = Attempt(operation)
    asked_at = time.time()
    response, error = refused(attempt, fault)

    assert_headers(response, attempt, fault, asked_at)
    assert_extras(response, error, attempt, fault)
    if fault.step <= 14:
        assert_untouched(supplier_calls, records=len(attempt.records))
    else:
        assert supplier_calls == []
        kept = {15: "done", 16: "released"}[fault.step]
        states = list(IdempotencyRecord.objects.values_list("state", flat=True))
        assert states == ([kept] if operation.method == "POST" else [])


def assert_headers(response: Any, attempt: Attempt, fault: Fault, asked_at: float) -> None:
    """Limits, quota and environment, as far as the call came (contract §2)."""
    sent = {name for name in response.headers if name.startswith(("X-RateLimit", "X-Search", "X-Env"))}
    rate = {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
    known = {"X-Environment", "X-Search-Quota-Limit", "X-Search-Quota-Remaining", "X-Search-Quota-Reset"}
    searches = attempt.operation.route.counts_quota and attempt.method == attempt.operation.method
    billable = {"X-Search-Billable"} if searches else set()

    if fault.step < 4:
        assert sent == (billable if fault.status == 413 else set())
        assert response.get("X-Search-Billable", "false") == "false"
        return
    assert sent == billable | (rate if fault.step == 4 else rate | known)
    window = [int(response[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")]
    assert asked_at < window[2] <= time.time() + 61
    limit = settings.RATE_LIMITS[attempt.operation.route.rate_class]
    if fault.step == 10:
        assert window[:2] == [0, 0]
    elif fault.step == 7:  # no route says which class applies: any of the path's
        assert window[0] == window[1]
        assert window[0] in settings.RATE_LIMITS.values()
    else:
        counted = fault.step == 4 or fault.step > 10
        assert window[:2] == [limit, limit - counted]
    if fault.step > 4:
        assert response["X-Environment"] == "test"
        assert int(response["X-Search-Quota-Remaining"]) == int(response["X-Search-Quota-Limit"])
    assert response.get("X-Search-Billable", "false") == "false"


def assert_extras(response: Any, error: dict[str, Any], attempt: Attempt, fault: Fault) -> None:
    waits = fault.step == 10 or fault.type == "idempotency_key_in_progress"
    assert response.has_header("Retry-After") == waits
    assert response.has_header("Allow") == (fault.step == 7)
    wanted = "Accept-Patch" if attempt.operation.method == "PATCH" else "Accept"
    is_of_type = fault.type == "unsupported_media_type"
    assert response.get(wanted) == ("application/json" if is_of_type else None)
    if fault.step == 10:
        assert error["retryAfter"] == int(response["Retry-After"])
        assert 1 <= error["retryAfter"] <= 60
    if fault.step == 7:
        methods = {known.method for known in operations() if known.path == attempt.operation.path}
        served = methods | {"HEAD"} if "GET" in methods else methods
        assert response["Allow"] == ", ".join(sorted(served))
    if fault.step == 5:
        assert (error["gatewayEnvironment"], error["keyEnvironment"]) == ("live", "test")
    if fault.step == 9:
        assert error["missingScope"] == attempt.operation.route.scope
    if fault.step == 13:
        assert [detail["field"] for detail in error["details"]] == ["X-Partner-Customer-Ref"]
        assert all(name in error["message"] for name in ("sbx_offer_expired", "sbx_slow"))
    if fault.step == 15:
        unknown = {"field": "noSuchProperty", "message": "is not a property of this request"}
        assert unknown in error["details"]
    if fault.step == 16:
        assert int(response["X-Search-Quota-Remaining"]) == 0


@pytest.mark.parametrize("operation", BY_OPERATION)
def test_of_neighbouring_faults_the_earlier_is_answered(operation: Operation, supplier_calls: list[str]):
    slots = [list(group) for _, group in groupby(faults_of(operation), key=lambda fault: fault.slot)]

    for earlier, later in pairwise(slots):
        refused(Attempt(operation), earlier[0], later[-1])

    assert supplier_calls == []


def test_of_any_faults_the_earliest_is_answered(supplier_calls: list[str]):
    chance = random.Random(SEED)
    for _ in range(RANDOM_COMBINATIONS):
        operation = chance.choice(partner_operations())
        by_slot = {
            fault.slot: fault for fault in chance.sample(faults_of(operation), k=len(faults_of(operation)))
        }
        planted = chance.sample(list(by_slot.values()), k=chance.randint(2, min(6, len(by_slot))))
        refused(Attempt(operation), *planted)

    assert supplier_calls == []


@pytest.mark.parametrize("operation", BY_OPERATION)
def test_with_everything_wrong_each_repair_leads_to_the_next_refusal(operation: Operation):
    """The whole list of contract §2 at once: repaired from the front, one step at a time."""
    slots = [list(group) for _, group in groupby(faults_of(operation), key=lambda fault: fault.slot)]
    wrong = [group[0] for group in slots]

    answered = []
    while wrong:
        response, error = refused(Attempt(operation), *wrong)
        answered.append((response.status_code, error["type"]))
        del wrong[0]

    assert answered == [(group[0].status_for(operation), group[0].type) for group in slots]


def test_the_faults_cover_every_refusing_step():
    assert sorted({fault.step for fault in FAULTS}) == list(range(2, 17))
    assert set(VALID_SEARCHES) == {
        operation.route.id
        for operation in partner_operations()
        if operation.route.counts_quota and operation.method == "POST"
    }


@pytest.mark.parametrize("operation", BY_OPERATION)
def test_a_read_only_account_reads_what_is_not_billable(operation: Operation):
    attempt = Attempt(operation)
    attempt.change_account(status="read-only")
    response = attempt.send()

    refused_for_status = (
        response.status_code >= 400 and response.json()["error"]["type"] == "account_not_active"
    )
    assert refused_for_status == (operation.method != "GET" or operation.route.counts_quota)
