"""What Duffel demands of a request, to the letter: anything else is refused as they would."""

import re
from collections import Counter
from datetime import date
from typing import Any

from tests.flights.suppliers.duffel.wire import Data, Refused

PASSENGER = {"id", "title", "gender", "given_name", "family_name", "born_on", "email", "phone_number"}
NAME = re.compile(r"[A-Za-zÀ-ſ' \-]{1,20}")
LIGATURES = re.compile(r"[×÷ÆæĲĳŒœÞð]")
E164 = re.compile(r"\+[1-9][0-9]{6,14}")
MAIL = re.compile(r"[^@ ]+@[^@ ]+\.[^@ ]+")
CABINS = {"economy", "premium_economy", "business", "first"}
MOST_CONNECTIONS = 2
NONE: frozenset[str] = frozenset()


def data_of(body: Any, required: set[str], optional: set[str] | frozenset[str] = NONE) -> Data:
    """What `data` wraps, with these members and no others."""
    if not isinstance(body, dict) or "data" not in body:
        raise Refused("missing_data_param")
    if set(body) != {"data"}:
        raise Refused("bad_request")
    if not isinstance(body["data"], dict):
        raise Refused("invalid_data_param")
    only(body["data"], required, optional)
    return dict(body["data"])


def only(data: Data, required: set[str], optional: set[str] | frozenset[str] = NONE) -> None:
    for name in sorted(required - set(data)):
        raise Refused("validation_required", field=name, pointer=f"/{name}")
    for _ in sorted(set(data) - required - optional):
        raise Refused("bad_request")


def query(given: dict[str, str], allowed: set[str]) -> None:
    if set(given) - allowed:
        raise Refused("bad_request")


def page(given: dict[str, str]) -> None:
    if "limit" in given and not (given["limit"].isdecimal() and 1 <= int(given["limit"]) <= 200):
        raise Refused("validation_inclusion", field="limit", pointer="/limit")


def one_of(value: Any, allowed: set[Any], field: str, pointer: str = "") -> None:
    if value not in allowed:
        raise Refused("validation_inclusion", field=field, pointer=pointer or f"/{field}")


def day(value: Any, field: str, pointer: str = "") -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise Refused("validation_format", field=field, pointer=pointer or f"/{field}") from None


# --- Offer requests -------------------------------------------------------------------------------------------------
def search(data: Data) -> None:
    if not data["slices"]:
        raise Refused("validation_length", field="slices", pointer="/slices")
    for one in data["slices"]:
        leg(one)
    one_of(data["cabin_class"], CABINS, "cabin_class")
    if "max_connections" in data:
        one_of(data["max_connections"], set(range(MOST_CONNECTIONS + 1)), "max_connections")
    for airline, fares in data.get("private_fares", {}).items():
        private_fares(airline, fares)
    travellers(data["passengers"])


def travellers(given: list[Data]) -> None:
    """Each has either a type or an age, and every infant an adult."""
    if not given:
        raise Refused("validation_length", field="passengers", pointer="/passengers")
    for place, one in enumerate(given):
        if set(one) not in ({"type"}, {"age"}):
            raise Refused("validation_format", field="passengers", pointer=f"/passengers/{place}")
        if "type" in one:
            one_of(one["type"], {"adult"}, "type", f"/passengers/{place}/type")
        elif type(one["age"]) is not int or not 0 <= one["age"] <= 130:
            raise Refused("validation_inclusion", field="age", pointer=f"/passengers/{place}/age")
    ages = [one.get("age", 99) for one in given]
    if sum(age < 2 for age in ages) > sum(age >= 18 for age in ages):
        raise Refused("validation_inclusion", field="passengers", pointer="/passengers")


def leg(one: Data, *, cabin: bool = False) -> None:
    windows = set() if cabin else {"departure_time", "arrival_time"}
    only(one, {"origin", "destination", "departure_date"} | ({"cabin_class"} if cabin else set()), windows)
    for name in windows & set(one):
        window(one[name], f"/slices/{name}")
    for field in ("origin", "destination"):
        if not re.fullmatch(r"[A-Z]{3}", one[field]):
            raise Refused("validation_format", field=field, pointer=f"/slices/{field}")
    day(one["departure_date"], "departure_date")
    if cabin:
        one_of(one["cabin_class"], CABINS, "cabin_class")


