"""The tools that assistants call. Each is declared once, in TOOLS, over the operations of /v1 that carry it out."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from django.http import HttpRequest

from apps.common import clock
from apps.common.clock import read_rfc3339, rfc3339
from apps.common.errors import Conflict, GatewayError, InvalidRequest, NotFound
from apps.common.money import in_words
from apps.gateway.operations import ANY_SCOPE, operation_named
from apps.keys.partner import Partner
from apps.keys.scopes import is_sold, is_sold_to
from apps.mcp import confirmations, schemas
from apps.mcp.calls import TRANSFER_QUOTE, Outcome, call, partner_of, request_id_of
from apps.mcp.confirmations import Confirmation
from apps.mcp.schemas import Schema

Arguments = dict[str, Any]
Body = dict[str, Any]

COST = "travel-partner/cost"
"""In `_meta` of a result that asks for a confirmation: `{"cents", "currency"}`, for programs between the assistant and us."""
WITHOUT_EXPIRY = timedelta(minutes=20)
"""How long a confirmation is valid at least where the handle never expires."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One `tools/call`: who asks, and what the client's person said to the question of an earlier result."""

    request: HttpRequest
    asks_people: bool = False
    """Whether the client can show a question to its person (elicitation)."""
    state: str = ""
    """`requestState`, as an earlier result gave it."""
    responses: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """`question`: to show to the person before anything happens, with the `state` that the next call sends."""

    text: str
    data: Body
    is_error: bool = False
    question: str = ""
    state: str = ""
    meta: Body = field(default_factory=dict)
    status: int = 200
    """Of the call of /v1."""
    is_lost: bool = False


@dataclass(frozen=True, kw_only=True)
class Tool(ABC):
    name: str
    title: str
    description: str
    read_only: bool = True
    destructive: bool = False
    needs: tuple[str, ...]
    """The operations that carry it out: a key that opens all of them sees the tool."""
    any_of: bool = False
    """One of them is enough."""

    @property
    def scopes(self) -> list[str]:
        """For the guide: those that open it here. Empty where any key does."""
        operations = [operation_named(readable(operation_id)) for operation_id in self.needs]
        return list(
            dict.fromkeys(
                scope
                for operation in operations
                if operation is not None and (not operation.sells or is_sold(operation.sells))
                for scope in operation.scopes
            )
        )

    @property
    def joined_by(self) -> str:
        return "or" if self.any_of or len(self.needs) == 1 else "and"

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """The JSON Schema of the arguments."""

    @abstractmethod
    def carry_out(self, turn: Turn, arguments: Arguments) -> Result:
        """Make the call of /v1 that the tool is for."""

    def declaration(self) -> Body:
        annotations = {"readOnlyHint": self.read_only, "openWorldHint": True}
        if not self.read_only:
            annotations |= {"destructiveHint": self.destructive, "idempotentHint": True}
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.schema,
            "annotations": annotations,
        }

    def is_open_to(self, scopes: set[str], environment: str) -> bool:
        opened = (opens(operation_id, scopes, environment) for operation_id in self.needs)
        return any(opened) if self.any_of else all(opened)

    def answer(self, turn: Turn, arguments: Arguments) -> Result:
        try:
            unknown = [name for name in arguments if name not in self.schema["properties"]]
            if unknown:
                message = "is not an argument of this tool"
                raise InvalidRequest(details=[{"field": name, "message": message} for name in unknown])
            return self.carry_out(turn, arguments)
        except GatewayError as error:
            return refused(Outcome.of(error, request_id_of(turn.request)))


def readable(operation_id: str) -> str:
    """The operation whose scope a read needs that /v1 does not have."""
    return "searchTransfers" if operation_id == TRANSFER_QUOTE else operation_id


def opens(operation_id: str, scopes: set[str], environment: str) -> bool:
    operation = operation_named(readable(operation_id))
    if operation is None or (operation.sells and not is_sold_to(operation.sells, environment)):
        return False
    return operation.scope == ANY_SCOPE or any(scope in scopes for scope in operation.scopes)


# --- Results ------------------------------------------------------------------------------------------------------------

