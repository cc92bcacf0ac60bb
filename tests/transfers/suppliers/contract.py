"""The suppliers that the shared contract is tested with: a new vendor is one more line in CASES."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from apps.suppliers.simulation import DatabaseStore, Market
from apps.transfers.suppliers.base import TransferSupplier
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from apps.transfers.suppliers.hotelbeds.client import HotelbedsClient
from apps.transfers.suppliers.simulator.adapter import TransferSimulator
from tests.judge.client import RemoteSimulator
from tests.judge.process import kept_judge
from tests.suppliers.kit.bench import Bench
from tests.support.supplier_stub import serving
from tests.transfers.suppliers.hotelbeds.bench import HotelbedsBench
from tests.transfers.suppliers.hotelbeds.stub import KEY, SECRET, HotelbedsStub


@dataclass(frozen=True)
class Case:
    """A supplier under test, and the hands on its prices that a test needs."""

    supplier: TransferSupplier
    move_prices: Callable[[int], None]
    sell_out: Callable[[], None]
    bench: Bench | None = None
    """For the kit (tests/suppliers/kit); the simulators have no answers that could be damaged."""


@contextmanager
def in_this_process() -> Iterator[Case]:
    simulator = TransferSimulator(DatabaseStore("transfers"))
    yield Case(
        supplier=simulator,
        move_prices=lambda percent: setattr(simulator, "market", Market(percent=percent)),
        sell_out=lambda: setattr(simulator, "market", Market(sold_out=True)),
    )


@contextmanager
def over_http() -> Iterator[Case]:
    with kept_judge() as judge:
        yield Case(
            supplier=RemoteSimulator(judge.url, "transfers"),
            move_prices=lambda percent: judge.set_market(percent=percent),
            sell_out=lambda: judge.set_market(sold_out=True),
        )


@contextmanager
def hotelbeds() -> Iterator[Case]:
    with serving(HotelbedsStub()) as stub:
        yield Case(
            supplier=HotelbedsTransfers(HotelbedsClient(key=KEY, secret=SECRET, base_url=stub.host)),
            move_prices=lambda percent: setattr(stub, "percent", percent),
            sell_out=lambda: setattr(stub, "sold_out", True),
            bench=HotelbedsBench(stub),
        )


CASES: dict[str, Callable[[], AbstractContextManager[Case]]] = {
    "simulator": in_this_process,
    "remote simulator": over_http,
    "hotelbeds": hotelbeds,
}
