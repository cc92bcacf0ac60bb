import re
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from apps.common import clock
from apps.common.errors import NotFound
from apps.webhooks.deliveries.claim import claim
from apps.webhooks.models import Attempt, Delivery, Endpoint, Exam, Recovery
from apps.webhooks.selectors import (
    ENDPOINTS_WITH_WORK,
    NEXT_DUE,
    EndpointHour,
    Progress,
    attempts_of,
    deliveries_by_endpoint_and_hour,
    deliveries_of,
    delivery_of,
    due_lag,
    endpoint_of,
    endpoints_of,
    exam_of,
    exams_of,
    lock_endpoint,
    next_due_at,
    recoveries_of,
    recoveries_to,
    recovery_of,
)
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import is_taken, locked
from tests.support.plans import plan_for_any, read_as_the_table_lies

pytestmark = pytest.mark.django_db


@pytest.fixture
def own() -> Endpoint:
    return EndpointFactory()


@pytest.fixture
def foreign(own: Endpoint) -> list[Endpoint]:
    """The same account's other environment, and another account."""
    return [EndpointFactory(account=own.account, environment="live"), EndpointFactory()]


def test_endpoints_are_the_accounts_and_the_environments_own(own: Endpoint, foreign: list[Endpoint]) -> None:
    newer = EndpointFactory(account=own.account)
    delete_endpoint(endpoint=EndpointFactory(account=own.account))
    assert list(endpoints_of(own.account_id, "test")) == [newer, own]
    assert endpoint_of(own.account_id, "test", own.id) == own
    for endpoint in foreign:
        with pytest.raises(NotFound):
            endpoint_of(own.account_id, "test", endpoint.id)


def test_deliveries_are_the_accounts_and_the_environments_own(own: Endpoint, foreign: list[Endpoint]) -> None:
    older, newer = DeliveryFactory.create_batch(2, endpoint=own)
    others = [DeliveryFactory(endpoint=endpoint) for endpoint in foreign]
    assert list(deliveries_of(own.account_id, "test")) == [newer, older]
    assert delivery_of(own.account_id, "test", newer.id) == newer
    for delivery in others:
        with pytest.raises(NotFound):
            delivery_of(own.account_id, "test", delivery.id)


def test_deliveries_are_filtered(own: Endpoint) -> None:
    exhausted = DeliveryFactory(endpoint=own, status="EXHAUSTED", next_attempt_at=None)
    refund = DeliveryFactory(endpoint=own, event__type="payment.refunded")
    elsewhere = DeliveryFactory(endpoint=EndpointFactory(account=own.account))
    mine = own.account_id, "test"
    assert list(deliveries_of(*mine, status="exhausted")) == [exhausted]
    assert list(deliveries_of(*mine, status="EXHAUSTED", event_type="payment.refunded")) == []
    assert list(deliveries_of(*mine, event_type="payment.refunded")) == [refund]
    assert list(deliveries_of(*mine, endpoint_id=elsewhere.endpoint_id)) == [elsewhere]


def test_deliveries_and_attempts_of_an_account_without_any() -> None:
    assert list(deliveries_of(AccountFactory().id, "test")) == []
    assert list(attempts_of(DeliveryFactory())) == []


def test_lag_is_how_late_the_most_overdue_delivery_is_however_the_table_lies(
    own: Endpoint, stopped_clock: object
) -> None:
    read_as_the_table_lies()
    assert (due_lag(), next_due_at()) == (0.0, None)
    now = clock.now()
    DeliveryFactory(endpoint=own, next_attempt_at=now + timedelta(hours=1))
    assert (due_lag(), next_due_at()) == (0.0, now + timedelta(hours=1))
    DeliveryFactory(endpoint=own, next_attempt_at=now - timedelta(seconds=20))
    assert due_lag() == 20.0
    DeliveryFactory(next_attempt_at=now - timedelta(seconds=40))
    assert due_lag() == 40.0


