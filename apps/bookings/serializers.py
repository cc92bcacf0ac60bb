"""Bodies that the products share, and the answer of GET /v1/operations."""

from datetime import date, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.handlers import AIRLINE_CREDIT, BALANCE, NOWHERE
from apps.bookings.models import Product
from apps.bookings.outcomes import Action, State
from apps.common import clock
from apps.gateway import fields
from apps.gateway.serializers import AnswerBody, Body


class Phone(fields.Text):
    """A phone number in E.164: +351210000000."""

    notation = "E.164: a plus sign, the country's code and the number, such as `+351210000000`."
    pattern = r"^\+[1-9][0-9]{6,14}$"

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=16, **more)

    def to_internal_value(self, data: object) -> str:
        value = super().to_internal_value(data)
        digits = value[1:]
        if value[:1] != "+" or not (digits.isascii() and digits.isdigit()):
            self.fail("form")
        if not 7 <= len(digits) <= 15 or digits[0] == "0":
            self.fail("form")
        return value

    default_error_messages = {"form": "must be a phone number in E.164, such as +351210000000"}


class DayAhead(fields.Day):
    """A day from yesterday, one day's grace for the time zones, to so far ahead."""

    furthest: timedelta
    default_error_messages = {"past": "must not be in the past", "far": "must be at most {days} days ahead"}

    def to_internal_value(self, data: object) -> date:
        day = super().to_internal_value(data)
        today = clock.today(clock.here())
        if day < today - timedelta(days=1):
            self.fail("past")
        if day > today + self.furthest:
            self.fail("far", days=self.furthest.days)
        return day


def max_total(what: str, *, quoted: str = "the quoted `totalCents`", nothing: str = "booked") -> fields.Cents:
    """The field `maxTotalCents` of a body that makes a booking or an order."""
    return fields.Cents(
        required=False,
        logged=True,
        help_text=(
            f"The most that the {what} may cost. Left out: {quoted}. If the price is higher: 409 `price_changed`, "
            f"and nothing is {nothing}."
        ),
    )


def sold_for() -> fields.Cents:
    """The field `soldForCents` of a body that makes a booking or an order."""
    return fields.Cents(
        required=False,
        since="1.3",
        help_text=(
            "What your customer pays you for it. It is printed on the booking's documents with `prices=sold`; nothing else uses "
            "it, and no money moves by it."
        ),
    )


class ContactBody(Body):
    """How to reach the travellers."""

    email = fields.Email(example="ada@example.com", help_text="The address that the supplier may write to.")
    phone = Phone(example="+351210000000", help_text="The number that the supplier may call.")


class CancelBody(Body):
    """Every field is optional. An empty object cancels at any penalty, up to the whole price."""

    reason = fields.Text(
        required=False,
        help_text="The reason, for your own records; the booking shows it. It is not sent to the supplier.",
    )
    maxPenaltyCents = fields.Cents(
        required=False,
        logged=True,
        help_text=(
            "The highest penalty that you accept. Above it: 409 `conflict` with `penaltyCents`, and nothing is cancelled. "
            "Left out: any penalty, up to the whole price."
        ),
    )
    cancellationQuoteId = fields.Id(
        required=False,
        example="cq_…",
        logged=True,
        since="1.3",
        help_text=(
            "A cancellation quote of this booking, `cq_…`. Cancelling then costs what was quoted, or less. 410 "
            "`offer_expired` once it has expired or was replaced by a newer one; 409 `conflict` with `penaltyCents` if the "
            "penalty has risen. Nothing is cancelled then."
        ),
    )


class FlightCancelBody(CancelBody):
    """Every field is optional. An empty object cancels at any penalty, up to the whole price."""

    acceptAirlineCredit = fields.Flag(
        required=False,
        since="1.3",
        help_text=(
            "Whether the refund may be issued as the airline's own credit for the travellers, so that nothing is refunded to "
            "you. Unless `true`: 409 `conflict` with `refundTo`, and nothing is cancelled."
        ),
    )


class CancellationQuoteBody(Body):
    """Nothing: send `{}` or no body."""


@extend_schema_serializer(component_name="BookingSupplier")
class SupplierAnswer(AnswerBody):
    """Which supplier the booking was made with."""

    name = serializers.CharField(help_text="The supplier's name.")
    reference = serializers.CharField(
        allow_null=True, help_text="The supplier's own number for the booking; `null` until it has given one."
    )


