"""What the service may refuse although the document allows it: a schema says how a value looks, not what it means."""

import re
from typing import Any

from apps.common.errors import OfferExpired
from apps.gateway.sandbox import INSUFFICIENT_FUNDS
from tests.support.operations import operations

ROUTES = {operation.route.id: operation for operation in operations()}
POSTS = tuple(name for name, operation in ROUTES.items() if operation.method == "POST")
LISTED = ("listFlightOfferServices", "getFlightOfferSeatMaps")
PRICED = {"getHotelRate", "repriceFlightOffer", *LISTED}  # an unknown handle of theirs is 410
BY_ID = ("createEsimOrder", *(name for name, op in ROUTES.items() if op.takes_id and name not in PRICED))
LISTS = tuple(name for name, op in ROUTES.items() if op.route.query and name != "findOperation")
ESIM_READS = ("getEsimUsage", "getEsimInstructions", "listEsimTopUpPlans")
DOCUMENTS = tuple(name for name, operation in ROUTES.items() if operation.route.files)
ANSWERED_BY_TRIGGER = tuple(name for name, op in ROUTES.items() if INSUFFICIENT_FUNDS in op.route.triggers)
HANDLES = tuple(name for name, operation in ROUTES.items() if OfferExpired in operation.route.errors)

# Status, why, and where. 400 is looked at more closely: see MEANINGS.
REFUSALS: tuple[tuple[int, str, tuple[str, ...]], ...] = (
    (400, "a value that looks right and means nothing (MEANINGS)", (*POSTS, *LISTS, "updateWebhookEndpoint")),
    (
        400,
        "an unknown sbx_ trigger",
        ("getHotelRate", "repriceFlightOffer", *LISTED, "listFlightOrderServices", *ESIM_READS),
    ),
    (402, "no funds, or the trigger that says so", ANSWERED_BY_TRIGGER),
    (404, "an id that is nobody's", BY_ID),
    (404, "a trip that has no bookings", ("getTripDocument",)),
    (409, "a key or reference used before, a price above the limit, a booking that has ended", POSTS),
    (409, "an order that takes no bags any more", ("listFlightOrderServices",)),
    (409, "a booking that has no such document, or no price that it was sold for", DOCUMENTS),
    (409, "no profile to ask the usage of", ("getEsimUsage", "getEsimInstructions")),
    (409, "an eSIM that takes no top-ups, or none any more", ("listEsimTopUpPlans",)),
    (410, "a handle that is unknown, or whose time is over", HANDLES),
    (410, "an event that is not in the feed", ("listEvents",)),
    (
        502,
        "the trigger that makes the supplier fail",
        (*POSTS, "repriceFlightOffer", *LISTED, "listFlightOrderServices", *ESIM_READS[1:]),
    ),
)

