from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.suppliers.models import SimulatedWrite
from apps.suppliers.simulation import BOOK, CANCEL, CHANGE, AlreadyWrittenError, DatabaseStore, Write

BOOKED = Write(BOOK, "ref-1", "sim-1", 0, {"total": 100, "name": "Zoë"})
CHANGED = Write(CHANGE, "ref-2", "sim-1", 1, {"total": 90})

pytestmark = pytest.mark.django_db


@pytest.fixture
def store() -> DatabaseStore:
    return DatabaseStore("flights")


def test_a_write_is_found_by_its_kind_and_reference(store: DatabaseStore) -> None:
    store.add(BOOKED)
    assert store.find(BOOK, "ref-1") == BOOKED
    assert store.find(CANCEL, "ref-1") is None
    assert store.find(BOOK, "ref-2") is None


def test_the_latest_write_is_the_state_of_the_booking(store: DatabaseStore) -> None:
    store.add(BOOKED)
    store.add(CHANGED)
    assert store.latest("sim-1") == CHANGED
    assert store.latest("sim-2") is None


def test_a_client_reference_is_used_once(store: DatabaseStore) -> None:
    store.add(BOOKED)
    with pytest.raises(AlreadyWrittenError):
        store.add(replace(BOOKED, reference="sim-2"))
    assert store.latest("sim-2") is None


def test_a_state_has_one_successor(store: DatabaseStore) -> None:
    store.add(BOOKED)
    store.add(CHANGED)
    with pytest.raises(AlreadyWrittenError):
        store.add(replace(CHANGED, client_ref="ref-3", kind=CANCEL))
    assert store.latest("sim-1") == CHANGED


def test_products_do_not_see_each_other(store: DatabaseStore) -> None:
    store.add(BOOKED)
    hotels = DatabaseStore("hotels")
    assert hotels.find(BOOK, "ref-1") is None
    hotels.add(BOOKED)
    assert hotels.find(BOOK, "ref-1") == BOOKED


def test_a_write_costs_one_statement(store: DatabaseStore) -> None:
    with CaptureQueriesContext(connection) as statements:
        store.add(BOOKED)
    assert len(statements) == 1


@pytest.mark.django_db(transaction=True)
def test_of_eight_writes_to_one_state_one_wins(store: DatabaseStore) -> None:
    store.add(BOOKED)

    def attempt(number: int) -> bool:
        try:
            DatabaseStore("flights").add(replace(CHANGED, client_ref=f"rival-{number}"))
        except AlreadyWrittenError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(attempt, range(8))) == [False] * 7 + [True]
    assert SimulatedWrite.objects.filter(reference="sim-1").count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_relaxed_commit_stays_with_the_write(store: DatabaseStore) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        store.add(BOOKED)
        cursor.execute("SHOW synchronous_commit")
        assert cursor.fetchone() == ("on",)
