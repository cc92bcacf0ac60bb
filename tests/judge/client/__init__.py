"""The judge as the service reaches it: adapters that send every call of a simulator to the judge's process."""

from collections.abc import Callable
from typing import Any

from apps.suppliers.registry import SIMULATOR
from apps.suppliers.vendors import Vendor, vendors_of
from tests.judge.client.esim import RemoteEsim
from tests.judge.client.flights import RemoteFlights
from tests.judge.client.hotels import RemoteHotels
from tests.judge.client.transfers import RemoteTransfers

REMOTE: dict[str, Callable[[str], Any]] = {
    "flights": RemoteFlights,
    "hotels": RemoteHotels,
    "transfers": RemoteTransfers,
    "esim": RemoteEsim,
}


def vendors_at(url: str) -> dict[str, Vendor[Any]]:
    """Product → what stands in for its simulator: the judge at `url`."""
    return {
        product: Vendor(SIMULATOR, lambda remote=remote: remote(url)) for product, remote in REMOTE.items()
    }


def use_judge(url: str, put: Callable[[Any, str, Vendor[Any]], None] = dict.__setitem__) -> None:
    """From now on the simulators of this process are the judge's; `put` may be a monkeypatch's `setitem`."""
    for product, vendor in vendors_at(url).items():
        put(vendors_of(product), SIMULATOR, vendor)
