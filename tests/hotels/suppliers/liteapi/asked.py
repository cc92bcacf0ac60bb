"""What LiteAPI takes, call by call, by its documents and by what was seen of it. Whatever else is sent is refused."""

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

Json = dict[str, Any]

PLACES = (
    {"hotelIds"},
    {"countryCode", "cityName"},
    {"latitude", "longitude", "radius"},
    {"iataCode"},
    {"placeId"},
)
SEARCH_NEEDS = {"occupancies", "checkin", "checkout", "currency", "guestNationality"}
SEARCH_MAY = {
    "maxRatesPerHotel",
    "limit",
    "offset",
    "margin",
    "includeHotelData",
    "timeout",
    "refundableRatesOnly",
    "roomMapping",
    "boardType",
    "additionalMarkup",
    "starRating",
    "minRating",
    "hotelName",
}
BOARDS = {"RO", "BB", "HB", "FB", "AI", "BB1", "BB2", "BB3", "BI"}
PREBOOK_NEEDS, PREBOOK_MAY = {"offerId", "usePaymentSdk"}, {"voucherCode", "includeCreditBalance"}
BOOK_NEEDS = {"prebookId", "holder", "guests", "payment"}
BOOK_MAY = {"clientReference", "metadata", "guestPayment"}
HOLDER_NEEDS, HOLDER_MAY = {"firstName", "lastName", "email"}, {"phone"}
AMENDED_NEEDS = {"firstName", "lastName", "email"}
GUEST_NEEDS = {"occupancyNumber", "firstName", "lastName", "email"}
GUEST_MAY = {"phone", "remarks"}
ALTERNATIVES_MAY = {"checkin", "checkout", "refundableRatesOnly", "boardType", "maxPrebooks"}
REBOOK_NEEDS = {"prebookId", "existingBookingId", "holder", "guests", "payment"}
REBOOK_MAY = {"clientReference", "trackingId", "customTags"}
PAYMENTS = {"ACC_CREDIT_CARD", "WALLET", "CREDIT", "TRANSACTION_ID", "CREDIT_CARD"}
BY_REFERENCE = {"clientReference", "guestId", "customTags", "timeout"}
BY_DAYS = {"bookingStartDate", "bookingEndDate", "status"}
OF_HOTEL = {"hotelId", "timeout", "language"}
OF_HOTELS = {"limit", "offset", "language", "timeout", "lastUpdatedAt"}
INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z")
MOST_LISTED = 5_000
STATUSES = {"confirmed", "cancelled"}
LONGEST_SEARCH_SECONDS, LONGEST_SECONDS = 60, 120


class Refusal(Exception):
    """An answer that is none; `code` 0 is an empty body."""

    def __init__(self, status: int, code: int, message: str = "stub") -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def demand(kept: bool, what: str, *, code: int = 4002) -> None:
    """4002 is of what is missing or malformed, 4000 of a value."""
    if not kept:
        raise Refusal(400, code, what)


def members(
    told: Mapping[str, Any], needs: Collection[str], may: Collection[str], *, where: str = "request body"
) -> None:
    missing, unknown = sorted(set(needs) - set(told)), sorted(set(told) - set(needs) - set(may))
    demand(not missing, f"{where} validation: {', '.join(missing)} is required")
    demand(not unknown, f"{where} validation: {', '.join(unknown)} is not allowed")


def search(body: Json) -> None:
    place = set(body) - SEARCH_NEEDS - SEARCH_MAY
    demand(place in PLACES, "request body validation: one kind of place is required")
    members(body, SEARCH_NEEDS, SEARCH_MAY | place)
    demand(is_code(body["guestNationality"], 2), "invalid guestNationality", code=4000)
    demand(is_code(body["currency"], 3), "invalid currency", code=4000)
    demand(is_day(body["checkin"]) and is_day(body["checkout"]), "invalid checkin or checkout", code=4000)
    demand(body["checkin"] < body["checkout"], "checkout must be after checkin", code=4000)
    demand(is_seconds(body.get("timeout", 6), 1, LONGEST_SEARCH_SECONDS), "invalid timeout", code=4000)
    demand(all(0 < stars <= 7 for stars in body.get("starRating", [])), "invalid starRating", code=4000)
    boards = set(body.get("boardType", "RO").split(","))
    demand(boards <= BOARDS, "invalid board type in boardType", code=4000)
    demand(bool(body["occupancies"]), "occupancies are required")
    for room in body["occupancies"]:
        members(room, {"adults"}, {"children"}, where="occupancies")
        demand(is_count(room["adults"]), "invalid occupancies", code=4000)
        ages = room.get("children", [])
        demand(isinstance(ages, list), "models.Occupancy.Children: []int: decode slice: expect [")
        demand(all(type(age) is int and 0 <= age <= 17 for age in ages), "invalid occupancies", code=4000)


