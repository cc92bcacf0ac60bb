"""The allow-list: which properties of a body the request log may keep, and the form their values must have for it.

A value is an id, a code, a date, a word of a closed set, or a number that is no telephone's. What is not named here, a
traveller's property above all, is not kept; a new property of the API is not kept either until somebody says so below.
"""

import re
from collections.abc import Callable, Mapping

from apps.gateway import errors
from apps.gateway.envelope import doc_url
from apps.gateway.request_log.sentences import is_ours
from apps.keys.scopes import GRANTABLE

Judge = Callable[[object], bool]

OWN_ID = r"[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26,36}"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
BOOKING_REFERENCE = r"[HFTE]-[2-9A-HJ-NP-TV-Z]{8}"
DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIME = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"


def text(pattern: str) -> Judge:
    """A text of exactly this form."""
    matches = re.compile(pattern).fullmatch
    return lambda value: isinstance(value, str) and matches(value) is not None


def number(below: float) -> Judge:
    """A number too small to be a telephone's, a document's or a day of birth written as one."""
    return lambda value: isinstance(value, int | float) and -below < value < below


def names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def word(listed: str) -> Judge:
    """A word of a closed set."""
    known = names(listed)
    return lambda value: isinstance(value, str) and value in known


def alike(judge: Judge, listed: str) -> dict[str, Judge]:
    """Several properties of one form."""
    return dict.fromkeys(names(listed), judge)


CABINS = word("economy premium_economy business first")
PLAN_TYPES = word("data voice_sms unlimited")
SCOPES = word(" ".join(GRANTABLE))
EVENTS = word(
    "booking.confirmed booking.modified booking.cancelled booking.failed esim.provisioned esim.usage_threshold "
    "payment.succeeded payment.failed payment.refunded settlement.invoice_issued settlement.payment_failed "
    "ledger.low_balance search_quota.threshold apikey.revoked webhook.test"
)

KEPT: Mapping[str, Judge] = {
    **alike(
        text(f"{OWN_ID}|{UUID}"),
        "id offerId rateId quoteId orderId bookingId purchaseId changeId sliceId removeSliceId endpointId eventId "
        "keyId requestId",
    ),
    **alike(text(rf"{OWN_ID}|htl_[0-9]{{1,10}}_[0-9]{{1,4}}"), "hotelId hotelIds"),
    **alike(text(BOOKING_REFERENCE), "reference bookingReference"),
    **alike(text(r"[A-Z]{3}"), "origin destination currency code"),
    **alike(text(r"[A-Z]{2}"), "country countryCode countries"),
    **alike(text(rf"{DAY}(?:T{TIME})?"), "departureDate returnDate checkIn checkOut date from to"),
    **alike(
        text(rf"{DAY}T{TIME}"),
        "departureAt arrivalAt outbound createdAt updatedAt cancelledAt expiresAt validUntil resetsAt settledAt "
        "resolvedAt completedAt nextAttemptAt approvedUntil disabledAt lastUsedAt lastUpdatedAt safeAfter "
        "previousSecretExpiresAt",
    ),
    "status": word(
        "pending confirmed ticketed provisioned cancelled failed enabled disabled active read-only suspended none "
        "requested approved lapsed PENDING RETRYING DELIVERED FAILED EXHAUSTED"
    ),
    "type": word(
        "adult child infant IATA GEO HOTEL PORT STATION data voice_sms unlimited hold capture release refund top_up "
        "adjustment"
    ),
    "bookingType": word("hotel flight transfer esim"),
    "settlementMode": word("partner_merchant traveller_paid"),
    "vehicleClass": word("economy comfort business minivan minibus shuttle"),
    "planType": PLAN_TYPES,
    **alike(word("test live"), "environment gatewayEnvironment keyEnvironment"),
    **alike(CABINS, "cabin class"),
    **alike(EVENTS, "eventType events"),
    **alike(SCOPES, "scopes missingScope"),
    **alike(
        number(10**12 + 1),
        "totalCents priceCents penaltyCents refundCents amountCents differenceCents newTotalCents previousTotalCents "
        "currentTotalCents availableCents requiredCents heldCents availableAfterCents heldAfterCents heldDeltaCents "
        "suggestedRetailCents maxTotalCents maxPenaltyCents",
    ),
    **alike(
        number(100_000),
        "adults children infants limit page pageSize total remaining windowSeconds durationMinutes validityDays dataMb "
        "dataTotalMb dataUsedMb dataRemainingMb voiceMinutes smsCount stars maxConnections maxBags maxPassengers "
        "radiusKm retryAfter attemptCount consecutiveFailures durationMs statusCode number",
    ),
}

# Objects and lists that are looked into; what is in them is judged by the same list.
OPENED = names(
    "passengers guests contact leadPassenger slices segments add from to origin destination rooms room rate hotel "
    "hotelIds plan order vehicle location countries cancellation cancellationPolicy conditions limits searchQuota "
    "SEARCH BOOKING READ key balance liveApproval settlement supplier events scopes error details"
)

# Shown by name, hidden in value. What is in none of the lists loses its name as well: a caller may have typed anything.
NAMED = names(
    "firstName lastName name title gender dateOfBirth email phone nationality guestNationality age childrenAges "
    "notes specialRequests address street town city zip latitude longitude externalReference reason url "
    "description planId flightNumber secret prefix iccid pnr ticketNumbers confirmationCode message field docUrl "
    "lpa smdpAddress matchingId qrSvgUrl activation emergencyPhone instructions disabledReason payload attempts "
    "requestHeaders responseBody data nextCursor cursor hasMore offers hotels rates options changes allowedIps "
    "product roomName planName region coverage networks amenities board carrier pickup payAtHotel priceBasis "
    "priceChanged refundable changeable refundableOnly immediate settled refunded counted settlementModes "
    "billableSearches begins at time timings X-Partner-Customer-Ref"
)

KNOWN_NAMES = frozenset(KEPT) | OPENED | NAMED

# The words of our own refusals. Where one quotes what was sent, it does so in quotes, and is not kept.
SENTENCE = text(r"(?:must|may|is|has|was|needs|This field|Ensure this|[0-9]+ )[A-Za-z0-9 ,.()_:/-]{0,200}")
ERROR_TYPES = names(" ".join(error.type for error in errors.GatewayError.__subclasses__()))


def is_own_message(value: object) -> bool:
    return isinstance(value, str) and (is_ours(value) or SENTENCE(value))


def is_own_page(value: object) -> bool:
    """Whether it is exactly the address of an error's page."""
    if not isinstance(value, str):
        return False
    error_type = value.rpartition("/")[2]
    return error_type in ERROR_TYPES and value == doc_url(error_type)


def is_known_path(value: object) -> bool:
    """Whether `slices.0.origin` has only names of ours in it."""
    return isinstance(value, str) and all(
        step in KNOWN_NAMES or (step.isdigit() and len(step) < 4) for step in value.split(".")
    )


KEPT_OF_REFUSALS: Mapping[str, Judge] = {
    **KEPT,
    "type": word(" ".join(ERROR_TYPES)),
    "message": is_own_message,
    "field": is_known_path,
    "docUrl": is_own_page,
}