@extend_schema_serializer(component_name="ExchangeRate")
class ExchangeAnswer(AnswerBody):
    """The rate that a supplier's prices were converted at: one unit of `base` is `rate` units of `quote`."""

    base = serializers.CharField(help_text="ISO 4217 code of the currency that the supplier charges in.")
    quote = serializers.CharField(help_text="ISO 4217 code of the currency that you pay in.")
    rate = serializers.CharField(
        help_text=("How many units of `quote` one unit of `base` costs: an exact decimal number, as text.")
    )
    asOf = serializers.DateField(help_text="The day that the rate is of, `YYYY-MM-DD`.")


@extend_schema_serializer(component_name="BookingCancellation")
class CancellationAnswer(AnswerBody):
    """The outcome of a cancellation."""

    cancelledAt = fields.Instant(logged=True, help_text="When the booking was cancelled.")
    penaltyCents = fields.Cents(logged=True, help_text="The penalty: the part of the total that you pay.")
    refundCents = fields.Cents(
        logged=True,
        help_text=("What is refunded to your balance. Together with `penaltyCents` it is the total."),
    )
    currency = fields.Currency(logged=True, help_text="ISO 4217 code of both amounts: that of the booking.")
    reason = serializers.CharField(
        allow_null=True,
        help_text=(
            "The reason that you sent; `null` if you sent none. If the supplier cancelled, a sentence that states it."
        ),
    )


@extend_schema_serializer(component_name="AirlineCredit")
class AirlineCreditAnswer(AnswerBody):
    """Credit that the airline issues to a traveller in place of a refund, to be spent with that airline."""

    passenger = fields.Whole(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text=(
            "The passenger: an index into `passengers`, from 0; `null` if the airline does not provide it."
        ),
    )
    amountCents = fields.Cents(logged=True, since="1.3", help_text="What it is worth.")
    currency = fields.Currency(
        logged=True,
        since="1.3",
        help_text="ISO 4217 code of `amountCents`, which may differ from the order's.",
    )
    code = serializers.CharField(
        allow_null=True,
        help_text=(
            "The code to spend it with; `null` until the airline has issued it, after the cancellation."
        ),
    )
    expiresOn = fields.Day(
        allow_null=True,
        since="1.3",
        help_text="The last day on which it can be spent; `null` if the airline does not provide it.",
    )


@extend_schema_serializer(component_name="CancellationQuote")
class CancellationQuoteAnswer(AnswerBody):
    """The cost of cancelling, guaranteed until `expiresAt`. A newer quote of the same booking replaces it."""

    cancellationQuoteId = fields.Id(
        logged=True, since="1.3", help_text="The quote's id, `cq_…`. Send it to cancel at these terms."
    )
    penaltyCents = fields.Cents(
        logged=True, since="1.3", help_text="The penalty: the part of the paid amount that you lose."
    )
    refundCents = fields.Cents(
        logged=True,
        since="1.3",
        help_text="What is refunded to your balance; 0 if the airline issues all of it as its own credit.",
    )
    currency = fields.Currency(
        logged=True, since="1.3", help_text="ISO 4217 code of both amounts: that of the booking."
    )
    refundTo = fields.Choice(
        [BALANCE, AIRLINE_CREDIT, NOWHERE],
        logged=True,
        since="1.3",
        help_text=(
            "`balance`: the whole refund goes to your balance. `airline_credit`: all or part of it is issued as "
            "`airlineCredits`; cancel with `acceptAirlineCredit`. `none`: nothing is refunded."
        ),
    )
    airlineCredits = AirlineCreditAnswer(
        many=True,
        logged=True,
        since="1.3",
        help_text="Credit that the airline would issue to the travellers in place of money. Empty: none.",
    )
    expiresAt = fields.Instant(
        logged=True,
        since="1.3",
        help_text=(
            "Until when it can be used: for 20 minutes at most, and not beyond the current step of the terms. From then on "
            "410 `offer_expired`."
        ),
    )


class CancellationStepAnswer(AnswerBody):
    """The cost of cancelling from one instant until the next step begins."""

    penaltyCents = fields.Cents(
        logged=True, help_text="The penalty from that instant until the next step begins."
    )
    currency = fields.Currency(logged=True, help_text="ISO 4217 code of `penaltyCents`: that of the price.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        begins = fields.Instant(
            logged=True,
            help_text=(
                "When the step begins. The first step already applies at the time of the response: it begins when it took "
                "effect, but not before the search or the booking."
            ),
        )
        return {"from": begins, **super().get_fields()}


