"""A supplier in the process: twenty offers, made up from the search, and a booking that always succeeds."""

import uuid
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

BOARDS = ("Room only", "Breakfast", "Half board", "All inclusive")


def offers(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """As many as the search asks for at most, as the columns of an offer."""
    city = asked.get("destination", {}).get("city", "Lisbon")
    expires_at = datetime.now(UTC) + timedelta(minutes=20)
    return [_offer(city, number, expires_at) for number in range(asked["limit"])]


def _offer(city: str, number: int, expires_at: datetime) -> dict[str, Any]:
    cents = 8_000 + zlib.crc32(f"{city} {number}".encode()) % 20_000
    return {
        "hotel_id": f"htl_{number:05d}",
        "hotel_name": f"Hotel {city} {number}",
        "stars": 3 + number % 3,
        "city": city,
        "country_code": "PT",
        "room_name": "Double room with a view of the sea",
        "board": BOARDS[number % len(BOARDS)],
        "refundable": number % 2 == 0,
        "total_cents": cents,
        "currency": "EUR",
        "cancellation_policy": [{"from": "2026-12-01T00:00:00Z", "penaltyCents": cents // 2}],
        "expires_at": expires_at,
    }


def book() -> str:
    """The supplier's reference."""
    return f"S-{uuid.uuid4().hex[:12]}"
