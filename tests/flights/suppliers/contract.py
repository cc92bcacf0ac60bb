"""The suppliers that the shared contract is tested with: a new vendor is one more line in CASES."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.suppliers.simulation import DatabaseStore, Market
from tests.flights.suppliers.duffel.bench import DuffelBench
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import connector
from tests.judge.client import RemoteSimulator
from tests.judge.process import kept_judge
from tests.suppliers.kit.bench import Bench
from tests.support.supplier_stub import serving


@dataclass(frozen=True)
class Case:
    """A supplier under test, and the hands on its prices that a test needs."""

    supplier: FlightSupplier
    raise_prices: Callable[[], None]
    sell_out: Callable[[], None]
    bench: Bench | None = None
    """For the kit (tests/suppliers/kit); the simulators have no answers that could be damaged."""


@contextmanager
def in_this_process() -> Iterator[Case]:
    simulator = FlightSimulator(DatabaseStore("flights"))
    yield Case(
        supplier=simulator,
        raise_prices=lambda: setattr(simulator, "market", Market(percent=110)),
        sell_out=lambda: setattr(simulator, "market", Market(sold_out=True)),
    )


@contextmanager
def over_http() -> Iterator[Case]:
    with kept_judge() as judge:
        yield Case(
            supplier=RemoteSimulator(judge.url, "flights"),
            raise_prices=lambda: judge.set_market(percent=110),
            sell_out=lambda: judge.set_market(sold_out=True),
        )


@contextmanager
def at_duffel() -> Iterator[Case]:
    with serving(DuffelStub()) as stub:
        yield Case(
            supplier=connector(stub),
            raise_prices=lambda: setattr(stub, "percent", 110),
            sell_out=lambda: setattr(stub, "sold_out", True),
            bench=DuffelBench(stub),
        )


CASES: dict[str, Callable[[], AbstractContextManager[Case]]] = {
    "simulator": in_this_process,
    "remote simulator": over_http,
    "duffel": at_duffel,
}