DETAIL = frozenset(
    {
        *("images", "description", "amenities", "location", "priceBasis", "promotions", "perks"),
        *("baseCents", "taxCents", "co2Kg", "privateFares", "loyaltyProgrammes", "distanceKm", "aircraft"),
        *("segmentId", "sliceId", "originTerminal", "destinationTerminal", "operatingFlightNumber", "stops"),
        *("waitingTimes", "coverage", "conditionsOfCarriageUrl"),
    }
)
"""What a list of choices leaves out, so that it costs an assistant fewer words."""


def shortened(value: Any) -> Any:
    if isinstance(value, list):
        return [shortened(each) for each in value]
    if not isinstance(value, dict):
        return value
    without = {"cancellationPolicy"} if value.get("cancellationSteps") else set()
    return {
        name: shortened(each) for name, each in value.items() if name not in DETAIL and name not in without
    }


def refused(outcome: Outcome, advice: str = "") -> Result:
    error = outcome.error
    lines = [f"{error['type']}: {error['message']}"]
    lines += [f"{detail['field']}: {detail['message']}" for detail in error.get("details", ())]
    if error.get("retryAfter"):
        lines.append(f"Wait {error['retryAfter']} s before the next call.")
    text = "\n".join([*lines, advice] if advice else lines)
    return Result(text, {"error": error}, is_error=True, status=outcome.status, is_lost=outcome.lost)


def result_of(outcome: Outcome, summary: Callable[[Body], str], *, short: bool = False) -> Result:
    if outcome.is_refusal:
        return refused(outcome)
    body = shortened(outcome.body) if short else outcome.body
    return Result(summary(outcome.body), body, status=outcome.status, is_lost=outcome.lost)


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def cheapest(offers: list[Body], price: str = "totalCents") -> str:
    if not offers:
        return ""
    least = min(offers, key=lambda offer: offer[price])
    return f" from {in_words(least[price], least['currency'])}"


def hotels_found(body: Body) -> str:
    rates = [rate for hotel in body["hotels"] for rate in hotel["rates"]]
    return (
        f"{counted(len(body['hotels']), 'hotel')} for {body['checkIn']} to {body['checkOut']}, "
        f"{counted(len(rates), 'rate')}{cheapest(rates)}."
    )


def booking_in_words(booking: Body) -> str:
    total = in_words(booking["totalCents"], booking["currency"])
    return f"{booking['reference']} ({booking['id']}): {booking['status']}, {total}."


def outcome_in_words(body: Body) -> str:
    booking = body.get("booking")
    made = f" Booking {booking['reference']} is {booking['status']}." if booking else ""
    return f"State: {body['state']}.{made} Next: {body['next']['action'].replace('_', ' ')}."


def balance_in_words(body: Body) -> str:
    balance = body["balance"]
    available, held = (
        in_words(balance[name], balance["currency"]) for name in ("availableCents", "heldCents")
    )
    return f"{available} available, {held} held, in the {body['environment']} environment."


# --- Tools that read ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Read(Tool):
    """One operation: a search by POST, or a GET whose arguments are the query. `named`: other names for parameters."""

    summary: Callable[[Body], str]
    without: tuple[str, ...] = ()
    limit: int = 0
    """Of a list, unless the arguments say another."""
    short: bool = False
    named: Mapping[str, str] = field(default_factory=dict)

    @property
    def operation_id(self) -> str:
        return self.needs[0]

    @cached_property
    def schema(self) -> Schema:
        operation = operation_named(self.operation_id)
        assert operation is not None
        if operation.body is not None:
            schema = schemas.of_body(self.operation_id, without=self.without)
        else:
            schema = schemas.of_query(self.operation_id, without=self.without)
        if self.limit:
            schema["properties"]["limit"]["default"] = self.limit
        for ours, theirs in self.named.items():
            properties = schema["properties"]
            properties[ours] = properties.pop(theirs)
            schema["required"] = [ours if name == theirs else name for name in schema["required"]]
        return schema

    def carry_out(self, turn: Turn, arguments: Arguments) -> Result:
        operation = operation_named(self.operation_id)
        assert operation is not None
        sent = {self.named.get(name, name): value for name, value in arguments.items()}
        if self.limit:
            sent.setdefault("limit", self.limit)
        if operation.body is not None:
            outcome = call(turn.request, self.operation_id, body=sent)
        else:
            outcome = call(turn.request, self.operation_id, query=in_query(sent))
        return result_of(outcome, self.summary, short=self.short)


