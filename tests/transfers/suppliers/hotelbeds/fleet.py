"""The vehicles of the stand-in for Hotelbeds, as its availability tells them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

CENT = Decimal("0.01")
TERMINALS = ("IATA", "PORT", "STATION")
EXTRAS = (("T06", "Extra Suitcase", Decimal("6.60")), ("T12", "Child seat", Decimal("9.00")))
"""Code, name and price of what private vehicles have beside. Bounds are documented, and were in no answer that was recorded."""


@dataclass(frozen=True)
class Service:
    """`policy`: (hours before the ride, percent); None hours: since it was created."""

    vehicle: tuple[str, str]
    category: tuple[str, str]
    seats: int
    price: Decimal
    policy: tuple[tuple[int | None, int], ...]
    shared: bool = False


FLEET = (
    Service(("BS", "Bus"), ("STND", "Standard"), 48, Decimal("9.75"), ((24, 100),), shared=True),
    Service(("CR", "Car"), ("STND", "Standard"), 3, Decimal("38.50"), ((24, 100),)),
    Service(("CR", "Car"), ("CMF", "Comfort"), 3, Decimal("47.20"), ((None, 20), (24, 100))),
    Service(("CR", "Car"), ("LUX", "Luxury"), 3, Decimal("96.00"), ((None, 100),)),
    Service(("MNV", "Minivan"), ("STND", "Standard"), 7, Decimal("71.35"), ((None, 20), (24, 100))),
    Service(("MBS", "Minibus"), ("STND", "Standard"), 16, Decimal("148.00"), ((72, 50), (24, 100))),
)


def service_json(
    service: Service,
    position: int,
    *,
    ends: tuple[dict[str, str], dict[str, str]],
    outbound: datetime,
    price: Decimal,
) -> dict[str, Any]:
    vehicle, category = ({"code": code, "name": name} for code, name in (service.vehicle, service.category))
    return {
        "id": position,
        "direction": "ARRIVAL" if ends[0]["type"] in TERMINALS else "DEPARTURE",
        "transferType": "SHARED" if service.shared else "PRIVATE",
        "vehicle": vehicle,
        "category": category,
        "minPaxCapacity": 1,
        "maxPaxCapacity": service.seats,
        "pickupInformation": {
            "from": ends[0],
            "to": ends[1],
            "date": outbound.date().isoformat(),
            "time": outbound.time().isoformat(),
            "pickup": {
                "description": "Meet the driver at the arrivals exit.",
                "checkPickup": {"mustCheckPickupTime": False, "url": None, "hoursBeforeConsulting": None},
                "pickupId": None,
                "stopName": None,
            },
        },
        "content": {
            "vehicle": vehicle,
            "category": category,
            "images": [],
            "transferDetailInfo": [
                {"id": "DRVR", "name": "Driver waits", "description": "In arrivals", "type": "GENERAL_INFO"},
                {
                    "id": "TRFTIME",
                    "name": "50 min. Estimated journey time",
                    "description": "",
                    "type": "GENERAL_INFO",
                },
                {
                    "id": "LUGGAGE",
                    "name": "Luggage",
                    "description": "",
                    "type": "GENERAL_INFO",
                    "value": str(service.seats),
                },
            ],
            "customerTransferTimeInfo": [
                {"value": 30, "type": "CUSTOMER_MAX_WAITING_TIME", "metric": "minutes"}
            ],
            "supplierTransferTimeInfo": [
                {"value": 1, "type": "SUPPLIER_MAX_WAITING_TIME_INTERNATIONAL", "metric": "hours"}
            ],
            "transferRemarks": [
                {"type": "CONTRACT", "description": "One case per person.", "mandatory": True},
                {"type": "CONTRACT", "description": "Cars are blue.", "mandatory": False},
            ],
        },
        "price": {"totalAmount": float(price), "netAmount": None, "currencyId": "EUR"},
        "cancellationPolicies": policies_json(service, outbound, price),
        **({} if service.shared else {"extras": extras_json()}),
        "factsheetId": position,
        "links": [],
    }


def extras_json() -> list[dict[str, Any]]:
    return [{"code": code, "type": name, "amount": float(price)} for code, name, price in EXTRAS]


def policies_json(service: Service, outbound: datetime, price: Decimal) -> list[dict[str, Any]]:
    """Local times, without a zone."""
    return [
        {
            "amount": float((price * share / 100).quantize(CENT)),
            "from": since(hours, outbound).isoformat(),
            "currencyId": "EUR",
        }
        for hours, share in service.policy
    ]


def since(hours: int | None, outbound: datetime) -> datetime:
    return datetime(2020, 1, 1) if hours is None else outbound - timedelta(hours=hours)
