"""Memory, randomness and prices of the simulators."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.db import connection

from apps.suppliers.models import SimulatedWrite
from apps.suppliers.simulation import (
    BOOK,
    CANCEL,
    CHANGE,
    AlreadyWrittenError,
    DatabaseStore,
    Write,
    from_euro_cents,
)

pytestmark = pytest.mark.django_db


BOOKED = Write(BOOK, "ref-1", "sim-1", 0, {"total": 100, "name": "Zoë"})
CHANGED = Write(CHANGE, "ref-2", "sim-1", 1, {"total": 90})


@pytest.fixture
def store() -> DatabaseStore:
    return DatabaseStore("flights")


def test_a_write_is_found_by_its_kind_and_reference(store: DatabaseStore) -> None:
    store.add(BOOKED)
    assert store.find(BOOK, "ref-1") == BOOKED
    assert store.find(CANCEL, "ref-1") is None
    assert store.find(BOOK, "ref-2") is None


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


@pytest.mark.parametrize(
    ("currency", "minor_units"),
    [("EUR", 10_000), ("USD", 11_400), ("JPY", 16_400), ("KWD", 35_000), ("KRW", 156_000), ("XXX", 100)],
)
def test_a_hundred_euros_in_minor_units_of(currency: str, minor_units: int) -> None:
    assert from_euro_cents(10_000, currency) == minor_units
