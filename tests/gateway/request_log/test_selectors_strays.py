"""What the pages find of calls that lie out of order, are about nothing, or whose key is gone."""

import uuid
from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.common.errors import NotFound
from apps.gateway.request_log.selectors import call_of, calls_of_booking, last_calls_of
from tests.factories.keys import issued_key
from tests.gateway.request_log.logged import NOON, found, log
from tests.support.plans import read_as_the_table_lies

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]


def test_what_is_no_id_is_not_looked_for(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0), pytest.raises(NotFound):
        call_of("acc_a", "test", "not-an-id")


def test_a_call_is_shown_without_its_key_and_secret_once_they_are_gone() -> None:
    key, _ = issued_key()
    request_id = log(key, key_id="key_gone", secret_id=0, booking_id="ford_1")

    call = call_of(key.account_id, "test", str(request_id))

    assert (call.request_id, call.key, call.secret) == (request_id, None, None)
    assert [call.key for call in calls_of_booking(key.account_id, "test", "ford_1", 2)] == [None]


def test_a_call_is_shown_with_its_own_key_and_secret_among_others() -> None:
    for key in [issued_key()[0] for _ in range(2)]:
        call = call_of(key.account_id, "test", str(log(key)))

        assert (call.key, call.secret) == (key, key.secrets.get())


def test_the_calls_about_a_booking_are_the_newest_first_however_the_table_lies() -> None:
    """Of one instant, the last written first."""
    key, _ = issued_key()
    first, second, third = (
        log(key, booking_id="ford_1", created_at=NOON + timedelta(hours=hours)) for hours in (1, 2, 2)
    )
    read_as_the_table_lies()

    calls = calls_of_booking(key.account_id, "test", "ford_1", 3)

    assert [call.request_id for call in calls] == [third, second, first]


def test_calls_are_found_by_any_of_several_bookings_and_those_about_none_never() -> None:
    key, _ = issued_key()
    log(key, booking_id="")
    about: dict[str, uuid.UUID] = {
        name: log(key, booking_id=name, created_at=NOON + timedelta(hours=hours))
        for hours, name in enumerate(("ford_1", "ford_2", "ford_3"))
    }

    assert found(key, booking_ids=("ford_1", "ford_3", "")) == [about["ford_3"], about["ford_1"]]


def test_the_last_call_of_a_key_is_the_newest_however_the_table_lies() -> None:
    key, _ = issued_key()
    for hours in (2, 3, 1):
        log(key, created_at=NOON + timedelta(hours=hours))
    read_as_the_table_lies()

    assert last_calls_of([key.pk]) == {key.pk: NOON + timedelta(hours=3)}
