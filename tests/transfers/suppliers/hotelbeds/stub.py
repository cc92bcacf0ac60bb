"""A stand-in for Hotelbeds' Transfers API: strict about what it is asked, with bookings of its own, and told to misbehave.

python -m tests.transfers.suppliers.hotelbeds.stub --port 8093
"""

import hashlib
import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any
from urllib.parse import unquote

from tests.support.supplier_stub import Answer, Heard, SupplierStub, Trouble, refusal, route, run
from tests.transfers.suppliers.hotelbeds.fleet import CENT, FLEET, Service, service_json

KEY, SECRET = "stub-key", "stub-secret"
SKEW_SECONDS = 300
TYPES = ("IATA", "ATLAS", "GPS", "PORT", "STATION")
GPS = re.compile(r"-?\d{1,2}\.\d{3,},-?\d{1,3}\.\d{3,}")
E164 = re.compile(r"\+[1-9]\d{6,14}")
ADDRESS = ("name", "address", "town", "country", "zip")
BOOKINGS, BOOKING = "/bookings", "/bookings/{lang}/reference/{reference}"
LIST = "/bookings/{lang}"
AVAILABILITY = "/availability/{lang}/from/{from_type}/{from_code}/to/{to_type}/{to_code}/{outbound}/{adults}/{children}/{infants}"


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
        self.ahead = 0.0
        """Seconds by which this clock is ahead: of the caller's, or with it where a test moves that."""
        self.percent = 100
        self.sold_out = False
        self.surcharge = Decimal(0)
        """What an order costs more than its rate."""
        self.net = False
        """Prices with commission: a net amount beside the total."""
        self.status = "CONFIRMED"
        self.lean = False
        """Orders without policies and pick-ups."""
        self.list_names_reference = self.detail_names_reference = True
        self.date_types = ("FROM_DATE", "CREATION_DATE")
        self.first_offset = 0
        self.empty_body: bytes | None = None
        self.bookings: dict[str, dict[str, Any]] = {}
        self._rates: dict[str, dict[str, Any]] = {}
        self._numbers = count(7654321)
        self._serial = count(1)

    # --- what a test may tell it ----------------------------------------------------------------------------------

    def expire(self) -> None:
        """Every rate key given out so far."""
        with self.lock:
            self._rates.clear()

    def fail(
        self, method: str, path: str, code: str, status: int = 400, *, inside: bool = False, times: int = 1
    ) -> None:
        self.trouble(method, path, refusal(status, error_body(code, inside=inside), times=times))

    def over_rate(self, text: str = "Developer Over Rate") -> None:
        for method, path in (
            ("GET", AVAILABILITY),
            ("GET", BOOKING),
            ("GET", LIST),
            ("POST", BOOKINGS),
            ("DELETE", BOOKING),
        ):
            self.trouble(method, path, refusal(403, {"error": text}, times=-1))

    def call_off(self, reference: str) -> None:
        """The supplier itself cancels, for free."""
        with self.lock:
            self._cancel(self.bookings[reference], Decimal(0))

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

    # --- who may ask --------------------------------------------------------------------------------------------------

    def now(self) -> float:
        return time.time() + self.ahead

    def authorised(self, heard: Heard) -> bool:
        return (
            heard.headers.get("api-key") == KEY
            and self._signed(heard.headers.get("x-signature", ""))
            and heard.headers.get("accept") == "application/json"
            and heard.headers.get("content-type") == "application/json"
            and "gzip" in heard.headers.get("accept-encoding", "")
        )

    def _signed(self, signature: str) -> bool:
        """By any second of the last and next minutes."""
        now = int(self.now())
        return any(
            hashlib.sha256(f"{KEY}{SECRET}{second}".encode()).hexdigest() == signature
            for second in range(now - SKEW_SECONDS, now + SKEW_SECONDS + 1)
        )

    def unauthorised(self) -> Answer:
        return 403, {"error": "Not Authorized"}

    # --- availability ---------------------------------------------------------------------------------------------------

    @route("GET", AVAILABILITY)
    def availability(self, heard: Heard, **asked: str) -> Answer:
        asked = {name: unquote(value) for name, value in asked.items()}
        code = next(wrong_search(asked, self.now()), "")
        if code:
            return 400, error_body(code)
        if self.sold_out and self.empty_body is not None:
            return (200, self.empty_body) if self.empty_body else (204, None)
        party = sum(int(asked[name]) for name in ("adults", "children", "infants"))
        outbound = datetime.fromisoformat(asked["outbound"])
        ends = tuple(
            {"code": asked[f"{end}_code"], "description": "Somewhere", "type": asked[f"{end}_type"]}
            for end in ("from", "to")
        )
        fitting = [] if self.sold_out else [service for service in FLEET if service.seats >= party]
        services = [
            self._offered(service, place, ends, outbound, party) for place, service in enumerate(fitting, 1)
        ]
        return 200, {"search": {"language": asked["lang"]}, "services": services}

    def _offered(
        self, service: Service, place: int, ends: Any, outbound: datetime, party: int
    ) -> dict[str, Any]:
        price = service.price * (party if service.shared else 1) * self.percent / 100
        offered = service_json(service, place, ends=ends, outbound=outbound, price=price.quantize(CENT))
        if self.net:
            offered["price"]["netAmount"] = float((price * Decimal("0.9")).quantize(CENT))
        rate_key = f"STUBRATEKEY|{next(self._serial):06d}"
        self._rates[rate_key] = offered
        return {**offered, "rateKey": rate_key}

    # --- booking --------------------------------------------------------------------------------------------------------

    @route("POST", BOOKINGS)
    def book(self, heard: Heard) -> Answer:
        body = heard.json
        if wrong := list(wrong_order(body)):
            return 400, error_body("E_REQUEST_INVALID", fields=wrong)
        (wanted,) = body["transfers"]
        rate = self._rates.get(wanted["rateKey"])
        if rate is None:
            return 500, error_body("E_CONFIRMATION_INVALIDRATEKEY")
        if wrong := list(wrong_ends(wanted, rate["pickupInformation"])):
            return 400, error_body("E_REQUEST_INVALID", fields=wrong)
        booking = self._booked(body, wanted, rate)
        self.bookings[booking["reference"]] = booking
        return 200, {"bookings": [self._told(booking)]}

    def _booked(self, body: dict[str, Any], wanted: dict[str, Any], rate: dict[str, Any]) -> dict[str, Any]:
        price = rate["price"]
        total = Decimal(str(price["totalAmount"])) + self.surcharge
        net = total if price["netAmount"] is None else Decimal(str(price["netAmount"])) + self.surcharge
        transfer = {
            **{
                name: rate[name]
                for name in ("transferType", "vehicle", "category", "pickupInformation", "content")
            },
            "id": 1,
            "rateKey": wanted["rateKey"],
            "status": self.status,
            "sourceMarketEmergencyNumber": "+34 900 000 000",
            "transferDetails": wanted["transferDetails"],
            "price": {**price, "totalAmount": float(total)},
            "cancellationPolicies": rate["cancellationPolicies"],
        }
        return {
            "reference": f"102-{next(self._numbers)}",
            "bookingFileId": None,
            "creationDate": datetime.fromtimestamp(self.now()).isoformat(timespec="seconds"),
            "status": self.status,
            "modificationsPolicies": {"cancellation": True, "modification": False},
            "holder": body["holder"],
            "clientReference": body["clientReference"],
            "remark": body["remark"],
            "transfers": [transfer],
            "invoiceCompany": {"code": "E14"},
            "supplier": {"name": "Stub Cars SL", "vatNumber": "ESB00000000"},
            "totalAmount": float(total),
            "totalNetAmount": float(net),
            "pendingAmount": float(total),
            "currency": price["currencyId"],
            "links": [],
        }

    def _told(self, booking: dict[str, Any]) -> dict[str, Any]:
        lacking = [] if self.detail_names_reference else ["clientReference"]
        transfer_lacks = ("cancellationPolicies", "pickupInformation", "content") if self.lean else ()
        transfers = [without(transfer, *transfer_lacks) for transfer in booking["transfers"]]
        return {**without(booking, *lacking), "transfers": transfers}

    # --- afterwards -----------------------------------------------------------------------------------------------------

    @route("GET", LIST)
    def list(self, heard: Heard, lang: str) -> Answer:
        query = heard.query
        try:
            first, last = date.fromisoformat(query["fromDate"]), date.fromisoformat(query["toDate"])
            limit, offset = int(query["limit"]), int(query.get("offset", self.first_offset))
        except (KeyError, ValueError):
            return 400, error_body("E_REQUEST_INVALID")
        if query.get("dateType") not in self.date_types or not timedelta(0) <= last - first <= timedelta(
            days=31
        ):
            return 400, error_body("E_REQUEST_INVALID", fields=["dateType"])
        found = [one for one in self.bookings.values() if first <= day_of(one, query["dateType"]) <= last]
        start = max(0, offset - self.first_offset)
        return 200, {"bookings": [self._summary(one) for one in found[start : start + limit]]}

    def _summary(self, booking: dict[str, Any]) -> dict[str, Any]:
        lacking = [] if self.list_names_reference else ["clientReference"]
        transfers = [
            without(transfer, "rateKey", "transferDetails", "content") for transfer in booking["transfers"]
        ]
        return {**without(booking, *lacking), "transfers": transfers}

    @route("GET", BOOKING)
    def detail(self, heard: Heard, lang: str, reference: str) -> Answer:
        booking = self.bookings.get(reference)
        if booking is None:
            return 400, error_body("E_BOOKING_NOTFOUND")
        return 200, {"bookings": [self._told(booking)]}

    @route("DELETE", BOOKING)
    def cancel(self, heard: Heard, lang: str, reference: str) -> Answer:
        booking = self.bookings.get(reference)
        if booking is None:
            return 400, error_body("E_BOOKING_NOTFOUND")
        if booking["status"] == "CANCELLED":
            return 409, error_body("E_BOOKING_CANCELLATIONERROR")
        simulated = heard.query.get("simulation") == "true"
        changed = dict(booking) if simulated else booking
        self._cancel(changed, self._charge(booking))
        return 200, {"bookings": [self._told(changed)]}

    def _charge(self, booking: dict[str, Any]) -> Decimal:
        """By the latest step that has begun."""
        now = datetime.fromtimestamp(self.now())
        (transfer,) = booking["transfers"]
        begun = [
            step for step in transfer["cancellationPolicies"] if datetime.fromisoformat(step["from"]) <= now
        ]
        return Decimal(str(begun[-1]["amount"])) if begun else Decimal(0)

    @staticmethod
    def _cancel(booking: dict[str, Any], charge: Decimal) -> None:
        booking["status"] = "CANCELLED"
        booking["transfers"] = [{**transfer, "status": "CANCELLED"} for transfer in booking["transfers"]]
        booking["totalAmount"] = booking["totalNetAmount"] = booking["pendingAmount"] = float(charge)


