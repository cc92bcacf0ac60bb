"""A share of the cases is made to mean something: real ids, days to come, airports that exist, in place of what was made up."""

import uuid
import zlib
from typing import Any

from schemathesis import Case, GenerationMode
from schemathesis.core.parameters import ParameterLocation

from apps.gateway.sandbox import TRIGGERS
from tests.fuzz.goods import FLIGHT, GUESTS, NAMES, STAY, TRANSFER, TRIP, Goods, ahead
from tests.support.flight_shop import CONTACT, PASSENGER

BACK = {"origin": "BER", "destination": "LIS"}
KINDS = {"/v1/hotels/rates": "rates", "/v1/flights/offers": "offers"}
TRIGGER = "X-Partner-Customer-Ref"
TRIGGER_NAMES = sorted(TRIGGERS)


def make_real(case: Case, goods: Goods) -> None:
    """Changes what is valid by the document, and leaves what was made to be refused."""
    number = zlib.crc32(repr((case.path, case.path_parameters, case.body, case.headers)).encode())
    if is_positive(case, ParameterLocation.HEADER):
        use_headers(case, number)
    if case.path_parameters and is_positive(case, ParameterLocation.PATH) and is_chosen(case, number):
        place = case.path.partition("/{")[0]
        for name in case.path_parameters:
            case.path_parameters[name] = goods.one(KINDS.get(place, place), number)
    if "tripReference" in (case.query or {}) and is_positive(case, ParameterLocation.QUERY) and number % 4:
        case.query["tripReference"] = TRIP
    if isinstance(case.body, dict) and is_positive(case, ParameterLocation.BODY) and number % 5:
        real = known(case.operation.definition.raw["operationId"], case, goods, number)
        case.body = {**case.body, **real}


def is_chosen(case: Case, number: int) -> bool:
    """Three in four; of the deletions few, because what is gone is gone for all the others."""
    return bool(number % 4) if case.method != "DELETE" else number % 16 == 0


def is_positive(case: Case, location: ParameterLocation) -> bool:
    component = case.meta.components.get(location) if case.meta else None
    return component is None or component.mode == GenerationMode.POSITIVE


def use_headers(case: Case, number: int) -> None:
    """A key of the case's own, but for some: a key that comes again is a replay or a refusal. A trigger now and then."""
    if "Idempotency-Key" in case.headers and number % 8:
        case.headers["Idempotency-Key"] = f"fuzz-{uuid.uuid4()}"
    if TRIGGER in case.headers and number % 3 == 0:
        case.headers[TRIGGER] = TRIGGER_NAMES[number // 3 % len(TRIGGER_NAMES)]


def known(operation_id: str, case: Case, goods: Goods, number: int) -> dict[str, Any]:  # noqa: C901 - one case an operation
    """The properties of this operation's body that only mean something when they are real."""
    body: dict[str, Any] = case.body  # type: ignore[assignment]
    match operation_id:
        case "searchHotels":
            return STAY
        case "searchHotelMinRates":
            body.pop("destination" if number % 2 else "hotelIds", None)
            where = {"hotelIds": ["htl_2267057_00"]} if number % 2 else {"destination": {"city": "Lisbon"}}
            return {"from": ahead(30), "to": ahead(30 + number % 31), **where}
        case "searchFlights" if number % 2 and "slices" in body:
            for name in (*FLIGHT, "returnDate"):
                body.pop(name, None)
            return {"slices": [FLIGHT, {**BACK, "departureDate": ahead(70)}]}
        case "searchFlights":
            body.pop("slices", None)
            return {**FLIGHT, **({"returnDate": ahead(70)} if "returnDate" in body else {})}
        case "searchTransfers":
            return TRANSFER
        case "createHotelBooking":
            guests = [{**GUESTS[0], **named(guest)} for guest in body["guests"][:1]]
            return {"rateId": goods.one("rates", number), "guests": guests, **limit_of(body)}
        case "createFlightOrder":
            passengers = [{**PASSENGER, **named(passenger)} for passenger in body["passengers"][:1]]
            return {"offerId": goods.one("offers", number), "passengers": passengers, **limit_of(body)}
        case "createTransferOrder":
            lead = {**NAMES, **CONTACT, **named(body["leadPassenger"])}
            return {"quoteId": goods.one("quotes", number), "leadPassenger": lead, **limit_of(body)}
        case "createEsimOrder":
            return {"planId": goods.one("/v1/esim/plans", number), **limit_of(body)}
        case "createEsimTopUp":
            case.path_parameters["id"] = goods.top_up["id"]
            return {"planId": goods.top_up["planId"], **limit_of(body)}
        case "listFlightChangeOptions":
            case.path_parameters["id"] = goods.change["id"]
            return {"removeSliceId": goods.change["removeSliceId"], "add": goods.change["add"]}
        case "changeFlightOrder":
            case.path_parameters["id"] = goods.change["id"]
            return {"changeId": goods.one("changes", -1 if number % 3 else number)}
        case "createWebhookEndpoint":
            return {"url": goods.receiver}
        case "updateWebhookEndpoint":
            return {"url": goods.receiver} if "url" in body else {}
    return {}


def named(person: dict[str, Any]) -> dict[str, Any]:
    return {name: person[name] for name in NAMES if name in person}


def limit_of(body: dict[str, Any]) -> dict[str, Any]:
    """A limit that the price is below, where there is one."""
    return {"maxTotalCents": 10**9} if "maxTotalCents" in body else {}
