"""Body and answer of /sandbox/faults."""

from typing import Any

from rest_framework import serializers

from apps.accounts.faults import MOST_LATENCY_MS, MOST_SEED
from apps.gateway import fields, outputs
from apps.gateway.serializers import AnswerBody, Body, checks


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

    latencyMs = outputs.Whole(
        logged=True, help_text="How much later every answer of /v1 comes, in milliseconds."
    )
    errorShare = outputs.Score(help_text="The share of POSTs that reach a supplier which it refuses.")
    lostAnswerShare = outputs.Score(help_text="The share of the same POSTs whose answer does not arrive.")
    duplicateDeliveryShare = outputs.Score(
        help_text="The share of accepted webhook deliveries that come twice."
    )
    shuffleDeliveries = outputs.Flag(
        help_text="Whether deliveries that are due together come in another order."
    )
    seed = outputs.Whole(logged=True, help_text="Decides which calls and deliveries it is.")
    callsDecided = outputs.Whole(
        logged=True, help_text="About how many calls was decided since the faults were set."
    )
    deliveriesDecided = outputs.Whole(
        logged=True, help_text="About how many deliveries was decided since then."
    )
