"""The suppliers that the shared contract is tested with: a new vendor is one more line in CASES."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.hotels.suppliers.liteapi.client import LiteApiClient
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.suppliers.simulation import DatabaseStore, Market
from tests.hotels.suppliers.liteapi.bench import LiteApiBench
from tests.hotels.suppliers.liteapi.stub import LiteApiStub
from tests.judge.client import RemoteSimulator
from tests.judge.process import kept_judge
from tests.suppliers.kit.bench import Bench
from tests.support.supplier_stub import serving


@dataclass(frozen=True)
class Case:
    """A supplier under test, and the hands on its prices that a test needs."""

    supplier: HotelSupplier
    raise_prices: Callable[[], None]
    sell_out: Callable[[], None]
    bench: Bench | None = None
    """For the kit (tests/suppliers/kit); the simulators have no answers that could be damaged."""


@contextmanager
def in_this_process() -> Iterator[Case]:
    simulator = HotelSimulator(DatabaseStore("hotels"))
    yield Case(
        supplier=simulator,
        raise_prices=lambda: setattr(simulator, "market", Market(percent=110)),
        sell_out=lambda: setattr(simulator, "market", Market(sold_out=True)),
    )


@contextmanager
def over_http() -> Iterator[Case]:
    with kept_judge() as judge:
        yield Case(
            supplier=RemoteSimulator(judge.url, "hotels"),
            raise_prices=lambda: judge.set_market(percent=110),
            sell_out=lambda: judge.set_market(sold_out=True),
        )


@contextmanager
def lite_api() -> Iterator[Case]:
    with serving(LiteApiStub()) as stub:
        yield Case(
            supplier=LiteApiHotels(LiteApiClient(stub.credentials())),
            raise_prices=lambda: setattr(stub.books, "percent", 110),
            sell_out=lambda: setattr(stub.books, "sold_out", True),
            bench=LiteApiBench(stub),
        )


CASES: dict[str, Callable[[], AbstractContextManager[Case]]] = {
    "simulator": in_this_process,
    "remote simulator": over_http,
    "liteapi": lite_api,
}