def wrong_search(asked: dict[str, str], now: float) -> Iterator[str]:
    """The codes of what is wrong with a search."""
    for end in ("from", "to"):
        kind, code = asked[f"{end}_type"], asked[f"{end}_code"]
        if kind not in TYPES or (kind == "IATA" and not re.fullmatch("[A-Z]{3}", code)):
            yield "E_REQUEST_INVALIDTERMINALCODE"
        if kind == "ATLAS" and not code.isdecimal():
            yield "E_REQUEST_ATLASCODE"
        if kind == "GPS" and not GPS.fullmatch(code):
            yield "E_REQUEST_GPSCOORDINATES"
    if asked["from_type"] == asked["to_type"] in ("IATA", "PORT", "STATION"):
        yield "E_REQUEST_INVALID"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", asked["outbound"]):
        yield "E_REQUEST_INVALIDDATEFORMAT"
    elif datetime.fromisoformat(asked["outbound"]).timestamp() < now - 86_400:
        yield "E_REQUEST_PASTDATE"
    if not asked["adults"].isdecimal() or int(asked["adults"]) < 1:
        yield "E_REQUEST_ATLEASTONEADULT"


def wrong_order(body: dict[str, Any]) -> Iterator[str]:
    """The fields that are missing, too many or malformed."""
    yield from body.keys() ^ {"language", "holder", "transfers", "clientReference", "remark"}
    yield from (name for name in ("name", "surname", "email") if not body["holder"].get(name))
    if not E164.fullmatch(body["holder"].get("phone", "")):
        yield "phone"
    if len(body["remark"]) > 2000:
        yield "remark"
    if not 0 < len(body["clientReference"]) <= 20:
        yield "clientReference"
    if len(body["transfers"]) != 1 or not body["transfers"][0].get("rateKey"):
        yield "transfers"