def test_the_next_delivery_of_each_endpoint_is_the_first_of_its_index() -> None:
    """However many wait there, and however many are finished."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")  # which is as cheap for a few rows
    statement = re.sub(r"%\(\w+\)s", "%s", NEXT_DUE)
    plan = plan_for_any(statement, table="webhooks_delivery", index="delivery_waiting")
    assert re.search(r"Scan using delivery_waiting on webhooks_delivery d .*\n.*= \(e\.id\)", plan), plan


@pytest.mark.parametrize("never", ["nothing", "indexscan"])
def test_endpoints_with_work_are_found_in_turn_behind_one(never: str) -> None:
    """Those of which a delivery is unfinished, whenever it is due and whoever has it; each once."""
    for number in (4, 3, 2, 1):
        for _ in range(2):
            DeliveryFactory(endpoint=Endpoint.objects.filter(pk=f"we_{number}").first() or made(number))
    DeliveryFactory(endpoint=EndpointFactory(id="we_2b"))
    Delivery.objects.filter(endpoint__in=["we_1", "we_2b"]).update(status="DELIVERED", next_attempt_at=None)
    Delivery.objects.filter(endpoint="we_3").update(next_attempt_at=clock.now() + timedelta(days=1))
    with connection.cursor() as cursor:
        if never != "nothing":
            cursor.execute(f"SET LOCAL enable_{never} = off; SET LOCAL enable_bitmapscan = off")
        for after, expected in (("", ["we_2", "we_3", "we_4"]), ("we_2", ["we_3", "we_4"]), ("we_4", [])):
            cursor.execute(f"WITH {ENDPOINTS_WITH_WORK} SELECT endpoint_id FROM step", {"after": after})
            found = [endpoint_id for (endpoint_id,) in cursor.fetchall()]
            assert found == [*expected, *([None] if expected else [])], after


def made(number: int) -> Endpoint:
    endpoint: Endpoint = EndpointFactory(id=f"we_{number}")
    return endpoint


def test_what_waits_or_is_under_way_is_not_late(own: Endpoint) -> None:
    long_ago = clock.now() - timedelta(hours=1)
    disable_endpoint(endpoint=DeliveryFactory(next_attempt_at=long_ago).endpoint)
    DeliveryFactory(endpoint=own, next_attempt_at=long_ago)
    assert due_lag() > 3500
    claim(batches=1)
    assert due_lag() == 0.0


def test_what_waits_behind_as_many_batches_as_an_endpoint_may_have_is_not_late(
    own: Endpoint, stopped_clock: Callable[..., None]
) -> None:
    """Its receiver hangs, and no dispatcher may send it more."""
    now, minute = clock.now(), timedelta(minutes=1)
    first, second, _ = DeliveryFactory.create_batch(3, endpoint=own, next_attempt_at=now - minute)
    for delivery in (first, second):
        assert due_lag() == 60.0
        lease = {"lease_token": uuid.uuid4(), "lease_until": now + timedelta(seconds=30)}
        Delivery.objects.filter(pk=delivery.pk).update(**lease)
    assert claim(batches=1) == []
    assert (due_lag(), next_due_at()) == (0.0, None)
    DeliveryFactory(next_attempt_at=now - timedelta(seconds=40))
    assert due_lag() == 40.0
    stopped_clock(seconds=30)
    assert due_lag() == 90.0, "The leases are over"


def test_what_was_left_behind_by_a_reset_is_not_late(own: Endpoint) -> None:
    """It was written in the moment of the reset: its endpoint is another account's by now, so nobody sends it."""
    left = DeliveryFactory(endpoint=own, next_attempt_at=clock.now() - timedelta(hours=1))
    Endpoint.objects.filter(pk=own.pk).update(account=AccountFactory())
    assert claim(batches=1) == []
    assert (due_lag(), next_due_at()) == (0.0, None)
    Endpoint.objects.filter(pk=own.pk).update(account=left.account)
    assert due_lag() > 3500


def test_recoveries_are_found_by_their_owner_alone() -> None:
    endpoint = EndpointFactory()
    recovery = Recovery.objects.create(
        account=endpoint.account, environment="test", endpoint=endpoint, selection={}, per_minute=1
    )
    owner = (endpoint.account_id, "test")
    assert recovery_of(*owner, recovery.pk) == recovery
    for other in ((endpoint.account_id, "live"), (EndpointFactory().account_id, "test")):
        with pytest.raises(NotFound):
            recovery_of(*other, recovery.pk)


