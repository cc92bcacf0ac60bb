"""What Hotelbeds demands of the body of an order."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.transfers.suppliers.hotelbeds.demands import LANGUAGES
from tests.transfers.suppliers.hotelbeds.refusals import Refusal, refuse_if

Body = dict[str, Any]

E164 = re.compile(r"\+[1-9]\d{6,14}")
RATE_KEY = re.compile(r"(\w+)RATEKEY\|\d{6}")
ADDRESS = {"name", "address", "town", "country", "zip"}
FIELDS = {"language", "holder", "transfers", "clientReference", "remark"}
HOLDER = {"name", "surname", "email", "phone"}
DETAIL = {"type", "direction", "code", "companyName"}
LONGEST_CODES = {"FLIGHT": 7, "TRAIN": 7, "CRUISE": 50}
LONGEST_COMPANY = 100
CODE = re.compile(r"[A-Za-z0-9 -]+")
RIDES = {"IATA": "FLIGHT", "STATION": "TRAIN", "PORT": "CRUISE"}
"""What goes from each kind of terminal."""
ENDS = (("from", "ARRIVAL", "pickupInformation"), ("to", "DEPARTURE", "dropoffInformation"))


def the_rates(body: Body, rates: Mapping[str, Body]) -> list[tuple[Body, Body]]:
    """Each transfer that is wanted and the rate it is sold at. Raises Refusal."""
    refuse_if(not isinstance(body, dict), "E_REQUEST_INVALID")
    refuse_if(not body.get("transfers"), "E_CONFIRMATION_EMPTYTRANSFERS")
    if wrong := list(wrong_fields(body)):
        raise Refusal("E_REQUEST_INVALID", wrong)
    keys = [transfer["rateKey"] for transfer in body["transfers"]]
    refuse_if(len(set(keys)) < len(keys), "E_CONFIRMATION_DUPLICATEDSERVICES")
    return [(wanted, the_rate(body, wanted, rates)) for wanted in body["transfers"]]


def the_rate(body: Body, wanted: Body, rates: Mapping[str, Body]) -> Body:
    told = RATE_KEY.fullmatch(wanted["rateKey"])
    refuse_if(told is None, "E_CONFIRMATION_RATEKEYHASH")
    refuse_if(told is not None and told[1] != "STUB", "E_CONFIRMATION_RATEKEYCREDENTIALS")
    rate = rates.get(wanted["rateKey"])
    if rate is None:
        raise Refusal("E_CONFIRMATION_INVALIDRATEKEY")
    refuse_if(body["language"] != rate["language"], "E_CONFIRMATION_WRONGLANGUAGE")
    if wrong := [*wrong_ends(wanted, rate["pickupInformation"]), *wrong_extras(wanted, rate)]:
        raise Refusal("E_REQUEST_INVALID", wrong)
    return rate


def wrong_extras(wanted: Body, rate: Body) -> Iterator[str]:
    """Their number is a text."""
    offered = {extra["code"] for extra in rate.get("extras", ())}
    codes = [extra.get("code") for extra in wanted.get("extras", ())]
    if len(set(codes)) < len(codes):
        yield "extras"
    for extra in wanted.get("extras", ()):
        if extra.keys() ^ {"units", "code"} or extra["code"] not in offered:
            yield "extras code"
        elif not isinstance(extra["units"], str) or not extra["units"].isdecimal():
            yield "extras units"


def wrong_fields(body: Body) -> Iterator[str]:
    """The fields that are missing, too many or malformed."""
    yield from body.keys() ^ FIELDS
    holder = body.get("holder") or {}
    yield from holder.keys() ^ HOLDER
    yield from (name for name in HOLDER - {"phone"} if not holder.get(name))
    if not E164.fullmatch(str(holder.get("phone"))):
        yield "phone"
    if body.get("language") not in LANGUAGES:
        yield "language"
    if len(body.get("remark") or "") > 2000:
        yield "remark"
    if not 0 < len(body.get("clientReference") or "") <= 20:
        yield "clientReference"
    for transfer in body["transfers"]:
        if not transfer.get("rateKey"):
            yield "rateKey"
        yield from transfer.keys() - {"rateKey", "transferDetails", "extras", *(name for _, _, name in ENDS)}


def wrong_ends(wanted: Body, information: Body) -> Iterator[str]:
    """What the driver lacks: one entry for each end that is a terminal, the address of each that is coordinates."""
    details = wanted.get("transferDetails") or []
    yield from (f"transferDetails {name}" for detail in details for name in detail.keys() ^ DETAIL)
    expected = [
        (RIDES[information[end]["type"]], way) for end, way, _ in ENDS if information[end]["type"] in RIDES
    ]
    if [(detail.get("type"), detail.get("direction")) for detail in details] != expected:
        yield "transferDetails"
    for detail in details:
        code, kind = detail.get("code") or "", detail.get("type")
        if not 0 < len(code) <= LONGEST_CODES.get(kind, 0) or (kind != "CRUISE" and not CODE.fullmatch(code)):
            yield "transferDetails code"
        if len(detail.get("companyName") or "") > LONGEST_COMPANY:
            yield "transferDetails companyName"
    for end, _, address in ENDS:
        parts = wanted.get(address) or {}
        by_coordinates = information[end]["type"] == "GPS"
        if by_coordinates != bool(parts) or (parts and not all(parts.get(name) for name in ADDRESS)):
            yield address
        yield from parts.keys() - ADDRESS
