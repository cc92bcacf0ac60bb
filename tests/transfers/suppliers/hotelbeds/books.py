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
    rates: list[tuple[Booking, Booking]],
    *,
    reference: str,
    status: str,
    surcharge: Decimal,
    now: float,
) -> Booking:
    """`rates`: each transfer that is wanted and its rate. What an order costs more than these (`surcharge`) is on the first."""
    transfers = [
        ride(wanted, rate, number, status=status, surcharge=surcharge if number == 1 else Decimal(0))
        for number, (wanted, rate) in enumerate(rates, 1)
    ]
    prices = [transfer["price"] for transfer in transfers]
    extras = sum((decimal(price.get("extrasAmount", 0)) for price in prices), Decimal(0))
    total = sum((decimal(price["totalAmount"]) for price in prices), extras)
    nets = [price["netAmount"] for price in prices]
    net = total if None in nets else sum(map(decimal, nets), extras + surcharge)
    return {
        "reference": reference,
        "bookingFileId": None,
        "creationDate": datetime.fromtimestamp(now).isoformat(timespec="seconds"),
        "status": status,
        "modificationsPolicies": {"cancellation": True, "modification": False},
        "holder": body["holder"],
        "clientReference": body["clientReference"],
        "remark": body["remark"],
        "transfers": transfers,
        "invoiceCompany": {"code": "E14"},
        "supplier": {"name": "Stub Cars SL", "vatNumber": "ESB00000000"},
        "totalAmount": float(total),
        "totalNetAmount": float(net),
        "pendingAmount": float(total),
        "currency": prices[0]["currencyId"],
        "links": [],
    }


def decimal(amount: Any) -> Decimal:
    return Decimal(str(amount))


def ride(wanted: Booking, rate: Booking, number: int, *, status: str, surcharge: Decimal) -> Booking:
    """Whether the price of a ride has its extras in it is not documented; here only the order's total has."""
    price = rate["price"]
    kept = ("transferType", "vehicle", "category", "pickupInformation", "content", "cancellationPolicies")
    offered = {extra["code"]: extra for extra in rate.get("extras", ())}
    extras = [
        {
            "code": extra["code"],
            "type": offered[extra["code"]]["type"],
            "units": extra["units"],
            "amount": float(decimal(offered[extra["code"]]["amount"]) * int(extra["units"])),
        }
        for extra in wanted.get("extras", ())
    ]
    of_extras = sum((decimal(extra["amount"]) for extra in extras), Decimal(0))
    return {
        **{name: rate[name] for name in kept},
        "id": number,
        "rateKey": wanted["rateKey"],
        "status": status,
        "sourceMarketEmergencyNumber": "+34 900 000 000",
        "transferDetails": wanted["transferDetails"],
        "price": {
            **price,
            "totalAmount": float(decimal(price["totalAmount"]) + surcharge),
            **({"extrasAmount": float(of_extras)} if extras else {}),
        },
        **({"extras": extras} if extras else {}),
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
    """Of all its rides together: of each by the step of its policy that began last, as the clocks at its destination show it. Who
    loses a whole ride loses its extras.
    """
    return sum((charge_of_ride(transfer, now) for transfer in booking["transfers"]), Decimal(0))


def charge_of_ride(transfer: Booking, now: float) -> Decimal:
    clock = clock_of(transfer["pickupInformation"])
    begun = [
        (at, step["amount"])
        for step in transfer["cancellationPolicies"]
        if (at := datetime.fromisoformat(step["from"]).replace(tzinfo=clock))
        <= datetime.fromtimestamp(now, UTC)
    ]
    left = decimal(max(begun)[1]) if begun else Decimal(0)
    whole = left >= decimal(transfer["price"]["totalAmount"])
    return left + decimal(transfer["price"].get("extrasAmount", 0)) if whole else left


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