def test_the_hours_of_every_endpoint_are_counted_in_one_statement(
    own: Endpoint, foreign: list[Endpoint], django_assert_num_queries
) -> None:
    hour = clock.now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=3)
    other = EndpointFactory(account=own.account)
    for endpoint in (own, *foreign):
        DeliveryFactory(endpoint=endpoint, created_at=hour, status="DELIVERED", next_attempt_at=None)
    DeliveryFactory(endpoint=own, created_at=hour + timedelta(minutes=59))
    DeliveryFactory(endpoint=own, created_at=hour - timedelta(seconds=1))
    DeliveryFactory(endpoint=other, created_at=hour, status="EXHAUSTED", next_attempt_at=None)
    with django_assert_num_queries(1):
        found = deliveries_by_endpoint_and_hour(own.account_id, "test", since=hour)
    assert found == {own.id: [EndpointHour(hour, 1, 0, 1)], other.id: [EndpointHour(hour, 0, 1, 0)]}


def test_the_hours_are_those_of_utc_whatever_the_readers_zone(own: Endpoint) -> None:
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    DeliveryFactory(endpoint=own, created_at=hour + timedelta(minutes=10))
    with timezone.override("Asia/Kolkata"):  # half an hour off
        found = deliveries_by_endpoint_and_hour(own.account_id, "test", since=hour)
    assert [counted.hour for counted in found[own.id]] == [hour]


def recovery_to(endpoint: Endpoint, **fields: object) -> Recovery:
    owner = {"account": endpoint.account, "environment": endpoint.environment, "endpoint": endpoint}
    return Recovery.objects.create(
        **{**owner, "selection": {}, "per_minute": 1, "status": "finished", **fields}
    )


def test_how_far_a_recovery_is_adds_up() -> None:
    assert Progress(waiting=1, sent=2, delivered=4, not_accepted=8, skipped=16).total == 31


def test_what_is_not_there_is_refused_in_our_own_words(own: Endpoint) -> None:
    """Or the log would hide them."""
    delete_endpoint(endpoint=own)
    for read in (
        lambda: endpoint_of(own.account_id, "test", own.pk),
        lambda: lock_endpoint(own),
        lambda: delivery_of(own.account_id, "test", "whd_unknown"),
        lambda: recovery_of(own.account_id, "test", "rec_unknown"),
        lambda: exam_of(own.account_id, "test", "exm_unknown"),
    ):
        with pytest.raises(NotFound) as refusal:
            read()
        assert refusal.value.own_texts == {refusal.value.message}
        assert refusal.value.message.startswith("There is no such ")


def test_a_deleted_endpoint_is_locked_where_that_is_asked_for_alone(own: Endpoint) -> None:
    assert lock_endpoint(own) == own
    delete_endpoint(endpoint=own)
    assert lock_endpoint(own, deleted=True).deleted_at is not None


def test_deliveries_are_read_from_an_instant_to_another(own: Endpoint) -> None:
    noon = clock.now().replace(minute=0, second=0, microsecond=0)
    early, first, last, late = (
        DeliveryFactory(endpoint=own, created_at=noon + timedelta(microseconds=number))
        for number in (-1, 0, 9, 10)
    )
    until = noon + timedelta(microseconds=10)
    assert list(deliveries_of(own.account_id, "test", since=noon)) == [late, last, first]
    assert list(deliveries_of(own.account_id, "test", until=until)) == [last, first, early]
    assert list(deliveries_of(own.account_id, "test", since=noon, until=until)) == [last, first]


def test_attempts_are_the_deliverys_own_in_their_order(own: Endpoint) -> None:
    delivery, other = DeliveryFactory.create_batch(2, endpoint=own)
    for number in (3, 1, 2):
        for each in (delivery, other):
            Attempt.objects.create(delivery=each, number=number, attempted_at=clock.now(), duration_ms=1)
    read_as_the_table_lies()
    found = attempts_of(delivery)
    assert [(attempt.delivery_id, attempt.number) for attempt in found] == [
        (delivery.pk, number) for number in (1, 2, 3)
    ]