def in_query(arguments: Arguments) -> dict[str, str]:
    """Lists as they are sent in a query: with commas. Raises InvalidRequest for an object."""
    found = {}
    for name, value in arguments.items():
        items = value if isinstance(value, list) else [value]
        if any(isinstance(item, dict | list) for item in items):
            raise InvalidRequest.field(name, "must be a single value")
        if value is not None:
            found[name] = ",".join(
                str(item).lower() if isinstance(item, bool) else str(item) for item in items
            )
    return found


@dataclass(frozen=True, kw_only=True)
class ReadOne(Tool):
    """One record by its id, whose prefix names the operation that reads it."""

    any_of: bool = True
    by_prefix: Mapping[str, str]
    identifier: str
    summary: Callable[[Body], str]

    @cached_property
    def schema(self) -> Schema:
        return schemas.of_properties({"id": {"type": "string", "description": self.identifier}}, ["id"])

    def carry_out(self, turn: Turn, arguments: Arguments) -> Result:
        identifier, operation_id = chosen(arguments, self.by_prefix)
        return result_of(call(turn.request, operation_id, identifier=identifier), self.summary)


def chosen(arguments: Arguments, by_prefix: Mapping[str, str]) -> tuple[str, str]:
    """The `id` among the arguments, and the operation for its prefix. Raises InvalidRequest or NotFound."""
    identifier = arguments.get("id")
    if not isinstance(identifier, str):
        raise InvalidRequest.field("id", "is required")
    operation_id = by_prefix.get(identifier.partition("_")[0])
    if operation_id is None:
        prefixes = ", ".join(f"{prefix}_…" for prefix in by_prefix)
        raise NotFound(
            f"There is no such object. An id of this tool begins with one of {prefixes}.", ours=True
        )
    return identifier, operation_id


# --- Price and terms ----------------------------------------------------------------------------------------------------


def price_of(offer: Body) -> tuple[int, str]:
    return (offer["totalCents"] if "totalCents" in offer else offer["priceCents"]), offer["currency"]


def offer_in_words(offer: Body) -> str:
    if "rateId" in offer:
        return (
            f"{offer['hotel']['name']}, {offer['roomName']}, {offer['board']['name']}, "
            f"{offer['checkIn']} to {offer['checkOut']}"
        )
    if "offerId" in offer:
        ways = (
            f"{way['origin']} to {way['destination']}, {way['departureAt'][:16].replace('T', ' ')}"
            for way in offer["slices"]
        )
        return f"{offer['carrier']['name']}: {'; '.join(ways)}"
    if "quoteId" in offer:
        ways = (
            f"{place(leg['from'])} to {place(leg['to'])}, {leg['at'][:16].replace('T', ' ')}"
            for leg in offer["legs"]
        )
        return f"{offer['vehicle']['description']}: {'; '.join(ways)}"
    return str(offer["name"])


def place(found: Body) -> str:
    return str(found["name"] or found["code"] or found["address"] or "a point on the map")


def terms_in_words(offer: Body) -> str:
    if "priceCents" in offer:
        return "An eSIM cannot be cancelled."
    steps = offer.get("cancellationSteps")
    if not steps:
        return "What cancelling costs is in the supplier's words; see cancellationPolicy."
    first, *later = steps
    if first["penaltyCents"] >= price_of(offer)[0]:
        return "Not refundable."
    parts = [f"Cancelling costs {cost(first)} now"]
    parts += [f"{cost(step)} from {step['from'][:16].replace('T', ' ')} UTC" for step in later]
    return f"{', '.join(parts)}."


def cost(step: Body) -> str:
    return in_words(step["penaltyCents"], step["currency"]) if step["penaltyCents"] else "nothing"


def local_charges(offer: Body) -> str:
    """What a hotel's guests pay on the spot."""
    total = offer.get("totalWithLocalChargesCents")  # None where a charge is in another currency
    more = total - offer["totalCents"] if total is not None else 0
    return f" Guests pay {in_words(more, offer['currency'])} more at the hotel." if more > 0 else ""


