"""A stand-in for Hotelbeds' Transfers API, by their documents and recorded answers: strict, and told to misbehave.

What it demands is in `gate.py`, `demands.py` and `orders_demanded.py`, what it refuses with in `refusals.py`, its bookings in
`books.py`, what it sells in `fleet.py`.

python -m tests.transfers.suppliers.hotelbeds.stub --port 8093
"""

import time
from collections import Counter
from datetime import datetime
from decimal import Decimal
from itertools import count
from typing import Any
from urllib.parse import unquote

from tests.support.supplier_stub import Answer, Heard, SupplierStub, Trouble, refusal, route, run
from tests.transfers.suppliers.hotelbeds import books
from tests.transfers.suppliers.hotelbeds.demands import demand_list, demand_reference, demand_search
from tests.transfers.suppliers.hotelbeds.fleet import CENT, FLEET, Service, service_json
from tests.transfers.suppliers.hotelbeds.gate import KEY, SECRET, Gate
from tests.transfers.suppliers.hotelbeds.orders_demanded import the_rates
from tests.transfers.suppliers.hotelbeds.refusals import OVER_RATE, Refusal, error_body, refuse_if

BOOKINGS, BOOKING = "/bookings", "/bookings/{lang}/reference/{reference}"
LIST = "/bookings/{lang}"
AVAILABILITY = "/availability/{lang}/from/{from_type}/{from_code}/to/{to_type}/{to_code}/{outbound}/{adults}/{children}/{infants}"
BOTH_WAYS = AVAILABILITY.replace("{outbound}", "{outbound}/{inbound}")
ROUTES = (
    ("GET", AVAILABILITY),
    ("GET", BOTH_WAYS),
    ("GET", BOOKING),
    ("GET", LIST),
    ("POST", BOOKINGS),
    ("DELETE", BOOKING),
)