def cancellation_steps(of: str, beside: str) -> CancellationStepAnswer:
    """The field `cancellationSteps` of an answer; `beside` names the field with the supplier's own words."""
    return CancellationStepAnswer(
        many=True,
        allow_null=True,
        logged=True,
        since="1.2",
        help_text=(
            f"What cancelling {of} costs at any instant from now on, earliest step first, each at a different instant; "
            f"the first applies now. `null` if `{beside}` cannot be interpreted with certainty."
        ),
    )


@extend_schema_serializer(component_name="Withheld")
class WithheldAnswer(AnswerBody):
    """How much of the suppliers' results is left out of the response, by reason. Filters and `limit` are not counted."""

    documentsRequired = fields.Whole(
        logged=True,
        help_text=(
            "The supplier demands the travellers' identity documents. Flights are returned with `includeDocumentOffers`; "
            "other products cannot take documents."
        ),
    )
    noLongerSold = fields.Whole(logged=True, help_text="It has expired, departed or begun.")
    unsupported = fields.Whole(
        logged=True,
        help_text=(
            "It cannot be bought through this API: it is paid at the property, sold to members only, on split tickets, or "
            "priced in a currency that is not converted to yours."
        ),
    )
    unreadable = fields.Whole(logged=True, help_text="The supplier's data is malformed.")


def withheld(what: str) -> WithheldAnswer:
    """The field `withheld` of a search's answer."""
    return WithheldAnswer(
        logged=True,
        since="1.2",
        help_text=f"How many of the suppliers' {what} are left out of this response, by reason; 0 if there are none.",
    )


STATUSES = {
    "pending": "`pending`: its funds are held, and the supplier has not confirmed it yet.",
    "awaiting_approval": (
        "`awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your "
        "account decides until `approvalExpiresAt`."
    ),
    "on_hold": (
        "`on_hold` (since 1.3): its seats are kept until `payBy`; it is not paid, and no funds are held."
    ),
    "confirmed": "`confirmed`: it is booked.",
    "ticketed": "`ticketed`: it is booked, and its tickets are issued or about to be.",
    "provisioned": "`provisioned`: the eSIM can be installed.",
    "cancelled": "`cancelled`: it was cancelled; `cancellation` has the cost.",
    "failed": "`failed`: nothing was booked, and nothing is paid.",
}


def booking_answer(*statuses: str) -> type[AnswerBody]:
    """What every booking carries (contract §1), with the statuses of one product."""
    status = fields.Choice(statuses, logged=True, help_text=" ".join(STATUSES[name] for name in statuses))
    return type("BookingAnswer", (_BookingAnswer,), {"status": status})


class _BookingAnswer(AnswerBody):
    id = fields.Id(
        logged=True, help_text="The booking's id. The operations on the booking take it in their path."
    )
    reference = fields.Reference(
        logged=True,
        help_text=(
            "A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking."
        ),
    )
    externalReference = serializers.CharField(
        allow_null=True, help_text="Your own reference, as it was sent; `null` if there was none."
    )
    tripReference = fields.Text(
        max_length=64,
        allow_null=True,
        since="1.3",
        help_text="Your own reference of the trip, as it was sent; `null` if there was none.",
    )
    environment = fields.Choice(
        ["test", "live"],
        logged=True,
        help_text="The environment of the key that made the booking. Another one's keys do not see it.",
    )
    totalCents = fields.Cents(logged=True, help_text="What the booking costs you in all.")
    currency = fields.Currency(
        logged=True,
        help_text="ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`.",
    )
    soldForCents = fields.Cents(
        required=False,
        since="1.3",
        help_text="What your customer pays you, as it was sent. Left out unless it was.",
    )
    approvalExpiresAt = fields.Instant(
        required=False,
        since="1.3",
        logged=True,
        help_text=(
            "Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is "
            "`awaiting_approval`."
        ),
    )
    createdAt = fields.Instant(logged=True, help_text="When the booking was made here.")
    updatedAt = fields.Instant(logged=True, help_text="When anything of the booking last changed.")
    supplier = SupplierAnswer(logged=True, help_text="Who carries out the booking.")
    exchange = ExchangeAnswer(
        required=False,
        help_text=(
            "Left out unless the supplier charges in another currency: the rate of all the "
            "booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word "
            "by word, stay in its currency."
        ),
    )
    redacted = fields.Flag(
        required=False,
        since="1.2",
        help_text=(
            "`true` once the travellers were forgotten, on request or when their time was over: lists of people are "
            "empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then."
        ),
    )
    cancellation = CancellationAnswer(
        allow_null=True,
        logged=True,
        help_text="What the cancellation cost; `null` while the booking is not cancelled.",
    )


