"""Bodies and answers of the sandbox's controls."""

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


class AdvanceBody(Body):
    """How far the clock moves: by some seconds, or to an instant."""

    advanceSeconds = fields.Whole(
        required=False,
        min_value=0,
        max_value=MOST_SECONDS,
        logged=True,
        help_text="By how many seconds the clock moves forward. Either this or `advanceTo`.",
    )
    advanceTo = fields.Instant(
        required=False,
        logged=True,
        help_text="The instant that the clock moves forward to. Either this or `advanceSeconds`.",
    )

    @checks("advanceSeconds", "advanceTo")
    def say_one(self, given: dict[str, Any]) -> None:
        if len(given) == 2:
            raise serializers.ValidationError(
                {"advanceTo": "must be left out where `advanceSeconds` is given"}
            )
        if not given:
            raise serializers.ValidationError({"advanceSeconds": "is required where `advanceTo` is left out"})


class ClockAnswer(AnswerBody):
    """The clock of the key's test environment."""

    now = fields.Instant(logged=True, help_text="The time in the test environment.")
    offsetSeconds = fields.Whole(
        logged=True, help_text="How many seconds it is ahead of the real time; 0 where it was never moved."
    )


class FundsBody(Body):
    """Money for the test wallet."""

    amountCents = fields.Whole(
        min_value=1,
        max_value=MOST_AT_ONCE_CENTS,
        logged=True,
        help_text="What is added to the test wallet, in minor units of its currency.",
    )


class FundsAnswer(BalanceAnswer):
    """The test wallet with the money in it."""

    amountCents = fields.Cents(logged=True, help_text="What was added.")


class ResetAnswer(AnswerBody):
    """The test environment as it begins anew."""

    sandbox = fields.Text(help_text="The name of the sandbox.")
    resetAt = fields.Instant(logged=True, help_text="Since when it is empty. Its clock shows the real time.")
    balance = BalanceAnswer(help_text="The wallet as it opens.")


def share(**more: Any) -> fields.Number:
    return fields.Number(required=False, min_value=0, max_value=1, logged=True, **more)


class FaultsBody(Body):
    """All faults; what is left out is off."""

    latencyMs = fields.Whole(
        required=False,
        min_value=0,
        max_value=MOST_LATENCY_MS,
        logged=True,
        help_text="How much later every answer of /v1 comes, in milliseconds.",
    )
    errorShare = share(
        help_text="The share of POSTs that reach a supplier which it refuses: 502, nothing booked, funds free.",
    )
    lostAnswerShare = share(
        help_text="The share of the same POSTs whose work is done, and whose answer does not arrive.",
    )
    duplicateDeliveryShare = share(help_text="The share of accepted webhook deliveries that come twice.")
    shuffleDeliveries = fields.Flag(
        required=False, help_text="Whether webhook deliveries that are due together come in another order."
    )
    seed = fields.Whole(
        required=False,
        min_value=0,
        max_value=MOST_SEED,
        logged=True,
        help_text="Decides which calls and deliveries it is. The same seed and sequence of calls have the same faults.",
    )

    @checks("errorShare", "lostAnswerShare")
    def share_one(self, given: dict[str, Any]) -> None:
        if given.get("errorShare", 0) + given.get("lostAnswerShare", 0) > 1:
            raise serializers.ValidationError({"lostAnswerShare": "must make at most 1 with `errorShare`"})


class FaultsAnswer(AnswerBody):
    """The faults of the key's test environment."""

    latencyMs = fields.Whole(
        logged=True, help_text="How much later every answer of /v1 comes, in milliseconds."
    )
    errorShare = fields.Number(help_text="The share of POSTs that reach a supplier which it refuses.")
    lostAnswerShare = fields.Number(help_text="The share of the same POSTs whose answer does not arrive.")
    duplicateDeliveryShare = fields.Number(
        help_text="The share of accepted webhook deliveries that come twice."
    )
    shuffleDeliveries = fields.Flag(
        help_text="Whether deliveries that are due together come in another order."
    )
    seed = fields.Whole(logged=True, help_text="Decides which calls and deliveries it is.")
    callsDecided = fields.Whole(
        logged=True, help_text="About how many calls was decided since the faults were set."
    )
    deliveriesDecided = fields.Whole(
        logged=True, help_text="About how many deliveries was decided since then."
    )


class SimulateBody(Body):
    """What is to happen."""

    what = fields.Choice(choices=What.values, logged=True, help_text="What happens to the booking.")


class SimulatedBooking(AnswerBody):
    """The booking as it is then."""

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
    """What happened, and the booking as it is then."""

    simulated = fields.Choice(What.values, logged=True, help_text="What happened to the booking.")
    booking = SimulatedBooking(logged=True, help_text="The booking as it is then.")