def least(body: Json) -> None:
    """Hotels alone, and nothing of what else a search takes."""
    members(body, {*SEARCH_NEEDS, "hotelIds"}, {"timeout"})
    search(body)


def prebook(body: Json) -> None:
    members(body, PREBOOK_NEEDS, PREBOOK_MAY)
    demand(isinstance(body["offerId"], str), "request body validation: offerId")


def booking(body: Json) -> None:
    members(body, BOOK_NEEDS, BOOK_MAY)
    members(body["holder"], HOLDER_NEEDS, HOLDER_MAY)
    demand(bool(body["guests"]), "request body validation: guests is required")
    for guest in body["guests"]:
        members(guest, GUEST_NEEDS, GUEST_MAY)
    members(body["payment"], {"method"}, {"transactionId", "billingInfo"})
    demand(body["payment"]["method"] in PAYMENTS, "request body validation: payment.method")


def amendment(body: Json) -> None:
    """Their own code here is the status."""
    demand(isinstance(body.get("holder"), dict), "Missing holder object in the request body", code=400)
    missing = AMENDED_NEEDS - {name for name in AMENDED_NEEDS if body["holder"].get(name)}
    demand(not missing, f"Missing {', '.join(sorted(missing))} in holder", code=400)
    demand(
        set(body) <= {"holder", "remarks"} and set(body["holder"]) <= AMENDED_NEEDS | {"phone"}, "", code=400
    )


def alternatives(body: Json, known: Json) -> None:
    """Their validator answers with its own text under the code 400."""
    members(body, {"occupancies"}, ALTERNATIVES_MAY)
    for room in body["occupancies"]:
        members(room, {"adults", "children"}, (), where="occupancies")
        demand(is_count(room["adults"]), "occupancies: adults is invalid", code=400)
    demand(type(body.get("maxPrebooks", 3)) is int, "maxPrebooks is invalid", code=400)
    checkin, checkout = body.get("checkin", known["checkin"]), body.get("checkout", known["checkout"])
    demand(
        is_day(checkin) and is_day(checkout) and checkin < checkout, "invalid checkin or checkout", code=400
    )


def rebooking(body: Json) -> None:
    members(body, REBOOK_NEEDS, REBOOK_MAY)
    members(body["holder"], (), HOLDER_NEEDS | HOLDER_MAY)
    for guest in body["guests"]:
        members(guest, GUEST_NEEDS, GUEST_MAY)
    demand(body["payment"] == {"method": "NONE"}, "request body validation: payment.method")


def waiting(query: Mapping[str, str], may: Collection[str] = ()) -> None:
    """A call of which they may be told how long it may take, in seconds."""
    members(query, (), {"timeout", *may}, where="query")
    demand(is_seconds(query.get("timeout", "30"), 1, LONGEST_SECONDS), "invalid timeout")


def by_reference(query: Mapping[str, str]) -> None:
    demand("clientReference" in query or "guestId" in query, "clientReference or guestId is required")
    waiting(query, BY_REFERENCE)


def by_days(query: Mapping[str, str]) -> None:
    members(query, {"bookingStartDate", "bookingEndDate"}, BY_DAYS, where="query")
    demand(is_day(query["bookingStartDate"]) and is_day(query["bookingEndDate"]), "invalid dates")
    demand(query.get("status", "confirmed") in STATUSES, "invalid status")


def of_hotel(query: Mapping[str, str]) -> None:
    demand("hotelId" in query, "hotelId is missing or invalid")
    members(query, {"hotelId"}, OF_HOTEL, where="query")


def of_hotels(query: Mapping[str, str]) -> None:
    """By country. A live refusal lists the other main queries in these words."""
    demand(
        "countryCode" in query,
        "you must search by either country code, latitude and longitude, placeId or hotelIds",
    )
    members(query, {"countryCode"}, OF_HOTELS, where="query")
    demand(is_code(query["countryCode"], 2), "invalid countryCode", code=4000)
    demand(is_seconds(query.get("limit", "200"), 1, MOST_LISTED), "invalid limit", code=4000)
    demand(query.get("offset", "0").isdecimal(), "invalid offset", code=4000)
    demand(
        INSTANT.fullmatch(query.get("lastUpdatedAt", "2026-01-01T00:00:00Z")) is not None,
        "invalid lastUpdatedAt",
    )


def is_code(told: object, length: int) -> bool:
    return isinstance(told, str) and re.fullmatch(f"[A-Z]{{{length}}}", told) is not None


def is_count(told: object) -> bool:
    return type(told) is int and told >= 1


def is_day(told: object) -> bool:
    try:
        return isinstance(told, str) and date.fromisoformat(told).isoformat() == told
    except ValueError:
        return False


def is_seconds(told: object, least: int, most: int) -> bool:
    return str(told).isdecimal() and least <= int(str(told)) <= most