# Of a 400 for what the document allows: the field (`*`: any) and what is said of it.
MEANINGS: tuple[tuple[str, str], ...] = (
    (r"passengers\.childrenAges", r"must have as many ages as there are children"),
    (r"X-Partner-Customer-Ref", r"must be one of sbx_.*"),
    (r".*", r"must be a whole number"),  # 5.0 is an integer to JSON Schema, and none here
    (r"tripReference", r"must have 1 to 64 printable characters"),
    (r"serviceTo", r"must not be before `serviceFrom`"),
    (r".*", r"must have printable characters only"),  # beyond control characters, Unicode decides
    (r".*(firstName|lastName)", r"must have at least one letter"),
    (r"guest", r"must be a place in `guests`, from 0 to \d+"),
    (r"lastName", r"is with firstName the name that the guest has"),
    (r"updatedSince", r"must not be in the future|must be an RFC 3339 date-time.*"),
    (
        r"page|pageSize|limit|cursor",
        r"must not be sent with (page or pageSize|limit or cursor)",
    ),  # eSIM plans
    (r"cursor", r"was not issued for this listing and these filters"),
    (r"(.*\.)?(origin|destination|code)", r"is not the IATA code of an airport that is open to passengers.*"),
    (r"origin|destination|departureDate", r"is required"),  # without slices
    (r"origin|destination|departureDate|returnDate", r"must not be sent together with slices"),
    (r"slices\.\d+\.origin", r"must (be in the country where|not repeat) the slice before it.*"),
    (r"slices\.\d+\.departureDate", r"must not be before the slice before it can have arrived"),
    (r"slices\.\d+\.departBetween\.to", r"must not be before `from`"),
    (r"airlines", r"must have either include or exclude"),
    (r"privateFares\.\d+(\.airline)?", r"must have a corporateCode or a tourCode|must not be named twice"),
    (r"(.*\.)?(airline|include\.\d+|exclude\.\d+)", r"is not an IATA airline code.*"),
    (r"hold", r"must be left out: this offer has to be paid at once"),
    (r"services", r"must be left out of an order on hold"),
    (
        r"passengers\.\d+\.(identityDocuments|loyaltyAccounts).*",
        r"must (be .* for this offer|have .*|not be (before|given twice|in the past).*|be at most .*)|is .*",
    ),
    (r".*(origin|destination|to)", r"must differ from .*"),
    (r"(.*\.)?(country|countryCode|guestNationality)", r"is not an ISO 3166.*"),
    (r"(.*\.)?(departureDate|returnDate|checkIn|checkOut|outbound|inbound)", r"must not be in the past"),
    (
        r"(.*\.)?(departureDate|returnDate|checkIn|checkOut|outbound|inbound)",
        r"must be at most \d+ days ahead",
    ),
    (r"outbound|inbound", r"must be a local date-time without offset.*"),  # 31 February
    (r"outbound|inbound", r"does not exist in .*"),
    (r"inbound", r"must be after `outbound`"),
    (r"inboundFlightNumber", r"must be left out: the quote is of one way"),
    (
        r"extras\.\d+\.(code|quantity)",
        r"is not an extra of this quote|must be (at (most|least) \d+|named once.*)",
    ),
    (r"notes", r"is required because the reason is other"),
    (r"guests\.\d+\.age", r"must be the age of a child that was searched for .*"),
    (r"checkOut", r"must be (after checkIn|at most 30 nights after checkIn)"),
    (r"hotelIds|destination", r"is required, or destination|must not be (empty|sent together with hotelIds)"),
    (
        r"to",
        r"must (not be before|be at most 30 days after) `from`|must not be in the past|must be at most 540 days ahead",
    ),
    (r"from", r"must not be in the past|must be at most 540 days ahead"),
    (r"sort", r"must not be distance (without location|in a city)"),
    (
        r"destination\.placeId",
        r"is not the id of a place.*|must not be sent together with city or countryCode",
    ),
    (r"hotelIds|location", r"must not be sent together with destination\.placeId"),
    (
        r"query",
        r"is required unless `near` is sent|must have (1 to 100 characters|at least one letter or digit)",
    ),
    (r"types", r"must be some of .*"),
    (r"near", r"must be a latitude from .*"),
    (r"name", r"must have at least one letter or digit"),
    (r"checkIn", r"is required, unless checkOut or rooms is given"),
    (r"returnDate", r"must not be before departureDate"),
    (r"passengers(\.infants)?", r"must have at most 9 adults and children|must be at most 1 for each adult"),
    (r"adults", r"must be at most 48 together with children and infants"),
    (r"(from|to)\.(code|latitude|longitude)", r"is required for \w+|must come with the other coordinate"),
    (r"passengers\.\d+\.dateOfBirth", r"must be a day from 1900 to today"),
    (r"guests\.\d+\.age", r"must be left out of adults"),
    (r"passengers", r"must have \d+ \w+, as were searched for, and not \d+"),
    (r"guests", r"must have (an adult for each room|at most \d+ adults? and \d+ child).*"),
    (r"passengers\.\d+\.dateOfBirth", r"must be of a child, .*|makes \d+ years on .*"),
    (r"flightNumber", r"must have at most 8 characters"),
    (r"services\.\d+\.serviceId", r"is not a service of this (offer|order)|must be named once.*"),
    (r"services\.\d+\.quantity", r"must be at most \d+"),
    (r"removeSliceId", r"is not a slice of this order"),
    (r"from", r"must (not be after|be at most 91 days before) `to`"),
    (r"country", r"is not an ISO 3166-1 alpha-2 code"),
    (r"planId", r"is no top-up plan of this eSIM"),
    (r"type", r"must be event types with commas between them.*"),
    (r"url", r"must (be an https URL|use port|have|not have).*"),
)


def allowed_statuses(operation_id: str) -> list[str]:
    """What a well-formed request to an operation may be answered with."""
    return ["2xx", *(str(status) for status, _, where in REFUSALS if operation_id in where)]


def unexplained(error: dict[str, Any]) -> list[dict[str, Any]]:
    """What a 400 says that the document should have said."""
    if "safeAfter" in error:  # a secret rotated twice in a day
        return []
    return [detail for detail in error["details"] if not is_about_meaning(detail)]


def is_about_meaning(detail: dict[str, Any]) -> bool:
    return any(
        re.fullmatch(field, detail["field"]) and re.fullmatch(said, detail["message"])
        for field, said in MEANINGS
    )
