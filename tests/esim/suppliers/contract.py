"""The suppliers that the shared contract is tested with: a new vendor is one more line in CASES."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from apps.esim.suppliers.base import EsimSupplier
from apps.esim.suppliers.simulator.adapter import EsimSimulator
from apps.suppliers.simulation import DatabaseStore, Market
from tests.esim.suppliers.airalo.bench import AiraloBench
from tests.esim.suppliers.airalo.connected import a_stub, adapter_for
from tests.judge.client import RemoteSimulator
from tests.judge.process import kept_judge
from tests.suppliers.kit.bench import Bench


@dataclass(frozen=True)
class Case:
    """A supplier under test, and the hands on its prices that a test needs."""

    supplier: EsimSupplier
    raise_prices: Callable[[], None]
    sell_out: Callable[[], None]
    bench: Bench | None = None
    """For the kit (tests/suppliers/kit); the simulators have no answers that could be damaged."""


@contextmanager
def in_this_process() -> Iterator[Case]:
    simulator = EsimSimulator(DatabaseStore("esim"))
    yield Case(
        supplier=simulator,
        raise_prices=lambda: setattr(simulator, "market", Market(percent=110)),
        sell_out=lambda: setattr(simulator, "market", Market(sold_out=True)),
    )


@contextmanager
def over_http() -> Iterator[Case]:
    with kept_judge() as judge:
        yield Case(
            supplier=RemoteSimulator(judge.url, "esim"),
            raise_prices=lambda: judge.set_market(percent=110),
            sell_out=lambda: judge.set_market(sold_out=True),
        )


@contextmanager
def at_airalo() -> Iterator[Case]:
    with a_stub() as stub:
        yield Case(
            supplier=adapter_for(stub),
            raise_prices=lambda: setattr(stub, "percent", 110),
            sell_out=lambda: setattr(stub, "sold_out", True),
            bench=AiraloBench(stub),
        )


CASES: dict[str, Callable[[], AbstractContextManager[Case]]] = {
    "simulator": in_this_process,
    "remote simulator": over_http,
    "airalo": at_airalo,
}