def private_fares(airline: str, fares: list[Data]) -> None:
    """One for each airline. Nobody checks the codes."""
    if not re.fullmatch(r"[A-Z0-9]{2}", airline):
        raise Refused("validation_format", field="private_fares", pointer="/private_fares")
    if len(fares) != 1:
        raise Refused("validation_length", field=airline, pointer=f"/private_fares/{airline}")
    only(fares[0], set(), {"corporate_code", "tour_code", "tracking_reference"})


def window(given: Data, pointer: str) -> None:
    """Both ends: one alone is in no example."""
    only(given, {"from", "to"})
    for end in ("from", "to"):
        if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", given[end]):
            raise Refused("validation_format", field=end, pointer=f"{pointer}/{end}")


# --- Orders ---------------------------------------------------------------------------------------------------------
def passengers(given: list[Data], expected: list[Data], last_departure: date) -> None:
    """The offer's own ids, each once, of the types that were searched for, with all that an airline wants to know; an adult for
    every infant.
    """
    if sorted(one.get("id", "") for one in given) != sorted(one["id"] for one in expected):
        raise Refused("order_passengers_incompatible_with_offer", field="passengers", pointer="/passengers")
    for position, one in enumerate(given):
        passenger(one, f"/passengers/{position}")
    searched = {one["id"]: one for one in expected}
    for position, one in enumerate(given):
        age = years(day(one["born_on"], "born_on"), last_departure)
        if fare_type(age) != searched[one["id"]]["type"]:
            at = f"/passengers/{position}/born_on"
            raise Refused("order_passengers_incompatible_with_offer", field="born_on", pointer=at)
    infants = {one["id"] for one in expected if one["type"] == "infant_without_seat"}
    carried = [one["infant_passenger_id"] for one in given if "infant_passenger_id" in one]
    if sorted(carried) != sorted(infants) or infants & {
        one["id"] for one in given if "infant_passenger_id" in one
    }:
        raise Refused("validation_required", field="infant_passenger_id", pointer="/passengers")
    names = Counter((one["given_name"].casefold(), one["family_name"].casefold()) for one in given)
    if max(names.values()) > 1:
        raise Refused("duplicate_passenger_name")


def fare_type(age: int) -> str:
    return "adult" if age >= 12 else "child" if age >= 2 else "infant_without_seat"


def years(born: date, on: date) -> int:
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))


def passenger(one: Data, at: str) -> None:
    for name in sorted(PASSENGER - set(one)):
        raise Refused("validation_required", field=name, pointer=f"{at}/{name}")
    only(one, PASSENGER, {"infant_passenger_id", "identity_documents", "loyalty_programme_accounts"})
    one_of(one["title"], {"mr", "ms", "mrs", "miss", "dr"}, "title", f"{at}/title")
    one_of(one["gender"], {"m", "f"}, "gender", f"{at}/gender")
    for field in ("given_name", "family_name"):
        if len(one[field]) > 20:
            raise Refused("validation_length", field=field, pointer=f"{at}/{field}")
        if not NAME.fullmatch(one[field]) or LIGATURES.search(one[field]):
            raise Refused("validation_format", field=field, pointer=f"{at}/{field}")
    for field, form in (("phone_number", E164), ("email", MAIL)):
        if not form.fullmatch(one[field]):
            raise Refused("validation_format", field=field, pointer=f"{at}/{field}")
    if day(one["born_on"], "born_on", f"{at}/born_on") > date.today():
        raise Refused("validation_inclusion", field="born_on", pointer=f"{at}/born_on")


def metadata(given: Any) -> None:
    """At most 50 pairs of texts."""
    fits = isinstance(given, dict) and len(given) <= 50
    if not fits or any(
        len(name) > 40 or not isinstance(value, str) or len(value) > 500 for name, value in given.items()
    ):
        raise Refused("validation_format", field="metadata", pointer="/metadata")


def payment(given: Data, amount: str, currency: str) -> None:
    """From our balance, the very sum."""
    only(given, {"type", "amount", "currency"})
    one_of(given["type"], {"balance"}, "type", "/payments/0/type")
    if given["currency"] != currency:
        raise Refused("payment_currency_does_not_match_order_currency")
    if given["amount"] != amount:
        raise Refused("payment_amount_does_not_match_order_amount")