def test_lists_are_told_by_time_and_then_by_id(own: Endpoint) -> None:
    now = clock.now()
    hour = timedelta(hours=1)
    DeliveryFactory(id="whd_1", endpoint=own, created_at=now - hour)
    for id_, moment in (("3", now), ("2", now - hour), ("4", now - hour)):
        DeliveryFactory(id=f"whd_{id_}", endpoint=own, created_at=moment)
        EndpointFactory(id=f"we_{id_}", account=own.account, created_at=moment - hour)
        recovery_to(own, id=f"rec_{id_}", created_at=moment)
    read_as_the_table_lies()
    assert [each.pk for each in deliveries_of(own.account_id, "test")] == ["whd_3", "whd_4", "whd_2", "whd_1"]
    assert [each.pk for each in endpoints_of(own.account_id, "test")] == [own.pk, "we_3", "we_4", "we_2"]
    assert [each.pk for each in recoveries_of(own.account_id, "test")] == ["rec_3", "rec_4", "rec_2"]


def test_recoveries_are_read_with_their_endpoints_of_one_owner(
    own: Endpoint, foreign: list[Endpoint], django_assert_num_queries
) -> None:
    sibling = EndpointFactory(account=own.account)
    mine, siblings, *others = (recovery_to(endpoint) for endpoint in (own, sibling, *foreign))
    assert len(others) == 2
    with django_assert_num_queries(1):
        found = recoveries_of(own.account_id, "test")
        assert {each.endpoint.url for each in found} == {own.url}
    assert set(found) == {mine, siblings}
    assert list(recoveries_to(own)) == [mine]
    assert recovery_of(own.account_id, "test", mine.pk) == mine
    assert recovery_of(own.account_id, "test", siblings.pk) == siblings


def test_one_event_and_one_delivery_is_found_among_several(own: Endpoint, django_assert_num_queries) -> None:
    made = [DeliveryFactory(endpoint=own) for _ in range(3)]
    for delivery in made:
        with django_assert_num_queries(1):
            found = delivery_of(own.account_id, "test", delivery.pk)
            assert (found, found.event, found.endpoint) == (delivery, delivery.event, own)


def test_what_is_free_again_at_this_instant_is_late(own: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    minute = timedelta(minutes=1)
    DeliveryFactory(endpoint=own, next_attempt_at=now - minute, lease_token=uuid.uuid4(), lease_until=now)
    assert due_lag() == 60.0
    Delivery.objects.update(lease_until=now + timedelta(microseconds=1))
    assert due_lag() == 0.0


def test_exams_are_the_accounts_and_the_environments_own_newest_first(
    own: Endpoint, django_assert_num_queries
) -> None:
    now, hour = clock.now(), timedelta(hours=1)
    for endpoint, id_, moment in (
        (own, "3", now),
        (own, "2", now - hour),
        (own, "4", now - hour),
        (EndpointFactory(), "5", now),
    ):
        Exam.objects.create(
            id=f"exm_{id_}",
            account=endpoint.account,
            environment="test",
            endpoint=endpoint,
            status="passed",
            created_at=moment,
        )
    with django_assert_num_queries(1):
        found = list(exams_of(own.account_id, "test"))
        assert {each.endpoint.url for each in found} == {own.url}
    assert [each.pk for each in found] == ["exm_3", "exm_4", "exm_2"]
    assert list(exams_of(own.account_id, "live")) == []
    for exam in found:
        assert exam_of(own.account_id, "test", exam.pk) == exam
    with pytest.raises(NotFound):
        exam_of(own.account_id, "test", "exm_5")


@pytest.mark.django_db(transaction=True)
def test_an_endpoint_that_is_locked_is_nobody_elses_until_the_transaction_ends() -> None:
    own = EndpointFactory()
    with transaction.atomic():
        lock_endpoint(own)
        assert is_taken(Endpoint.objects.all())
    assert not is_taken(Endpoint.objects.all())


@pytest.mark.django_db(transaction=True)
def test_an_endpoint_is_locked_without_waiting_for_those_who_write_events_for_it() -> None:
    own = EndpointFactory()
    with locked(Endpoint.objects.all(), "KEY SHARE"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '50ms'")
        assert lock_endpoint(own) == own
