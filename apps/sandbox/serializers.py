"""Bodies and answers of the sandbox's controls."""

from typing import Any

from rest_framework import serializers

from apps.account_api.serializers import BalanceAnswer
from apps.gateway import fields, outputs
from apps.gateway.serializers import AnswerBody, Body, checks
from apps.ledger.services.add_test_funds import MOST_AT_ONCE_CENTS
from apps.sandbox.fields import Instant

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
    advanceTo = Instant(
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

    now = outputs.Instant(logged=True, help_text="The time in the test environment.")
    offsetSeconds = outputs.Whole(
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

    amountCents = outputs.Cents(logged=True, help_text="What was added.")


class ResetAnswer(AnswerBody):
    """The test environment as it begins anew."""

    sandbox = outputs.Text(help_text="The name of the sandbox.")
    resetAt = outputs.Instant(logged=True, help_text="Since when it is empty. Its clock shows the real time.")
    balance = BalanceAnswer(help_text="The wallet as it opens.")