def priced(offer: Body) -> str:
    price = in_words(*price_of(offer))
    return f"{offer_in_words(offer)}. Price: {price}.{local_charges(offer)} {terms_in_words(offer)}"


# --- Tools that move money ------------------------------------------------------------------------------------------------

CONFIRM = "confirm"
CONFIRMATION = {
    "type": "string",
    "description": (
        "From this tool's first answer, once the person has agreed to its price and terms. All other arguments must be those of "
        "the first call. It can be sent again: the same confirmation never acts twice."
    ),
}
AGAIN = (
    "It is not known yet whether this happened. Call this tool again with the same arguments and confirmationId: "
    "nothing is done twice."
)
NOT_FINAL = frozenset({"idempotency_key_in_progress", "upstream_unavailable", "internal_error"})


@dataclass(frozen=True, kw_only=True)
class Confirmed(Tool):
    """Does nothing without a confirmation: the first call returns price, terms and a `confirmationId`, or asks the person."""

    read_only: bool = False

    @abstractmethod
    def quote(self, turn: Turn, arguments: Arguments) -> Result:
        """Price and terms, with the confirmation to agree to."""

    @abstractmethod
    def act(self, turn: Turn, arguments: Arguments, confirmation: Confirmation, token: str) -> Outcome:
        """Make the confirmed call, with `token` as its Idempotency-Key."""

    @abstractmethod
    def done_in_words(self, body: Body) -> str:
        """What was done, for the person."""

    def carry_out(self, turn: Turn, arguments: Arguments) -> Result:
        token = arguments.get(confirmations.FIELD) or turn.state
        asked = {name: value for name, value in arguments.items() if name != confirmations.FIELD}
        partner = partner_of(turn.request) if token else None
        if partner is None:
            return self.quote(turn, asked)
        confirmation = confirmations.read(token, partner, self.name, asked)
        if token == turn.state:
            response = turn.responses.get(CONFIRM)
            if response is None:
                return self.quote(turn, asked)
            if not is_consent(response):
                return Result("The person did not agree. Nothing was done.", {"status": "declined"})
        outcome = self.act(turn, asked, confirmation, token)
        if outcome.is_refusal:
            return refused(outcome, AGAIN if outcome.error["type"] in NOT_FINAL else "")
        return Result(
            self.done_in_words(outcome.body), outcome.body, status=outcome.status, is_lost=outcome.lost
        )

    def ask(self, turn: Turn, token: str, question: str, cents: int, currency: str, data: Body) -> Result:
        meta = {COST: {"cents": cents, "currency": currency}}
        if turn.asks_people:
            return Result(question, {}, question=question, state=token, meta=meta)
        text = (
            f"{question} This is not done yet: show it to the person and, if they agree, call {self.name} again with the same "
            f"arguments and this confirmationId."
        )
        shown = {"status": "confirmation_required", confirmations.FIELD: token, **data}
        return Result(text, shown, meta=meta)


def is_consent(response: Any) -> bool:
    if not isinstance(response, dict) or response.get("action") != "accept":
        return False
    content = response.get("content")
    return isinstance(content, dict) and content.get(CONFIRM) is True


