"""What Duffel demands of a body, to the letter: anything else is refused as they would."""

import re
from datetime import date
from typing import Any

from tests.flights.suppliers.duffel.wire import Data, Refused

PASSENGER = {"id", "title", "gender", "given_name", "family_name", "born_on", "email", "phone_number"}
NAME = re.compile(r"[A-Za-zÀ-ſ' \-]{1,20}")


def data_of(body: Any, required: set[str], optional: set[str] = frozenset()) -> Data:  # type: ignore[assignment]
    """What `data` wraps, with these members and no others."""
    if not isinstance(body, dict) or set(body) != {"data"} or not isinstance(body["data"], dict):
        raise Refused("invalid_data_param")
    only(body["data"], required, optional)
    return dict(body["data"])


def only(data: Data, required: set[str], optional: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    for name in sorted(required - set(data)):
        raise Refused("validation_required", field=name, pointer=f"/{name}")
    for name in sorted(set(data) - required - optional):
        raise Refused("invalid_param", field=name, pointer=f"/{name}")


def one_of(value: Any, allowed: set[Any], field: str, pointer: str = "") -> None:
    if value not in allowed:
        raise Refused("validation_inclusion", field=field, pointer=pointer or f"/{field}")


def passengers(given: list[Data], expected: list[Data]) -> None:
    """The offer's own ids, each once, with all that an airline wants to know; an adult for every infant."""
    if sorted(one.get("id", "") for one in given) != sorted(one["id"] for one in expected):
        raise Refused("validation_invalid", field="passengers", pointer="/passengers")
    for position, one in enumerate(given):
        passenger(one, f"/passengers/{position}")
    infants = {one["id"] for one in expected if one.get("age", 99) < 2}
    carried = [one["infant_passenger_id"] for one in given if "infant_passenger_id" in one]
    if sorted(carried) != sorted(infants):
        raise Refused("validation_invalid", field="infant_passenger_id", pointer="/passengers")


def passenger(one: Data, at: str) -> None:
    only(one, PASSENGER, {"infant_passenger_id"})
    one_of(one["title"], {"mr", "ms", "mrs", "miss", "dr"}, "title", f"{at}/title")
    one_of(one["gender"], {"m", "f"}, "gender", f"{at}/gender")
    for field in ("given_name", "family_name"):
        if not NAME.fullmatch(one[field]):
            raise Refused("validation_format", field=field, pointer=f"{at}/{field}")
    if not re.fullmatch(r"\+[1-9][0-9]{6,14}", one["phone_number"]):
        raise Refused("validation_format", field="phone_number", pointer=f"{at}/phone_number")
    if not re.fullmatch(r"[^@ ]+@[^@ ]+\.[^@ ]+", one["email"]):
        raise Refused("validation_format", field="email", pointer=f"{at}/email")
    try:
        date.fromisoformat(one["born_on"])
    except ValueError:
        raise Refused("validation_format", field="born_on", pointer=f"{at}/born_on") from None


def payment(given: Data, amount: str, currency: str) -> None:
    """From our balance, the very sum."""
    only(given, {"type", "amount", "currency"})
    one_of(given["type"], {"balance"}, "type")
    if (given["amount"], given["currency"]) != (amount, currency):
        raise Refused("payment_amount_does_not_match_order_amount")


def leg(one: Data, *, cabin: bool = False) -> None:
    only(one, {"origin", "destination", "departure_date"} | ({"cabin_class"} if cabin else set()))
    date.fromisoformat(one["departure_date"])
    if cabin:
        one_of(one["cabin_class"], {"economy", "premium_economy", "business", "first"}, "cabin_class")