class PriceAnswer(AnswerBody):
    """A price as every offer carries it."""

    totalCents = fields.Cents(logged=True, help_text="What you pay in all.")
    currency = fields.Currency(
        logged=True, help_text="ISO 4217 code of the price: your account's currency, such as `EUR`."
    )
    priceBasis = fields.Choice(["net"], help_text="`net`: what you pay. You sell at a price of your own.")
    suggestedRetailCents = fields.Cents(
        logged=True, help_text="What the traveller might pay: `totalCents` with your account's markup."
    )


# --- GET /v1/operations ---------------------------------------------------------------------------------------------------
STATES = {
    State.NOT_SEEN: "`not_seen`: no call with this key was started, or it was more than 24 hours ago and booked nothing.",
    State.RUNNING: "`running`: a call with it is in progress.",
    State.DONE: "`done`: the call succeeded.",
    State.FAILED: "`failed`: the call had no effect, and nothing is paid for it.",
    State.UNKNOWN: (
        "`unknown`: the request may have reached the supplier, and its response is not known yet. We are finding out, and the "
        "funds stay held."
    ),
}
STEPS = {
    Action.NONE: "`none`: nothing is left to do.",
    Action.WAIT: "`wait`: check again here after `afterSeconds`.",
    Action.RETRY_SAME_KEY: "`retry_same_key`: send the same request again, with the same key.",
    Action.USE_NEW_KEY: (
        "`use_new_key`: the error is final. If you still want the booking, fix what it names and send the request with a new key."
    ),
    Action.READ_BOOKING: "`read_booking`: read the booking of `booking.id`. Do not send the request again.",
}


@extend_schema_serializer(component_name="CallOutcomeBooking")
class BookingOfCallAnswer(AnswerBody):
    """The booking that the call created or changed, or would have."""

    bookingType = fields.Choice(Product.values, logged=True, help_text="What kind of booking it is.")
    id = fields.Id(logged=True, help_text="The booking's id.")
    reference = fields.Reference(logged=True, help_text="Its short reference, such as `H-7KQ2M9XD`.")
    status = fields.Choice(STATUSES, logged=True, help_text="Its status now. " + " ".join(STATUSES.values()))


@extend_schema_serializer(component_name="CallOutcomeNext")
class NextStepAnswer(AnswerBody):
    """The one safe next step."""

    action = fields.Choice([*Action], logged=True, help_text=" ".join(STEPS.values()))
    afterSeconds = fields.Whole(
        logged=True, help_text="How many seconds to wait first; 0 if there is no need to wait."
    )


@extend_schema_serializer(component_name="CallOutcome")
class CallOutcomeAnswer(AnswerBody):
    """The outcome of the call that was sent with an Idempotency-Key."""

    idempotencyKey = serializers.CharField(help_text="The key, as you sent it.")
    operation = serializers.CharField(
        allow_null=True,
        help_text=(
            "The operation that the key was used for, as this document names it; `null` if none is known."
        ),
    )
    state = fields.Choice([*State], logged=True, help_text=" ".join(STATES.values()))
    status = fields.Whole(
        allow_null=True,
        logged=True,
        help_text=("The HTTP status of the stored response; `null` without one, for example after a 5xx."),
    )
    requestId = fields.Id(
        allow_null=True,
        logged=True,
        help_text="The `X-Request-Id` of the last call with the key; `null` if none is known.",
    )
    firstSeenAt = fields.Instant(
        allow_null=True, logged=True, help_text="When the key was first received; `null` if unknown."
    )
    answeredAt = fields.Instant(
        allow_null=True,
        logged=True,
        help_text="When the stored response was sent; `null` without one.",
    )
    booking = BookingOfCallAnswer(
        allow_null=True, logged=True, help_text="The booking concerned; `null` without one."
    )
    next = NextStepAnswer(
        logged=True,
        help_text="The one safe next step. Following it repeatedly ends with exactly one booking.",
    )
