"""Request and response bodies of /sandbox."""

from typing import Any

from rest_framework import serializers

from apps.account_api.serializers import BalanceAnswer
from apps.accounts.faults import MOST_LATENCY_MS, MOST_SEED
from apps.bookings.models import Product
from apps.gateway import fields
from apps.gateway.serializers import AnswerBody, Body, checks
from apps.ledger.money import MOST_AT_ONCE_CENTS
from apps.sandbox.simulate import What

MOST_SECONDS = 400 * 86_400
WHAT = (
    "`supplier_cancels`: the supplier cancels the booking. `airline_moves`: the airline reschedules the first flight. "
    "`supplier_changes`: the hotel or the transfer company changes the booking. `settles`: a pending booking is confirmed; of "
    "another, funds still held are captured and refunds still due are paid. `not_made`: a pending booking turns out not to "
    "exist, and its funds are released."
)


class AdvanceBody(Body):
    """How far to move the clock: by a number of seconds, or to an instant."""

    advanceSeconds = fields.Whole(
        required=False,
        min_value=0,
        max_value=MOST_SECONDS,
        logged=True,
        example=86_400,
        help_text="Seconds to move the clock forward. Send either this or `advanceTo`.",
    )
    advanceTo = fields.Instant(
        required=False,
        logged=True,
        help_text="The instant to move the clock forward to. Send either this or `advanceSeconds`.",
    )

    @checks("advanceSeconds", "advanceTo")
    def say_one(self, given: dict[str, Any]) -> None:
        if len(given) == 2:
            raise serializers.ValidationError({"advanceTo": "must be left out if `advanceSeconds` is given"})
        if not given:
            raise serializers.ValidationError({"advanceSeconds": "is required unless `advanceTo` is given"})


class ClockAnswer(AnswerBody):
    """The clock of the test environment."""

    now = fields.Instant(logged=True, help_text="The time in the test environment.")
    offsetSeconds = fields.Whole(
        logged=True, help_text="How many seconds the clock is ahead of real time; 0 if it was never moved."
    )


class FundsBody(Body):
    """Money for the test wallet."""

    amountCents = fields.Whole(
        min_value=1,
        max_value=MOST_AT_ONCE_CENTS,
        logged=True,
        example=500_000,
        help_text="The amount to add to the test wallet, in minor units of its currency.",
    )


class FundsAnswer(BalanceAnswer):
    """The test wallet after the money was added."""

    amountCents = fields.Cents(logged=True, help_text="The amount added.")


class ResetBody(Body):
    """An empty object."""


class ResetAnswer(AnswerBody):
    """The test environment after the reset."""

    sandbox = fields.Text(help_text="The name of the sandbox.")
    resetAt = fields.Instant(
        logged=True, help_text="When the reset happened. The clock shows real time again."
    )
    balance = BalanceAnswer(help_text="The wallet with its opening balance.")


def share(**more: Any) -> fields.Number:
    return fields.Number(required=False, min_value=0, max_value=1, logged=True, **more)


class FaultsBody(Body):
    """All faults. A fault that you leave out is switched off."""

    latencyMs = fields.Whole(
        required=False,
        min_value=0,
        max_value=MOST_LATENCY_MS,
        logged=True,
        help_text="Delay of every /v1 response, in milliseconds.",
    )
    errorShare = share(
        example=0.1,
        help_text=(
            "Share of the POSTs that reach a supplier which fail with 502 `upstream_error`: nothing is booked and the funds are "
            "released."
        ),
    )
    lostAnswerShare = share(
        example=0.05,
        help_text="Share of the same POSTs that are carried out, but whose response never arrives.",
    )
    duplicateDeliveryShare = share(help_text="Share of accepted webhook deliveries that are sent twice.")
    shuffleDeliveries = fields.Flag(
        required=False, help_text="Whether webhook deliveries that are due together are sent in random order."
    )
    seed = fields.Whole(
        required=False,
        min_value=0,
        max_value=MOST_SEED,
        logged=True,
        example=7,
        help_text="Selects the affected calls and deliveries: the same seed and the same sequence of calls get the same faults.",
    )

    @checks("errorShare", "lostAnswerShare")
    def share_one(self, given: dict[str, Any]) -> None:
        if given.get("errorShare", 0) + given.get("lostAnswerShare", 0) > 1:
            raise serializers.ValidationError(
                {"lostAnswerShare": "must not exceed 1 together with `errorShare`"}
            )


class FaultsAnswer(AnswerBody):
    """The faults of the test environment."""

    latencyMs = fields.Whole(logged=True, help_text="Delay of every /v1 response, in milliseconds.")
    errorShare = fields.Number(help_text="Share of the POSTs that reach a supplier which fail.")
    lostAnswerShare = fields.Number(help_text="Share of the same POSTs whose response never arrives.")
    duplicateDeliveryShare = fields.Number(
        help_text="Share of accepted webhook deliveries that are sent twice."
    )
    shuffleDeliveries = fields.Flag(
        help_text="Whether deliveries that are due together are sent in random order."
    )
    seed = fields.Whole(logged=True, help_text="Selects the affected calls and deliveries.")
    callsDecided = fields.Whole(logged=True, help_text="Calls considered since the faults were set.")
    deliveriesDecided = fields.Whole(
        logged=True, help_text="Deliveries considered since the faults were set."
    )


class SimulateBody(Body):
    """What happens to the booking."""

    what = fields.Choice(
        choices=What.values, logged=True, example=What.SUPPLIER_CANCELS.value, help_text=WHAT
    )


class SimulatedBooking(AnswerBody):
    """The booking afterwards."""

    bookingType = fields.Choice(Product.values, logged=True, help_text="Its product.")
    id = fields.Id(logged=True, help_text="Its id.")
    reference = fields.Reference(logged=True, help_text="Its reference.")
    status = fields.Word(
        (
            "pending",
            "awaiting_approval",
            "on_hold",
            "confirmed",
            "ticketed",
            "provisioned",
            "cancelled",
            "failed",
        ),
        logged=True,
        help_text="Its status.",
    )


class SimulateAnswer(AnswerBody):
    """What happened, and the booking afterwards."""

    simulated = fields.Choice(What.values, logged=True, help_text="What happened to the booking.")
    booking = SimulatedBooking(logged=True, help_text="The booking afterwards.")
