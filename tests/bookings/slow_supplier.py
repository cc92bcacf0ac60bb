"""A partner's order at a supplier that books at once and answers in ten minutes, in a process that a test kills.

`python -m tests.bookings.slow_supplier KEY IDEMPOTENCY_KEY` prints the answer's status, once it is booked too, and goes on
waiting.
"""

import sys
import threading
import time
from typing import Any

import django


class SlowFlights:
    """The simulated airline as a real supplier would be: it takes its time."""

    booked = threading.Event()

    def __init__(self, airline: Any) -> None:
        self._airline = airline

    def __getattr__(self, name: str) -> Any:
        return getattr(self._airline, name)

    def book(self, *args: Any, **kwargs: Any) -> Any:
        self._airline.book(*args, **kwargs)
        self.booked.set()
        time.sleep(600)


def main(secret: str, idempotency_key: str) -> None:
    from apps.flights.services import search
    from apps.flights.suppliers import registry
    from apps.flights.suppliers.simulator.vendor import flight_simulator
    from apps.suppliers.vendors import Lookups, Vendor
    from tests.support.api import Api
    from tests.support.flight_shop import FlightShop

    for name in ("simulator", "acme"):
        lookups = Lookups(at=(1,), give_up_after=3600) if name == "acme" else None
        registry.VENDORS[name] = Vendor(name, lambda: SlowFlights(flight_simulator()), lookups=lookups)
    search.supplier_name = lambda *product: "acme"  # type: ignore[assignment, attr-defined]
    shop = FlightShop(Api(secret))
    status = shop.order(shop.offer(), idempotency_key).status
    SlowFlights.booked.wait()
    print(status, flush=True)


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
