"""The connectors of all products: those lines of `CASES` in tests/<product>/suppliers/contract.py that bring a bench."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tests.esim.suppliers import contract as esim
from tests.flights.suppliers import contract as flights
from tests.hotels.suppliers import contract as hotels
from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.shops import EsimShop, FlightShop, HotelShop, Shop, TransferShop
from tests.support.api import Api
from tests.transfers.suppliers import contract as transfers

SIMULATORS = ("simulator", "remote simulator")
"""They serve test keys, have no answers on a wire, and are attacked by tests/chaos."""
PRODUCTS: dict[str, dict[str, Callable[[], AbstractContextManager[Any]]]] = {
    "hotels": dict(hotels.CASES),
    "flights": dict(flights.CASES),
    "transfers": dict(transfers.CASES),
    "esim": dict(esim.CASES),
}
SHOPS: dict[str, Callable[[Api], Shop]] = {
    "hotels": HotelShop,
    "flights": FlightShop,
    "transfers": TransferShop,
    "esim": EsimShop,
}
CONNECTORS = {
    name: opened for cases in PRODUCTS.values() for name, opened in cases.items() if name not in SIMULATORS
}


@contextmanager
def bench_of(connector: str) -> Iterator[Bench]:
    """Its stand-in serves, with the kit between it and its socket."""
    with CONNECTORS[connector]() as case:
        bench: Bench | None = case.bench
        assert bench is not None, f"{connector} brings no bench: see tests/suppliers/kit/bench.py"
        with bench.attached():
            yield bench
