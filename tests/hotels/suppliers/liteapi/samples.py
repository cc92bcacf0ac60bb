"""Answers as their documentation shows them, with the parts that a test wants otherwise."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from apps.suppliers.results import PenaltyStep

POLICY = {
    "cancelPolicyInfos": [
        {
            "cancelTime": "2027-02-01 12:00:00",
            "amount": Decimal("106.2"),
            "currency": "EUR",
            "type": "amount",
            "timezone": "GMT",
        }
    ],
    "hotelRemarks": [],
    "refundableTag": "RFN",
}
POLICY_TEXT = (
    '{"cancelPolicyInfos": [{"cancelTime": "2027-02-01 12:00:00", "amount": 106.2, "currency": "EUR", '
    '"type": "amount", "timezone": "GMT"}], "hotelRemarks": [], "refundableTag": "RFN"}'
)
POLICY_STEPS = (PenaltyStep(datetime(2027, 2, 1, 12, tzinfo=UTC), 10_620),)
NON_REFUNDABLE = {"cancelPolicyInfos": [], "hotelRemarks": [], "refundableTag": "NRFN"}
VAT = {"included": True, "description": "VAT", "amount": Decimal("12.02"), "currency": "EUR"}
CITY_TAX = {"included": False, "description": "City tax", "amount": Decimal("8.0"), "currency": "EUR"}
HOTEL = {
    "id": "lpstub01",
    "name": "Hotel Miradouro",
    "address": "Rua do Stub 7",
    "country_code": "PT",
    "city_name": "Lisbon",
    "latitude": Decimal("38.71"),
    "longitude": Decimal("-9.14"),
    "stars": 4,
    "rating": Decimal("8.7"),
    "review_count": 412,
    "main_photo": "https://static.example/lpstub01/main.jpg",
}


def money(amount: str) -> dict[str, Any]:
    return {"amount": Decimal(amount), "currency": "EUR"}


def a_rate(**changes: Any) -> dict[str, Any]:
    """One room. `total`, `commission`, `taxes`, `least` reach into its parts."""
    total, commission = changes.pop("total", "212.4"), changes.pop("commission", "0")
    taxes = changes.pop("taxes", [VAT, CITY_TAX])
    least = changes.pop("least", None)
    rate: dict[str, Any] = {
        "rateId": "RATESTUB1",
        "occupancyNumber": 1,
        "name": "Double Room, Garden View",
        "maxOccupancy": 2,
        "boardType": "BB",
        "boardName": "Bed and Breakfast",
        "priceType": "commission",
        "commission": [money(commission)],
        "retailRate": {"total": [money(total)], "taxesAndFees": taxes},
        "cancellationPolicies": POLICY,
    }
    if least is not None:
        rate["retailRate"]["suggestedSellingPrice"] = [money(least)]
    return {**rate, **changes}


def a_room_type(*rates: dict[str, Any], **changes: Any) -> dict[str, Any]:
    room_type = {
        "roomTypeId": "RTSTUB1",
        "offerId": "OFFERSTUB0001",
        "offerRetailRate": money("212.4"),
        "suggestedSellingPrice": {**money("240"), "source": "stub"},
        "rates": list(rates) or [a_rate()],
    }
    return {**room_type, **changes}


def an_answer(*room_types: Any, hotel: dict[str, Any] | None = None) -> dict[str, Any]:
    found = {"hotelId": "lpstub01", "roomTypes": list(room_types) or [a_room_type()]}
    return {"data": [found], "hotels": [{**HOTEL, **(hotel or {})}], "guestLevel": 0, "sandbox": True}


def a_booking(**changes: Any) -> dict[str, Any]:
    booking = {
        "bookingId": "BKSTUB001",
        "clientReference": "H-7KQ2M9XD",
        "status": "CONFIRMED",
        "hotelConfirmationCode": "",
        "price": Decimal("212.4"),
        "commission": 0,
        "currency": "EUR",
        "prebookId": "PREBOOKSTUB1",
        "cancellationPolicies": POLICY,
    }
    return {**booking, **changes}
