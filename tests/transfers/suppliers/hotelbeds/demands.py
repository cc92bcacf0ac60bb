"""What Hotelbeds demands of a search, a list and a cancellation: the parts of their paths and queries."""

import re
from datetime import date, datetime, timedelta
from typing import Any

from tests.transfers.suppliers.hotelbeds.refusals import refuse_if

TYPES = ("IATA", "ATLAS", "GPS", "PORT", "STATION")
TERMINALS = ("IATA", "PORT", "STATION")
LANGUAGES = ("en", "es", "de", "fr")
GPS = re.compile(r"-?\d{1,2}\.\d{3,},-?\d{1,3}\.\d{3,}")
OUTBOUND = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
LONGEST_LIST = timedelta(days=31)
REFERENCE = re.compile(r"\d+-\d+")


def demand_search(asked: dict[str, str], query: dict[str, str], now: float) -> None:
    """Raises Refusal with the code of what is wrong."""
    refuse_if(query or asked["lang"] not in LANGUAGES, "E_REQUEST_INVALID")
    for end in ("from", "to"):
        _demand_end(asked[f"{end}_type"], asked[f"{end}_code"])
    same_type = asked["from_type"] == asked["to_type"]
    refuse_if(same_type and asked["from_code"] == asked["to_code"], "E_REQUEST_SAMEFROMTO")
    refuse_if(same_type and asked["from_type"] in TERMINALS, "E_REQUEST_INVALID")
    for name in ("outbound", "inbound"):
        refuse_if(name in asked and not OUTBOUND.fullmatch(asked[name]), "E_REQUEST_INVALIDDATEFORMAT")
    refuse_if(asked.get("inbound", "9") <= asked["outbound"], "E_REQUEST_INVALID")
    refuse_if(_is_past(asked["outbound"], now), "E_REQUEST_PASTDATE")
    numbers = [asked[name] for name in ("adults", "children", "infants")]
    refuse_if(not all(number.isdecimal() for number in numbers), "E_REQUEST_INVALID")
    refuse_if(int(asked["adults"]) < 1, "E_REQUEST_ATLEASTONEADULT")


def _demand_end(kind: str, code: str) -> None:
    """Their words are in capitals: `iata` is none of them."""
    refuse_if(kind not in TYPES, "E_REQUEST_INVALID")
    refuse_if(kind == "IATA" and not re.fullmatch("[A-Z]{3}", code), "E_REQUEST_INVALIDTERMINALCODE")
    refuse_if(kind == "ATLAS" and not code.isdecimal(), "E_REQUEST_ATLASCODE")
    refuse_if(kind == "GPS" and not GPS.fullmatch(code), "E_REQUEST_GPSCOORDINATES")


def _is_past(outbound: str, now: float) -> bool:
    try:
        return datetime.fromisoformat(outbound).timestamp() < now - 86_400
    except ValueError:
        return True


def demand_list(query: dict[str, str], lang: str, date_types: tuple[str, ...]) -> dict[str, Any]:
    """The days, the kind of date and the piece that is wanted. Raises Refusal."""
    known = {"fromDate", "toDate", "dateType", "offset", "limit"}
    refuse_if(lang not in LANGUAGES or query.keys() - known, "E_REQUEST_INVALID")
    refuse_if(known - {"offset"} - query.keys(), "E_REQUEST_INVALID")
    refuse_if(query["dateType"] not in date_types, "E_REQUEST_INVALID", "dateType")
    try:
        first, last = date.fromisoformat(query["fromDate"]), date.fromisoformat(query["toDate"])
        limit, offset = int(query["limit"]), int(query["offset"]) if "offset" in query else None
    except ValueError:
        refuse_if(True, "E_REQUEST_INVALIDDATEFORMAT")
        raise
    refuse_if(not timedelta(0) <= last - first <= LONGEST_LIST, "E_REQUEST_INVALID")
    return {"first": first, "last": last, "limit": limit, "offset": offset}


def demand_reference(reference: str, lang: str, query: dict[str, str], *known: str) -> None:
    """Raises Refusal for a path or a query that no booking has."""
    refuse_if(lang not in LANGUAGES or query.keys() - set(known), "E_REQUEST_INVALID")
    refuse_if(query.get("simulation", "true") not in ("true", "false"), "E_REQUEST_INVALID")
    refuse_if(not REFERENCE.fullmatch(reference), "E_BOOKING_NOTFOUND")
