"""Answers of the account routes (contract §3, Account)."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.models import Product
from apps.gateway import outputs
from apps.gateway.serializers import AnswerBody, page_of
from apps.keys.models import SettlementMode
from apps.keys.scopes import GRANTABLE


@extend_schema_serializer(component_name="AccountBalance")
class BalanceAnswer(AnswerBody):
    currency = outputs.Currency(logged=True)
    availableCents = outputs.Cents(logged=True)
    heldCents = outputs.Cents(logged=True)


@extend_schema_serializer(component_name="ApiKey")
class KeyAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    name = serializers.CharField()
    prefix = serializers.CharField()
    environment = outputs.OneOf(["test", "live"], logged=True)
    settlementMode = outputs.Word(SettlementMode.values, logged=True)
    allowedIps = serializers.ListField(child=serializers.CharField())
    expiresAt = outputs.Instant(allow_null=True, logged=True)
    lastUsedAt = outputs.Instant(allow_null=True, help_text="At most a minute late", logged=True)
    createdAt = outputs.Instant(logged=True)


class RateLimitAnswer(AnswerBody):
    limit = outputs.Whole(logged=True)
    windowSeconds = outputs.Whole(logged=True)


@extend_schema_serializer(component_name="RateLimitsByClass")
class RateLimitsAnswer(AnswerBody):
    SEARCH = RateLimitAnswer(logged=True)
    BOOKING = RateLimitAnswer(logged=True)
    READ = RateLimitAnswer(logged=True)


class SearchQuotaAnswer(AnswerBody):
    limit = outputs.Whole(logged=True)
    remaining = outputs.Whole(logged=True)
    resetsAt = outputs.Instant(logged=True)


@extend_schema_serializer(component_name="AccountLimits")
class LimitsAnswer(AnswerBody):
    rate = RateLimitsAnswer(logged=True)
    searchQuota = SearchQuotaAnswer(logged=True)


class LiveApprovalAnswer(AnswerBody):
    status = outputs.OneOf(["none", "requested", "approved", "lapsed"], logged=True)
    approvedUntil = outputs.Instant(allow_null=True, logged=True)


class AccountAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    name = serializers.CharField()
    status = outputs.OneOf(["active", "read-only", "suspended"], logged=True)
    environment = outputs.OneOf(["test", "live"], logged=True)
    settlementModes = serializers.ListField(child=serializers.CharField())
    scopes = outputs.Many(child=outputs.Word(GRANTABLE), logged=True)
    balance = BalanceAnswer(logged=True)
    key = KeyAnswer(logged=True)
    limits = LimitsAnswer(logged=True)
    liveApproval = LiveApprovalAnswer(logged=True)


class LedgerEntryAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    type = outputs.OneOf(["top_up", "hold", "capture", "release", "refund", "adjustment"], logged=True)
    amountCents = outputs.Cents(help_text="Signed effect on the available balance", logged=True)
    heldDeltaCents = outputs.Cents(logged=True)
    availableAfterCents = outputs.Cents(logged=True)
    heldAfterCents = outputs.Cents(logged=True)
    bookingType = outputs.Word(Product.values, allow_null=True, logged=True)
    bookingReference = outputs.Reference(allow_null=True, logged=True)
    keyId = outputs.Id(allow_null=True, logged=True)
    description = serializers.CharField(allow_blank=True)
    createdAt = outputs.Instant(logged=True)


@extend_schema_serializer(component_name="LedgerEntryList")
class LedgerPage(BalanceAnswer, page_of(LedgerEntryAnswer)):  # type: ignore[misc]
    """A page beside the balance."""


@extend_schema_serializer(component_name="SearchUsageLine")
class UsageLine(AnswerBody):
    date = outputs.Day(logged=True)
    product = outputs.OneOf(["hotels", "flights", "transfers"])
    keyId = outputs.Id(logged=True)
    billableSearches = serializers.IntegerField()


@extend_schema_serializer(component_name="SearchUsage")
class UsageAnswer(AnswerBody):
    # `from` is a Python keyword, hence the other way to declare fields.
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            "from": outputs.Day(logged=True),
            "to": outputs.Day(logged=True),
            "data": UsageLine(many=True),
        }