class HotelbedsStub(SupplierStub):
    prefix = "/transfer-api/1.0"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.host = self.url.removesuffix(self.prefix)
        self.reset()

    def reset(self) -> None:
        """As it was when it started: well-behaved, and with nothing booked."""
        self.calm()
        self.heard.clear()
        self.gate = Gate()
        self.ahead = 0.0
        """Seconds by which this clock is ahead: of the caller's, or with it where a test moves that."""
        self.percent = 100
        self.sold_out = False
        self.surcharge = Decimal(0)
        """What an order costs more than its rate."""
        self.net = False
        """Prices with commission: a net amount beside the total."""
        self.status = "CONFIRMED"
        self.list_names_reference = self.detail_names_reference = True
        self.date_types: tuple[str, ...] = ("FROM_DATE", "CREATION_DATE")
        self.first_offset = 0
        self.empty_body: bytes | None = b""
        """What is answered where there is nothing: 204, as it was seen; None for an empty list."""
        self.no_way_back: tuple[tuple[str, str], ...] = ()
        """Vehicles that drive the way there alone."""
        self.required_extra = False
        self.keeps_legs: int | None = None
        """So many rides of an order are booked, and the others not."""
        self.bookings: dict[str, dict[str, Any]] = {}
        self._rates: dict[str, dict[str, Any]] = {}
        self._numbers = count(7654321)
        self._serial = count(1)

    # --- what a test may tell it --------------------------------------------------------------------------------------

    def expire(self) -> None:
        """Every rate key given out so far."""
        with self.lock:
            self._rates.clear()

    def fail(
        self, method: str, path: str, code: str, status: int = 400, *, inside: bool = False, times: int = 1
    ) -> None:
        self.trouble(method, path, refusal(status, error_body(code, inside=inside), times=times))

    def over_rate(self, text: str = OVER_RATE) -> None:
        for method, path in ROUTES:
            self.trouble(method, path, refusal(403, {"error": text}, times=-1))

    def call_off(self, reference: str) -> None:
        """The supplier itself cancels, for free."""
        with self.lock:
            books.cancel(self.bookings[reference], Decimal(0))

    def store(self) -> Any:
        """What was really booked, and how often each reference of ours was asked for."""
        asked = Counter(heard.json["clientReference"] for heard in self.heard_by("POST", BOOKINGS))
        return {
            "writes": [
                {"kind": "book", "clientRef": booking["clientReference"], "reference": booking["reference"]}
                for booking in self.bookings.values()
            ],
            "callsByRef": {client_ref: {"book": times} for client_ref, times in asked.items()},
            "standing": [
                booking["reference"] for booking in self.bookings.values() if booking["status"] != "CANCELLED"
            ],
        }

    # --- who may ask ----------------------------------------------------------------------------------------------------

    def now(self) -> float:
        return time.time() + self.ahead

    def authorised(self, heard: Heard) -> bool:
        return self.gate.knows(heard, self.now())

    def unauthorised(self) -> Answer:
        return 403, {"error": "Not Authorized"}

    def _answer(self, heard: Heard) -> Answer:
        """With the gateway before it: what is over the quota reaches nobody."""
        over = self.gate.refusal(self.now()) if self.authorised(heard) else None
        try:
            return over or super()._answer(heard)
        except Refusal as refused:
            return refused.answer

    # --- availability -----------------------------------------------------------------------------------------------------

    @route("GET", AVAILABILITY)
    def availability(self, heard: Heard, **asked: str) -> Answer:
        return self._answered(heard, **asked)

    @route("GET", BOTH_WAYS)
    def both_ways(self, heard: Heard, **asked: str) -> Answer:
        """One list, in which nothing but its ends says which leg a service is of."""
        return self._answered(heard, **asked)

    def _answered(self, heard: Heard, **asked: str) -> Answer:
        asked = {name: unquote(value) for name, value in asked.items()}
        demand_search(asked, heard.query, self.now())
        if self.sold_out and self.empty_body is not None:
            return (200, self.empty_body) if self.empty_body else (204, None)
        party = sum(int(asked[name]) for name in ("adults", "children", "infants"))
        fitting = [] if self.sold_out else [service for service in FLEET if service.seats >= party]
        ways = [asked, turned(asked)] if "inbound" in asked else [asked]
        services = [
            self._offered(service, place, way, party)
            for place, service in enumerate(fitting, 1)
            for way in reversed(ways)
            if way is asked or service.vehicle not in self.no_way_back
        ]
        back = asked.get("inbound", "-999999999-01-01T00:00:00").partition("T")
        come_back = {"date": back[0], "time": back[2]}
        return 200, {"search": {"language": asked["lang"], "comeBack": come_back}, "services": services}

    def _offered(self, service: Service, place: int, asked: dict[str, str], party: int) -> dict[str, Any]:
        price = service.price * (party if service.shared else 1) * self.percent / 100
        start, end = (
            {"code": asked[f"{end}_code"], "description": "Somewhere", "type": asked[f"{end}_type"]}
            for end in ("from", "to")
        )
        outbound = datetime.fromisoformat(asked["outbound"])
        offered = service_json(
            service, place, ends=(start, end), outbound=outbound, price=price.quantize(CENT)
        )
        if self.required_extra and "extras" in offered:
            offered["extras"][0]["required"] = True
        if self.net:
            offered["price"]["netAmount"] = float((price * Decimal("0.9")).quantize(CENT))
        rate_key = f"STUBRATEKEY|{next(self._serial):06d}"
        self._rates[rate_key] = {**offered, "language": asked["lang"]}
        return {**offered, "rateKey": rate_key}

    # --- booking ----------------------------------------------------------------------------------------------------------

    @route("POST", BOOKINGS)
    def book(self, heard: Heard) -> Answer:
        refuse_if(heard.query, "E_REQUEST_INVALID")
        rates = the_rates(heard.json, self._rates)[: self.keeps_legs]
        reference = f"102-{next(self._numbers)}"
        booking = books.booked(
            heard.json,
            rates,
            reference=reference,
            status=self.status,
            surcharge=self.surcharge,
            now=self.now(),
        )
        self.bookings[reference] = booking
        return 200, {"bookings": [self._told(booking)]}

    def _told(self, booking: dict[str, Any]) -> dict[str, Any]:
        return books.detail(booking, names_reference=self.detail_names_reference)

    # --- afterwards -------------------------------------------------------------------------------------------------------

    @route("GET", LIST)
    def list(self, heard: Heard, lang: str) -> Answer:
        wanted = demand_list(heard.query, lang, self.date_types)
        found = [
            one
            for one in self.bookings.values()
            if wanted["first"] <= books.day_of(one, heard.query["dateType"]) <= wanted["last"]
        ]
        offset = self.first_offset if wanted["offset"] is None else wanted["offset"]
        start = max(0, offset - self.first_offset)
        page = found[start : start + wanted["limit"]]
        return 200, {
            "bookings": [books.summary(one, names_reference=self.list_names_reference) for one in page]
        }

    @route("GET", BOOKING)
    def detail(self, heard: Heard, lang: str, reference: str) -> Answer:
        demand_reference(reference, lang, heard.query)
        return 200, {"bookings": [self._told(self._known(reference))]}

    @route("DELETE", BOOKING)
    def cancel(self, heard: Heard, lang: str, reference: str) -> Answer:
        demand_reference(reference, lang, heard.query, "simulation")
        booking = self._known(reference)
        closed = booking["status"] == "CANCELLED" or not booking["modificationsPolicies"]["cancellation"]
        refuse_if(closed, "E_BOOKING_CANCELLATIONERROR")
        changed = dict(booking) if heard.query.get("simulation") == "true" else booking
        books.cancel(changed, self._charge(booking))
        return 200, {"bookings": [self._told(changed)]}

    def _charge(self, booking: dict[str, Any]) -> Decimal:
        return books.charge(booking, self.now())

    def _known(self, reference: str) -> dict[str, Any]:
        if reference not in self.bookings:
            raise Refusal("E_BOOKING_NOTFOUND")
        return self.bookings[reference]


def turned(asked: dict[str, str]) -> dict[str, str]:
    """The way back of a return search."""
    ends = {f"from_{name}": asked[f"to_{name}"] for name in ("type", "code")}
    starts = {f"to_{name}": asked[f"from_{name}"] for name in ("type", "code")}
    return {**asked, **ends, **starts, "outbound": asked["inbound"]}


__all__ = [
    "AVAILABILITY",
    "BOOKING",
    "BOOKINGS",
    "BOTH_WAYS",
    "KEY",
    "LIST",
    "ROUTES",
    "SECRET",
    "HotelbedsStub",
    "Trouble",
    "error_body",
    "refusal",
]

if __name__ == "__main__":
    run(HotelbedsStub)
