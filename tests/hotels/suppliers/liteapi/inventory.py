"""What the stub of LiteAPI sells: a few hotels, two rooms each, priced from what is asked for and nothing else."""

import hashlib
import json
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from math import cos, radians
from typing import Any

CENT = Decimal("0.01")
LEAST_PUBLIC = Decimal("1.15")
"""Of a price: what it must not be shown for less than."""
VAT = Decimal("0.06")
RATES_PLANS = {
    "flex": ("Double Room, Garden View", "BB1", "Bed and Breakfast", Decimal(1), "RFN"),
    "saver": ("Double Room", "RO", "Room Only", Decimal("0.86"), "NRFN"),
}
MAPPED = {"flex": 101, "saver": None}
"""Which of the hotel's rooms (`described`) a rate is for; not every rate is mapped."""


@dataclass(frozen=True)
class Inn:
    id: str
    name: str
    city: str
    country: str
    latitude: float | None
    longitude: float | None
    stars: int
    nightly: Decimal

    def described(self) -> dict[str, Any]:
        """As a search tells it."""
        return {
            "id": self.id,
            "name": self.name,
            "address": "Rua do Stub 7",
            "country_code": self.country.lower(),
            "city_name": self.city,
            "latitude": self.latitude,
            "longitude": self.longitude,
            "stars": self.stars,
            "rating": 8.7,
            "review_count": 412,
            "main_photo": f"https://static.stub.example/{self.id}/main.jpg",
            "thumbnail": f"https://static.stub.example/{self.id}/main-small.jpg",
        }

    def is_near(self, latitude: float, longitude: float, metres: float) -> bool:
        if self.latitude is None or self.longitude is None:
            return False
        north = (self.latitude - latitude) * 111_000
        east = (self.longitude - longitude) * 111_000 * cos(radians(latitude))
        return bool(north * north + east * east <= metres * metres)


INNS = (
    Inn("lpstub01", "Hotel Miradouro", "Lisbon", "PT", 38.7251, -9.1496, 4, Decimal("70.8")),
    Inn("lpstub02", "Pensao Central", "Lisbon", "PT", 38.7242, -9.1480, 3, Decimal("48.35")),
    Inn("lpstub03", "Palacio do Rio", "Lisbon", "PT", 38.7100, -9.1400, 5, Decimal("192.05")),
    Inn("lpstub04", "Casa da Ribeira", "Porto", "PT", 41.1410, -8.6130, 4, Decimal("66.5")),
    Inn("lpstub05", "Hostal Gracia", "Barcelona", "ES", 41.4000, 2.1560, 2, Decimal("39.99")),
    Inn("lpstub06", "Quinta Sem Mapa", "Lisbon", "PT", None, None, 3, Decimal("55.5")),
)
REMARKS = {
    "lpstub03": "<p>A Resort Fee totaling USD43.61 will be charged at the hotel.</p><p>Pool &amp; gym are free.</p>"
}
PROMOTIONS = [
    {
        "name": "Winter sale",
        "from": "2026-11-01",
        "to": "2027-03-31",
        "discount": 15,
        "discountType": "percentage",
        "promotionCode": "WINTER",
        "currency": "THB",
    }
]
PERKS = [{"perkId": 12, "name": "Welcome drink", "amount": 9.5, "currency": "USD", "level": "HOTEL"}]
FACILITIES = {inn.id: ["WiFi available", "Breakfast room", f"{inn.stars} stars"] for inn in INNS}