def wrong_ends(wanted: dict[str, Any], information: dict[str, Any]) -> Iterator[str]:
    """What the driver lacks: the flight at an airport, the address at coordinates."""
    named = {(detail["type"], detail["direction"]): detail["code"] for detail in wanted["transferDetails"]}
    for end, direction, address in (
        ("from", "ARRIVAL", "pickupInformation"),
        ("to", "DEPARTURE", "dropoffInformation"),
    ):
        flight = named.pop(("FLIGHT", direction), "") if information[end]["type"] == "IATA" else "-"
        if not 0 < len(flight) <= 7:
            yield f"transferDetails {direction}"
        parts = wanted.get(address, {})
        if (information[end]["type"] == "GPS") != all(parts.get(name) for name in ADDRESS):
            yield address
    yield from (f"transferDetails {left}" for left in named)


def error_body(code: str, *, fields: Any = (), inside: bool = False) -> dict[str, Any]:
    errors = [
        {"code": code, "field": field, "message": "stub"} for field in fields or (["stub"] if inside else [])
    ]
    return {
        "code": None if inside else code,
        "message": "stub: refused",
        "description": "",
        "dateTime": "2026-11-20T14:05:10Z",
        "isBadRequest": False,
        "fieldErrors": errors,
        "serviceName": "stub",
        "traceId": "stub-1",
    }


def day_of(booking: dict[str, Any], date_type: str) -> date:
    told = (
        booking["transfers"][0]["pickupInformation"]["date"]
        if date_type == "FROM_DATE"
        else booking["creationDate"]
    )
    return date.fromisoformat(told[:10])


def without(data: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in names}


__all__ = ["AVAILABILITY", "BOOKING", "BOOKINGS", "LIST", "HotelbedsStub", "Trouble", "error_body", "refusal"]

if __name__ == "__main__":
    run(HotelbedsStub)