@dataclass(frozen=True, kw_only=True)
class Book(Confirmed):
    """`needs` are the read of the price and the booking."""

    handle: str
    """The argument that names what is booked."""
    without: tuple[str, ...] = ()

    @cached_property
    def schema(self) -> Schema:
        left_out = ("maxTotalCents", "soldForCents", *self.without)
        schema = schemas.of_body(self.needs[1], without=left_out)
        schema["properties"][confirmations.FIELD] = CONFIRMATION
        return schema

    def quote(self, turn: Turn, arguments: Arguments) -> Result:
        identifier = arguments.get(self.handle)
        if not isinstance(identifier, str):
            raise InvalidRequest.field(self.handle, "is required")
        missing = [name for name in self.schema.get("required", ()) if name not in arguments]
        if missing:
            raise InvalidRequest(details=[{"field": name, "message": "is required"} for name in missing])
        outcome = call(turn.request, self.needs[0], identifier=identifier)
        partner = partner_of(turn.request)
        if outcome.is_refusal or partner is None:
            return refused(outcome)
        offer = outcome.body
        cents, currency = price_of(offer)
        now = clock.now(partner)
        expires_at = read_rfc3339(offer["expiresAt"]) if "expiresAt" in offer else end_of_window(now)
        issued = confirmations.issue(partner, self.name, arguments, expires_at, cents, currency)
        question = f"{self.title}: {priced(offer)}"
        if issued.is_used:
            question = (
                f"This was booked already with these arguments. Confirming returns that booking again and books nothing; to book "
                f"it a second time, change externalReference. {priced(offer)}"
            )
        data = {
            "expiresAt": rfc3339(expires_at),
            "totalCents": cents,
            "currency": currency,
            "offer": shortened(offer),
        }
        return self.ask(turn, issued.token, question, cents, currency, data)

    def act(self, turn: Turn, arguments: Arguments, confirmation: Confirmation, token: str) -> Outcome:
        body = {**arguments, "maxTotalCents": confirmation.cents}
        return call(turn.request, self.needs[1], body=body, key=token)

    def done_in_words(self, body: Body) -> str:
        if body["status"] == "awaiting_approval":
            until = f" until {body['approvalExpiresAt']}" if body.get("approvalExpiresAt") else ""
            return (
                f"Not booked yet: the account's approver must agree in the portal{until}. {booking_in_words(body)} "
                "Read it later with get_booking."
            )
        return f"Booked. {booking_in_words(body)}"


def end_of_window(now: datetime) -> datetime:
    """20 to 40 minutes ahead. The same for 20 minutes, so that asking again gives the same confirmation."""
    seconds = WITHOUT_EXPIRY.total_seconds()
    windows = math.ceil((now + WITHOUT_EXPIRY).timestamp() / seconds)
    return datetime.fromtimestamp(windows * seconds, UTC)


@dataclass(frozen=True, kw_only=True)
class Cancel(Confirmed):
    """`quotes` and `cancels`: the operations by the booking's prefix."""

    destructive: bool = True
    any_of: bool = True
    quotes: Mapping[str, str]
    cancels: Mapping[str, str]

    @cached_property
    def schema(self) -> Schema:
        properties = {
            "id": {"type": "string", "description": "The booking: `hbk_…`, `ford_…` or `tord_…`."},
            "reason": {"type": "string", "description": "Why, for the account's own records."},
            confirmations.FIELD: CONFIRMATION,
        }
        return schemas.of_properties(properties, ["id"])

    def quote(self, turn: Turn, arguments: Arguments) -> Result:
        if str(arguments.get("id")).startswith("eord_"):
            raise Conflict("An eSIM cannot be cancelled. The API takes requests for a refund.", ours=True)
        identifier, operation_id = chosen(arguments, self.quotes)
        outcome = call(turn.request, operation_id, identifier=identifier, body={})
        partner = partner_of(turn.request)
        if partner is not None and outcome.is_refusal and outcome.error["type"] == "conflict":
            read = call(turn.request, READS_BY_PREFIX[identifier.partition("_")[0]], identifier=identifier)
            if read.body.get("status") == "awaiting_approval":
                return self.ask_to_withdraw(turn, partner, arguments, read.body)
        if outcome.is_refusal or partner is None:
            return refused(outcome)
        quote = outcome.body
        to_credit = quote["refundTo"] == "airline_credit"
        expires_at = read_rfc3339(quote["expiresAt"])
        cents, currency = quote["penaltyCents"], quote["currency"]
        made = Confirmation(expires_at, cents, currency, quote["cancellationQuoteId"], to_credit)
        refund = "Nothing is refunded."
        if quote["refundCents"]:
            refund = f"{in_words(quote['refundCents'], currency)} will be refunded to the balance."
        if to_credit:
            refund = (
                "The refund is credit with the airline, for the travellers; nothing returns to the balance."
            )
        penalty = in_words(cents, currency) if cents else "nothing"
        question = f"Cancel {identifier}: it costs {penalty}. {refund}"
        token = made.sealed(partner, self.name, arguments)
        return self.ask(turn, token, question, cents, currency, quote)

    def ask_to_withdraw(self, turn: Turn, partner: Partner, arguments: Arguments, booking: Body) -> Result:
        """What waits for approval has no quote, because its supplier knows nothing of it. Cancelling it is free."""
        currency = booking["currency"]
        made = Confirmation(end_of_window(clock.now(partner)), 0, currency)
        question = f"Withdraw {booking['id']}, which awaits approval: it costs nothing, and the funds held for it are released."
        data = {"penaltyCents": 0, "currency": currency}
        return self.ask(turn, made.sealed(partner, self.name, arguments), question, 0, currency, data)

    def act(self, turn: Turn, arguments: Arguments, confirmation: Confirmation, token: str) -> Outcome:
        identifier, operation_id = chosen(arguments, self.cancels)
        body: Body = {"maxPenaltyCents": confirmation.cents}
        if confirmation.quote_id:
            body["cancellationQuoteId"] = confirmation.quote_id
        if "reason" in arguments:
            body["reason"] = arguments["reason"]
        if confirmation.to_credit:
            body["acceptAirlineCredit"] = True
        return call(turn.request, operation_id, identifier=identifier, body=body, key=token)

    def done_in_words(self, body: Body) -> str:
        done = "Withdrawn" if body["status"] == "failed" else "Cancelled"
        return f"{done}. {booking_in_words(body)}"