@dataclass(frozen=True)
class Offer:
    """All that a price follows from."""

    inn: Inn
    plan: str
    checkin: date
    checkout: date
    occupancies: tuple[tuple[int, ...], ...]
    """Of each room: how many adults, then each child's age."""
    currency: str

    @property
    def id(self) -> str:
        told = [
            self.inn.id,
            self.plan,
            str(self.checkin),
            str(self.checkout),
            self.occupancies,
            self.currency,
        ]
        return "OFFERSTUB" + hashlib.sha256(json.dumps(told).encode()).hexdigest().upper()

    def room_price(self, room: tuple[int, ...], percent: int) -> Decimal:
        share = RATES_PLANS[self.plan][3] * percent / 100
        guests = Decimal(room[0]) + Decimal("0.5") * (len(room) - 1)
        nights = (self.checkout - self.checkin).days
        return (self.inn.nightly * share * guests * nights / 2).quantize(CENT, rounding=ROUND_HALF_UP)

    def total(self, percent: int) -> Decimal:
        return sum((self.room_price(room, percent) for room in self.occupancies), Decimal(0))

    def policy(self, total: Decimal) -> dict[str, Any]:
        """Free until two days before, then half; once the stay has begun, all of it."""
        tag = RATES_PLANS[self.plan][4]
        steps = [(self.checkin - timedelta(days=2), total / 2), (self.checkin, total)]
        infos = [
            {
                "cancelTime": f"{day} 12:00:00",
                "amount": float(amount.quantize(CENT, rounding=ROUND_HALF_UP)),
                "currency": self.currency,
                "type": "amount",
                "timezone": "GMT",
            }
            for day, amount in steps
        ]
        return {
            "cancelPolicyInfos": infos if tag == "RFN" else [],
            "hotelRemarks": [],
            "refundableTag": tag,
        }

    def rates(self, percent: int) -> list[dict[str, Any]]:
        """One for each room."""
        return [self._rate(number, room, percent) for number, room in enumerate(self.occupancies, start=1)]

    def _rate(self, number: int, room: tuple[int, ...], percent: int) -> dict[str, Any]:
        name, board, board_name, _, _ = RATES_PLANS[self.plan]
        price = self.room_price(room, percent)
        return {
            "rateId": f"RATE-{self.id[-8:]}-{number}",
            "occupancyNumber": number,
            "name": name,
            "maxOccupancy": len(room) + room[0] - 1,
            "adultCount": room[0],
            "childCount": len(room) - 1,
            "childrenAges": list(room[1:]),
            "boardType": board,
            "boardName": board_name,
            "remarks": REMARKS.get(self.inn.id, ""),
            "priceType": "commission",
            "commission": [{"amount": 0, "currency": self.currency}],
            "retailRate": {
                "total": [{"amount": float(price), "currency": self.currency}],
                "suggestedSellingPrice": [{**self.least_public(price), "source": "stub"}],
                "initialPrice": [{"amount": float(price), "currency": self.currency}],
                "promotions": PROMOTIONS if self.inn.id in REMARKS else [],
                "taxesAndFees": [
                    {
                        "included": True,
                        "description": "VAT",
                        "amount": rounded(price * VAT),
                        "currency": self.currency,
                    },
                    {"included": False, "description": "City tax", "amount": 8.0, "currency": "EUR"},
                ],
            },
            "cancellationPolicies": self.policy(price),
            "mappedRoomId": MAPPED[self.plan],
            "perks": PERKS if self.plan == "flex" else [],
            "promotions": "",
            "paymentTypes": ["NUITEE_PAY"],
        }

    def booked_room(self, place: int) -> dict[str, Any]:
        """As a booking has it: code and name of the board are swapped inside of `rate`."""
        room, (name, board, board_name, _, _) = self.occupancies[place], RATES_PLANS[self.plan]
        return {
            "roomType": {"name": name},
            "adults": room[0],
            "children": len(room) - 1,
            "childrenAges": list(room[1:]) or None,
            "boardName": board_name,
            "boardType": board,
            "occupancy_number": place + 1,
            "remarks": "",
            "guests": None,
            "rate": {
                "boardName": board,
                "boardType": board_name,
                "remarks": REMARKS.get(self.inn.id, ""),
                "perks": [],
            },
        }

    def room_type(self, percent: int) -> dict[str, Any]:
        return {
            "roomTypeId": f"RT-{self.inn.id}-{self.plan}",
            "offerId": self.id,
            "supplier": "stub",
            "supplierId": 2,
            "rateType": "standard",
            "loyaltyMembershipIdRequired": False,
            "offerRetailRate": {"amount": float(self.total(percent)), "currency": self.currency},
            "suggestedSellingPrice": {**self.least_public(self.total(percent)), "source": "stub"},
            "offerInitialPrice": {"amount": float(self.total(percent)), "currency": self.currency},
            "priceType": "commission",
            "paymentTypes": ["NUITEE_PAY"],
            "rates": self.rates(percent),
        }

    def least_public(self, price: Decimal) -> dict[str, Any]:
        return {"amount": rounded(price * LEAST_PUBLIC), "currency": self.currency}


def rounded(amount: Decimal) -> float:
    return float(amount.quantize(CENT, rounding=ROUND_HALF_UP))
