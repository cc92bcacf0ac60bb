"""Answers of the account routes (contract §3, Account), for the OpenAPI document."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.gateway.serializers import page_of


class BalanceAnswer(serializers.Serializer[Any]):
    currency = serializers.CharField()
    availableCents = serializers.IntegerField()
    heldCents = serializers.IntegerField()


class KeyAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    environment = serializers.ChoiceField(["test", "live"])
    settlementMode = serializers.CharField()
    allowedIps = serializers.ListField(child=serializers.CharField())
    expiresAt = serializers.DateTimeField(allow_null=True)
    lastUsedAt = serializers.DateTimeField(allow_null=True, help_text="At most a minute late")
    createdAt = serializers.DateTimeField()


class RateLimitAnswer(serializers.Serializer[Any]):
    limit = serializers.IntegerField()
    windowSeconds = serializers.IntegerField()


class RateLimitsAnswer(serializers.Serializer[Any]):
    SEARCH = RateLimitAnswer()
    BOOKING = RateLimitAnswer()
    READ = RateLimitAnswer()


class SearchQuotaAnswer(serializers.Serializer[Any]):
    limit = serializers.IntegerField()
    remaining = serializers.IntegerField()
    resetsAt = serializers.DateTimeField()


class LimitsAnswer(serializers.Serializer[Any]):
    rate = RateLimitsAnswer()
    searchQuota = SearchQuotaAnswer()


class LiveApprovalAnswer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["none", "requested", "approved", "lapsed"])
    approvedUntil = serializers.DateTimeField(allow_null=True)


@extend_schema_serializer(component_name="AccountDto")
class AccountAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    status = serializers.ChoiceField(["active", "read-only", "suspended"])
    environment = serializers.ChoiceField(["test", "live"])
    settlementModes = serializers.ListField(child=serializers.CharField())
    scopes = serializers.ListField(child=serializers.CharField())
    balance = BalanceAnswer()
    key = KeyAnswer()
    limits = LimitsAnswer()
    liveApproval = LiveApprovalAnswer()


class LedgerEntryAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    type = serializers.ChoiceField(["top_up", "hold", "capture", "release", "refund", "adjustment"])
    amountCents = serializers.IntegerField(help_text="Signed effect on the available balance")
    heldDeltaCents = serializers.IntegerField()
    availableAfterCents = serializers.IntegerField()
    heldAfterCents = serializers.IntegerField()
    bookingType = serializers.CharField(allow_null=True)
    bookingReference = serializers.CharField(allow_null=True)
    keyId = serializers.CharField(allow_null=True)
    description = serializers.CharField(allow_blank=True)
    createdAt = serializers.DateTimeField()


class LedgerPage(BalanceAnswer, page_of(LedgerEntryAnswer)):  # type: ignore[misc]
    """A page beside the balance."""


class UsageLine(serializers.Serializer[Any]):
    date = serializers.DateField()
    product = serializers.ChoiceField(["hotels", "flights", "transfers"])
    keyId = serializers.CharField()
    billableSearches = serializers.IntegerField()


class UsageAnswer(serializers.Serializer[Any]):
    # `from` is a Python keyword, hence the other way to declare fields.
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            "from": serializers.DateField(),
            "to": serializers.DateField(),
            "data": UsageLine(many=True),
        }
