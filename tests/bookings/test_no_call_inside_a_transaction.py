"""The guard in front of every adapter: a supplier is never asked while a transaction holds locks."""

import pytest
from django.db import transaction

from apps.flights.suppliers.registry import flight_supplier
from apps.suppliers.registry import InsideTransaction
from tests.flights.suppliers.requests import a_search
from tests.support.scripted_flights import ScriptedFlights


@pytest.mark.django_db(transaction=True)
def test_every_method_refuses_inside_a_transaction(supplier: ScriptedFlights) -> None:
    guarded = flight_supplier("test")
    assert guarded.search(a_search())
    for method in ("search", "reprice", "book", "find_order", "change", "cancel", "quote_cancellation"):
        with transaction.atomic(), pytest.raises(InsideTransaction):
            getattr(guarded, method)()
    assert supplier.report()["calls"] == {"search": 1}
