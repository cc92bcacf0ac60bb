"""Who serves the orders of a test, and an order whose usage is read."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.esim.models import Plan
from apps.esim.suppliers.base import EsimSupplier
from apps.esim.suppliers.registry import VENDORS
from apps.ledger.consistency import check_ledger
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Meter, an_order
from tests.support.api import Api


@pytest.fixture
def books_that_balance(db: None) -> Iterator[None]:
    """After the test nothing is wrong in the ledger."""
    yield
    assert check_ledger() == []


@pytest.fixture
def supplier_is(monkeypatch: pytest.MonkeyPatch) -> Callable[[EsimSupplier], None]:
    """`supplier_is(adapter)` serves test keys from now on."""
    return lambda adapter: monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", lambda: adapter))


@pytest.fixture
def order(api: Api, plan: Plan) -> dict[str, Any]:
    return an_order(api, plan)


@pytest.fixture
def meter(order: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Meter:
    """It sells and tells the usage in the simulator's place, once the order was made."""
    meter = Meter()
    monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", lambda: meter))
    return meter
