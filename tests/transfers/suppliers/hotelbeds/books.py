"""The bookings of the stand-in for Hotelbeds: how they come to be, what is told of them, and what their end costs."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

Booking = dict[str, Any]

CLOCKS = {"JFK": "America/New_York", "LIS": "Europe/Lisbon", "NRT": "Asia/Tokyo"}
USUAL_CLOCK = "Europe/Madrid"
"""Nearly everything that the stand-in sells is in Palma."""
NAMELESS = {"code": "null", "type": None}
"""How lists write an end that is an airport."""


def booked(
    body: Booking,
    wanted: Booking,
    rate: Booking,
    *,
    reference: str,
    status: str,
    surcharge: Decimal,
    now: float,
) -> Booking:
    price = rate["price"]
    total = Decimal(str(price["totalAmount"])) + surcharge
    net = total if price["netAmount"] is None else Decimal(str(price["netAmount"])) + surcharge
    kept = ("transferType", "vehicle", "category", "pickupInformation", "content", "cancellationPolicies")
    transfer = {
        **{name: rate[name] for name in kept},
        "id": 1,
        "rateKey": wanted["rateKey"],
        "status": status,
        "sourceMarketEmergencyNumber": "+34 900 000 000",
        "transferDetails": wanted["transferDetails"],
        "price": {**price, "totalAmount": float(total)},
    }
    return {
        "reference": reference,
        "bookingFileId": None,
        "creationDate": datetime.fromtimestamp(now).isoformat(timespec="seconds"),
        "status": status,
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


def detail(booking: Booking, *, names_reference: bool) -> Booking:
    return without(booking, *([] if names_reference else ["clientReference"]))


def summary(booking: Booking, *, names_reference: bool) -> Booking:
    """As a list tells it: our reference in capitals, and no airport by its name."""
    transfers = [
        {
            **without(transfer, "rateKey", "transferDetails", "content"),
            "pickupInformation": nameless(transfer["pickupInformation"]),
        }
        for transfer in booking["transfers"]
    ]
    named = {"clientReference": booking["clientReference"].upper()} if names_reference else {}
    return {**without(booking, "clientReference"), **named, "transfers": transfers}


def nameless(information: Booking) -> Booking:
    ends = {
        end: {**information[end], **NAMELESS} if information[end]["type"] == "IATA" else information[end]
        for end in ("from", "to")
    }
    return {**information, **ends}


def charge(booking: Booking, now: float) -> Decimal:
    """By the step of its policy that began last, as the clocks at its destination show it."""
    (transfer,) = booking["transfers"]
    clock = clock_of(transfer["pickupInformation"])
    begun = [
        (at, step["amount"])
        for step in transfer["cancellationPolicies"]
        if (at := datetime.fromisoformat(step["from"]).replace(tzinfo=clock))
        <= datetime.fromtimestamp(now, UTC)
    ]
    return Decimal(str(max(begun)[1])) if begun else Decimal(0)


def clock_of(information: Booking) -> ZoneInfo:
    codes = [information[end]["code"] for end in ("to", "from") if information[end]["type"] == "IATA"]
    return ZoneInfo(next((CLOCKS[code] for code in codes if code in CLOCKS), USUAL_CLOCK))


def cancel(booking: Booking, left: Decimal) -> None:
    """What is left to pay is the total from then on; its services cost nothing any more."""
    booking["status"] = "CANCELLED"
    booking["transfers"] = [
        {**transfer, "status": "CANCELLED", "price": zeroed(transfer["price"])}
        for transfer in booking["transfers"]
    ]
    booking["totalAmount"] = booking["totalNetAmount"] = booking["pendingAmount"] = float(left)


def zeroed(price: Booking) -> Booking:
    return {**price, "totalAmount": 0.0, "netAmount": None if price["netAmount"] is None else 0.0}


def day_of(booking: Booking, date_type: str) -> date:
    ride = booking["transfers"][0]["pickupInformation"]["date"]
    return date.fromisoformat((ride if date_type == "FROM_DATE" else booking["creationDate"])[:10])


def without(data: Booking, *names: str) -> Booking:
    return {name: value for name, value in data.items() if name not in names}
