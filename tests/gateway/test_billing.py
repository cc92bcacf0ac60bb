"""A search is billed and answered by one statement, or by none."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from apps.common import clock
from apps.flights.models import FlightSearch
from apps.flights.selectors import QuotedSearch
from apps.flights.services.search import record_of
from apps.flights.suppliers.base import FlightSearch as FlightRequest
from apps.gateway import idempotency, search_quota, settlement
from apps.gateway.idempotency import Claim
from apps.gateway.models import IdempotencyRecord, SearchUnit, SearchUsage
from apps.gateway.responses import Answer
from apps.gateway.search_quota import Quota
from apps.keys.partner import Partner
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.locks import until_somebody_waits

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon")]

ANSWER = Answer({"id": "hsr_1"}, 201)


@pytest.fixture
def partner() -> Partner:
    return partner_of(api_of_new_partner())


def kept(partner: Partner) -> Answer:
    """The answer of a search, with the row that keeps it."""
    now = clock.now()
    search = QuotedSearch("fsr_1", created_at=now, expires_at=now, markup_bp=0, offers=[])
    asked = FlightRequest("LHR", "JFK", now.date(), "EUR")
    return Answer({"id": search.id}, 201, resource=search.id, record=record_of(search, partner, asked))


def begun(partner: Partner) -> tuple[Claim, Quota]:
    """A search that has its claim and its unit of the quota."""
    claim = idempotency.claim(partner, "key-of-a-search", "fingerprint")
    assert isinstance(claim, Claim)
    return claim, search_quota.take(partner)


def test_a_call_whose_key_another_has_is_neither_billed_nor_stored(partner: Partner):
    claim, quota = begun(partner)
    IdempotencyRecord.objects.update(lease_token="00000000-0000-0000-0000-000000000000")

    assert not settlement.bill_and_answer(partner, quota, "hotels", claim, ANSWER)
    assert not claim.finished
    assert not SearchUsage.objects.exists()
    assert SearchUnit.objects.count() == 1
    assert IdempotencyRecord.objects.get().state == "running"


def test_a_call_whose_unit_has_lapsed_is_not_stored_unbilled(partner: Partner):
    claim, quota = begun(partner)
    SearchUnit.objects.all().delete()

    assert not settlement.bill_and_answer(partner, quota, "hotels", claim, ANSWER)
    assert not claim.finished
    assert not SearchUsage.objects.exists()
    assert IdempotencyRecord.objects.get().state == "running"


def test_a_call_whose_key_is_just_being_taken_over_waits_and_is_not_billed(partner: Partner):
    claim, quota = begun(partner)

    def late() -> bool:
        try:
            return settlement.bill_and_answer(partner, quota, "hotels", claim, ANSWER)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            IdempotencyRecord.objects.update(lease_token=uuid.uuid4())
            billed = pool.submit(late)
            until_somebody_waits()
        assert not billed.result()
    assert not SearchUsage.objects.exists()
    assert SearchUnit.objects.count() == 1
    assert IdempotencyRecord.objects.get().state == "running"


def test_a_search_that_may_still_be_billed_has_its_record(partner: Partner):
    claim, quota = begun(partner)
    SearchUnit.objects.all().delete()

    assert not settlement.bill_and_answer(partner, quota, "flights", claim, kept(partner))
    assert FlightSearch.objects.get().pk == "fsr_1"
