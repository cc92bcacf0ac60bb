"""Their vehicles in our classes. Codes differ from contract to contract, so names and seats decide."""

from collections.abc import Mapping
from typing import Any

from apps.transfers.suppliers.base import Vehicle
from apps.transfers.suppliers.hotelbeds.reading import part, storable

SEATS_OF_A_CAR = 4
SEATS_OF_A_MINIVAN = 9
MOST_SEATS = 999
COMFORT = ("comfort", "superior", "first")
BUSINESS = ("premium", "luxury", "business", "executive", "vip")


def vehicle_of(service: Mapping[str, Any]) -> Vehicle:
    """No luggage is told."""
    vehicle, category = name_of(service, "vehicle"), name_of(service, "category")
    told = service.get("maxPaxCapacity")
    seats = told if isinstance(told, int) and told is not True and 0 < told <= MOST_SEATS else None
    return Vehicle(
        category=_class(str(service.get("transferType")), vehicle.lower(), category.lower(), seats),
        description=f"{category} {vehicle}".strip(),
        max_passengers=seats,
        max_bags=None,
    )


def name_of(service: Mapping[str, Any], kind: str) -> str:
    """The name of a vehicle or category, or its code where it has none."""
    told = part(service, kind)
    return storable(str(told.get("name") or told.get("code") or ""))


def _class(transfer_type: str, vehicle: str, category: str, seats: int | None) -> str:
    if transfer_type.upper() == "SHARED":
        return "shuttle"
    if "bus" in vehicle.replace("business", "") or "coach" in vehicle or (seats or 0) > SEATS_OF_A_MINIVAN:
        return "minibus"
    if "van" in vehicle or (seats or 0) > SEATS_OF_A_CAR:
        return "minivan"
    if any(word in category for word in BUSINESS):
        return "business"
    return "comfort" if any(word in category for word in COMFORT) else "economy"
