"""Bodies and answers of the sandbox's controls."""

from typing import Any

from rest_framework import serializers

from apps.gateway import fields, outputs
from apps.gateway.serializers import AnswerBody, Body, checks
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