# --- The tools ------------------------------------------------------------------------------------------------------------

READS_BY_PREFIX = {
    "hbk": "getHotelBooking",
    "ford": "getFlightOrder",
    "tord": "getTransferOrder",
    "eord": "getEsimOrder",
}
PRICES_BY_PREFIX = {
    "rate": "getHotelRate",
    "offer": "repriceFlightOffer",
    "quote": TRANSFER_QUOTE,
    "plan": "getEsimPlan",
}
QUOTES_BY_PREFIX = {
    "hbk": "quoteHotelCancellation",
    "ford": "quoteFlightCancellation",
    "tord": "quoteTransferCancellation",
}
CANCELS_BY_PREFIX = {
    "hbk": "cancelHotelBooking",
    "ford": "cancelFlightOrder",
    "tord": "cancelTransferOrder",
}

TWO_STEPS = (
    " The first call books nothing: it returns the price, the cancellation terms and a confirmationId. Show them to the person "
    "and call again with the confirmationId only after they agree."
)

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Read(
            name="find_place",
            title="Find a place",
            description=(
                "Find cities, airports, hotels and landmarks by name, also misspelled or in another language. Hotel searches "
                "take the placeId, flight and transfer searches the code."
            ),
            needs=("searchPlaces",),
            limit=5,
            summary=lambda body: f"{counted(len(body['data']), 'place')} found.",
        ),
        Read(
            name="search_hotels",
            title="Search hotels",
            description=(
                "Search hotels with prices for given dates and guests. Each rate has a rateId, valid for 20 minutes; book it "
                "with book_hotel. Prices are in minor units (cents) of the account's currency."
            ),
            needs=("searchHotels",),
            limit=5,
            without=("guestNationality",),
            short=True,
            summary=hotels_found,
        ),
        Read(
            name="search_flights",
            title="Search flights",
            description=(
                "Search flights one way, round trip or over several cities. Each offer has an offerId, valid for about 20 "
                "minutes; book it with book_flight. Prices cover all passengers, in minor units (cents)."
            ),
            needs=("searchFlights",),
            limit=5,
            without=("privateFares",),
            short=True,
            summary=lambda body: f"{counted(len(body['offers']), 'offer')}{cheapest(body['offers'])}.",
        ),
        Read(
            name="search_transfers",
            title="Search transfers",
            description=(
                "Search private and shared rides between airports, stations, ports, hotels and addresses. Each offer has a "
                "quoteId, valid for about 20 minutes; book it with book_transfer."
            ),
            needs=("searchTransfers",),
            limit=5,
            short=True,
            summary=lambda body: f"{counted(len(body['offers']), 'offer')}{cheapest(body['offers'])}.",
        ),
        Read(
            name="search_esim_plans",
            title="Search eSIM plans",
            description=(
                "List eSIM data plans for a country or region, with data volume, validity and price. Buy one with book_esim."
            ),
            needs=("listEsimPlans",),
            limit=10,
            without=("page", "pageSize"),
            short=True,
            summary=lambda body: (
                f"{counted(len(body['data']), 'plan')}{cheapest(body['data'], 'priceCents')}."
            ),
        ),
        ReadOne(
            name="check_price",
            title="Check a price",
            description=(
                "Read the current price, cancellation terms and full details of something that a search returned. Free; books "
                "nothing."
            ),
            needs=tuple(PRICES_BY_PREFIX.values()),
            by_prefix=PRICES_BY_PREFIX,
            identifier="A rateId, offerId, quoteId or plan id from a search.",
            summary=priced,
        ),
        Book(
            name="book_hotel",
            title="Book a hotel",
            description=f"Book a hotel rate for named guests.{TWO_STEPS}",
            needs=("getHotelRate", "createHotelBooking"),
            handle="rateId",
        ),
        Book(
            name="book_flight",
            title="Book a flight",
            description=(
                "Book a flight offer: tickets are issued at once, for passengers with the names and birth dates of their "
                f"documents.{TWO_STEPS}"
            ),
            needs=("repriceFlightOffer", "createFlightOrder"),
            handle="offerId",
            without=("services", "hold"),
        ),
        Book(
            name="book_transfer",
            title="Book a transfer",
            description=f"Book a ride for the traveller whom the driver meets.{TWO_STEPS}",
            needs=(TRANSFER_QUOTE, "createTransferOrder"),
            handle="quoteId",
            without=("extras",),
        ),
        Book(
            name="book_esim",
            title="Buy an eSIM plan",
            description=f"Buy an eSIM data plan. The answer has what its installation needs.{TWO_STEPS}",
            needs=("getEsimPlan", "createEsimOrder"),
            handle="planId",
        ),
        Read(
            name="list_bookings",
            title="List bookings",
            description="List the account's bookings of all products, newest first, by trip, product, status or service date.",
            needs=("listBookings",),
            limit=10,
            short=True,
            summary=lambda body: (
                f"{counted(len(body['data']), 'booking')}{', and there are more' if body['hasMore'] else ''}."
            ),
        ),
        ReadOne(
            name="get_booking",
            title="Read a booking",
            description="Read one booking: status, price, travellers, cancellation terms.",
            needs=tuple(READS_BY_PREFIX.values()),
            by_prefix=READS_BY_PREFIX,
            identifier="The booking's id: `hbk_…`, `ford_…`, `tord_…` or `eord_…`.",
            summary=booking_in_words,
        ),
        Cancel(
            name="cancel_booking",
            title="Cancel a booking",
            description=(
                "Cancel a hotel, flight or transfer booking. The first call cancels nothing: it returns what cancelling costs, "
                "what is refunded and a confirmationId. Show them to the person and call again with the confirmationId only "
                "after they agree. eSIM plans cannot be cancelled."
            ),
            needs=tuple(CANCELS_BY_PREFIX.values()),
            quotes=QUOTES_BY_PREFIX,
            cancels=CANCELS_BY_PREFIX,
        ),
        Read(
            name="get_outcome",
            title="Find out what became of a call",
            description=(
                "Find out whether a booking or cancellation happened, after its answer was lost. The answer names the one safe "
                "next step."
            ),
            needs=("findOperation",),
            named={confirmations.FIELD: "idempotencyKey"},
            summary=outcome_in_words,
        ),
        Read(
            name="list_events",
            title="List events",
            description=(
                "List what happened to the account's bookings, oldest first: confirmations, schedule changes, cancellations, "
                "refunds. Send the nextAfter of the last answer as after to read on."
            ),
            needs=("listEvents",),
            limit=20,
            summary=lambda body: (
                f"{counted(len(body['data']), 'event')}{', and there are more' if body['hasMore'] else ''}."
            ),
        ),
        Read(
            name="get_balance",
            title="Read the balance",
            description="Read the account's balance, the spend limits of this key and what it may do.",
            needs=("getAccount",),
            summary=balance_in_words,
        ),
    )
}


def open_to(scopes: set[str], environment: str) -> list[Body]:
    """The declarations of the tools that a key opens."""
    return [tool.declaration() for tool in TOOLS.values() if tool.is_open_to(scopes, environment)]
