"""Answers of the account routes (contract §3, Account)."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.models import Product
from apps.gateway import fields
from apps.gateway.serializers import AnswerBody, page_of
from apps.keys.models import SettlementMode
from apps.keys.scopes import GRANTABLE


class BalanceAnswer(AnswerBody):
    """The prepaid money of one environment."""

    currency = fields.Currency(
        logged=True, help_text="ISO 4217 code of your account's currency, such as `EUR`."
    )
    availableCents = fields.Cents(logged=True, help_text="What can be spent now.")
    heldCents = fields.Cents(
        logged=True,
        help_text="What is set aside for bookings that are not paid yet; no part of `availableCents`.",
    )


@extend_schema_serializer(component_name="AccountBalance")
class WarnedBalanceAnswer(BalanceAnswer):
    """The prepaid money of one environment."""

    warnBelowCents = fields.Cents(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text=(
            "`balance.low` is sent once less than this is available, as set in the portal under Balance; `null`: never."
        ),
    )


@extend_schema_serializer(component_name="ApiKey")
class KeyAnswer(AnswerBody):
    """The key that called."""

    id = fields.Id(logged=True, help_text="The key's id, `key_…`. It is no secret; ledger and usage name it.")
    name = serializers.CharField(help_text="The name that the key was given in the portal.")
    prefix = serializers.CharField(help_text="How the secret begins, to tell keys apart.")
    environment = fields.Choice(
        ["test", "live"], logged=True, help_text="What the key opens: the sandbox or the live service."
    )
    settlementMode = fields.Word(
        SettlementMode.values,
        logged=True,
        help_text="`partner_merchant`: you are the merchant, and prices are net.",
    )
    allowedIps = serializers.ListField(
        child=serializers.CharField(),
        help_text="The IP addresses and ranges that the key works from. Empty: from everywhere.",
    )
    expiresAt = fields.Instant(
        allow_null=True,
        logged=True,
        help_text=(
            "When the secret that was sent stops working, because it was rotated; `null`: it does not."
        ),
    )
    lastUsedAt = fields.Instant(
        allow_null=True,
        help_text="When the key was used last, at most a minute late; `null`: never.",
        logged=True,
    )
    createdAt = fields.Instant(logged=True, help_text="When the key was made.")


class RateLimitAnswer(AnswerBody):
    """How many requests in how much time."""

    limit = fields.Whole(
        logged=True, help_text="How many requests of the class the key may make in a window."
    )
    windowSeconds = fields.Whole(logged=True, help_text="How long a window lasts, in seconds.")


@extend_schema_serializer(component_name="RateLimitsByClass")
class RateLimitsAnswer(AnswerBody):
    """The limits of the three rate classes."""

    SEARCH = RateLimitAnswer(
        logged=True, help_text="The limit of searches, and of asking a flight offer's price again."
    )
    BOOKING = RateLimitAnswer(
        logged=True, help_text="The limit of bookings, changes, cancellations, and writes to webhooks."
    )
    READ = RateLimitAnswer(logged=True, help_text="The limit of everything else.")


class SearchQuotaAnswer(AnswerBody):
    """The daily allowance of billable searches."""

    limit = fields.Whole(logged=True, help_text="How many searches a UTC day.")
    remaining = fields.Whole(logged=True, help_text="How many of them are left today.")
    resetsAt = fields.Instant(logged=True, help_text="When the count starts again: the next midnight.")


class WalletCents(fields.Cents):
    """An amount of an entry, which names no currency of its own."""

    notation = "In minor units of the account's currency."


@extend_schema_serializer(component_name="SpendLimits")
class SpendLimitsAnswer(AnswerBody):
    """What the holds of the key may come to. What is released counts no longer; a refund gives nothing back."""

    perBookingCents = WalletCents(
        allow_null=True,
        since="1.3",
        logged=True,
        help_text=(
            "The most that a booking may hold, and so may a change of it, services added to it, or its payment; "
            "`null`: no limit."
        ),
    )
    perDayCents = WalletCents(
        allow_null=True, since="1.3", logged=True, help_text="The most in a UTC day; `null`: no limit."
    )
    perMonthCents = WalletCents(
        allow_null=True, since="1.3", logged=True, help_text="The most in a UTC month; `null`: no limit."
    )
    approvalAboveCents = WalletCents(
        allow_null=True,
        since="1.3",
        logged=True,
        help_text=(
            "A booking above it, and the payment of an order on hold, awaits approval; a change, services or a top-up above it "
            "is refused. `null`: nothing does."
        ),
    )


@extend_schema_serializer(component_name="AccountLimits")
class LimitsAnswer(AnswerBody):
    """How much a key may ask for."""

    rate = RateLimitsAnswer(
        logged=True, help_text="How many requests a minute, by rate class. Each operation names its class."
    )
    searchQuota = SearchQuotaAnswer(logged=True, help_text="How many billable searches a day.")
    spend = SpendLimitsAnswer(logged=True, since="1.3", help_text="What the calling key may spend.")


class LiveApprovalAnswer(AnswerBody):
    """Whether live keys can be made. An approval lasts 365 days."""

    status = fields.Choice(
        ["none", "requested", "approved", "lapsed"],
        logged=True,
        help_text=(
            "`none`: not asked for. `requested`: we are looking at it. `approved`: live keys can "
            "be made. `lapsed`: it is over; live keys keep working, and none can be made or "
            "rotated."
        ),
    )
    approvedUntil = fields.Instant(
        allow_null=True,
        logged=True,
        help_text="When the last approval ends or ended; `null`: there was none.",
    )


class AccountAnswer(AnswerBody):
    """Your account as the calling key sees it."""

    id = fields.Id(logged=True, help_text="The account's id, `acc_…`.")
    name = serializers.CharField(help_text="The name that the account was opened with.")
    status = fields.Choice(
        ["active", "read-only", "suspended"],
        logged=True,
        help_text=(
            "`active`. `read-only`: only reads that are not billable. `suspended`: every call "
            "answers 403 `account_not_active`."
        ),
    )
    environment = fields.Choice(
        ["test", "live"],
        logged=True,
        help_text="The environment of the calling key, which everything here is about.",
    )
    settlementModes = serializers.ListField(
        child=serializers.CharField(),
        help_text="The settlement modes that the account may use. Today `partner_merchant` alone.",
    )
    paymentReference = fields.Text(
        since="1.3",
        help_text=(
            "What to write on a bank transfer, so that it is credited to the account, such as `RF85Z7T2J9YW`: a creditor "
            "reference of ISO 11649. It never changes."
        ),
    )
    scopes = fields.Many(child=fields.Word(GRANTABLE), logged=True, help_text="What the calling key may do.")
    balance = WarnedBalanceAnswer(logged=True, help_text="The prepaid money of this environment.")
    key = KeyAnswer(logged=True, help_text="The key that called.")
    limits = LimitsAnswer(logged=True, help_text="How much the calling key may ask for.")
    liveApproval = LiveApprovalAnswer(logged=True, help_text="Whether the account may make live keys.")


class LedgerEntryAnswer(AnswerBody):
    """One step of money. Entries are never changed or removed."""

    id = fields.Id(logged=True, help_text="The entry's id, `led_…`.")
    type = fields.Choice(
        ["top_up", "hold", "capture", "release", "refund", "adjustment"],
        logged=True,
        help_text=(
            "`top_up`: your money arrived. `hold`: set aside for a booking. `capture`: paid. "
            "`release`: no longer set aside. `refund`: came back after it was paid. `adjustment`:"
            " corrected by us."
        ),
    )
    amountCents = WalletCents(
        help_text="By how much the available balance changed; negative: it fell.", logged=True
    )
    heldDeltaCents = WalletCents(
        logged=True, help_text="By how much the held money changed; negative: it fell."
    )
    availableAfterCents = WalletCents(logged=True, help_text="The available balance after this entry.")
    heldAfterCents = WalletCents(logged=True, help_text="The held money after this entry.")
    bookingType = fields.Word(
        Product.values,
        allow_null=True,
        logged=True,
        help_text=("`hotel`, `flight`, `transfer` or `esim`; `null` where the entry belongs to no booking."),
    )
    bookingReference = fields.Reference(
        allow_null=True,
        logged=True,
        help_text=("The booking's short reference, such as `H-7KQ2M9XD`; `null` where there is no booking."),
    )
    keyId = fields.Id(
        allow_null=True,
        logged=True,
        help_text="The key whose call led to the entry, `key_…`; `null` where no key did.",
    )
    description = serializers.CharField(allow_blank=True, help_text="What the entry was for, in a few words.")
    createdAt = fields.Instant(logged=True, help_text="When the money moved.")


@extend_schema_serializer(component_name="LedgerEntryList")
class LedgerPage(BalanceAnswer, page_of(LedgerEntryAnswer)):  # type: ignore[misc]
    """A page of ledger entries, newest first, beside the balance of now."""


class MonthAnswer(AnswerBody):
    """A month that has a statement."""

    month = serializers.CharField(help_text="The month, `YYYY-MM`, in UTC.")
    closed = fields.Flag(
        help_text="Whether the statement is final, which it is one hour after the month's end.",
    )


@extend_schema_serializer(component_name="AccountStatementList")
class StatementsAnswer(AnswerBody):
    """The months that have a statement."""

    data = MonthAnswer(  # type: ignore[assignment]
        many=True, help_text="Every month from the account's first to the current one, newest first."
    )


class GroupAnswer(AnswerBody):
    """What was paid and refunded of a part of the month."""

    capturedCents = WalletCents(help_text="What was paid for bookings.", logged=True)
    refundedCents = WalletCents(help_text="What came back after it was paid.", logged=True)


@extend_schema_serializer(component_name="StatementOfProduct")
class ProductGroupAnswer(GroupAnswer):
    """What was paid and refunded for one product."""

    bookingType = fields.Word(
        Product.values,
        allow_null=True,
        logged=True,
        help_text="`hotel`, `flight`, `transfer` or `esim`; `null`: for no booking.",
    )


@extend_schema_serializer(component_name="StatementOfKey")
class KeyGroupAnswer(GroupAnswer):
    """What was paid and refunded by one key."""

    keyId = fields.Id(
        allow_null=True, logged=True, help_text="The key whose calls led to it, `key_…`; `null`: no key did."
    )


@extend_schema_serializer(component_name="AccountStatement")
class StatementAnswer(AnswerBody):
    """What one month did to the account's money, equal to its ledger."""

    month = serializers.CharField(help_text="The month, `YYYY-MM`, in UTC.")
    currency = fields.Currency(logged=True, help_text="ISO 4217 code of the account's currency.")
    openingCents = WalletCents(
        logged=True,
        help_text="The balance at the month's begin, available and held together: `closingCents` of the month before.",
    )
    topUpsCents = WalletCents(logged=True, help_text="Your money that arrived.")
    capturedCents = WalletCents(logged=True, help_text="What was paid for bookings.")
    refundedCents = WalletCents(logged=True, help_text="What came back after it was paid.")
    adjustmentsCents = WalletCents(
        logged=True, help_text="What we corrected; negative: the balance fell by it."
    )
    closingCents = WalletCents(
        logged=True,
        help_text=(
            "The balance at the month's end, or now, available and held together: opening + top-ups − captured + refunded "
            "+ adjustments."
        ),
    )
    heldCents = WalletCents(
        logged=True, help_text="What of `closingCents` was set aside for bookings that were not paid yet."
    )
    closed = fields.Flag(
        help_text="Whether the statement is final, which it is one hour after the month's end. It then never changes.",
    )
    byProduct = ProductGroupAnswer(many=True, help_text="Payments and refunds by product.")
    byKey = KeyGroupAnswer(many=True, help_text="Payments and refunds by API key.")
    lineCount = fields.Whole(logged=True, help_text="How many ledger entries the month has.")
    lines = LedgerEntryAnswer(
        many=True,
        help_text="The month's ledger entries, oldest first: the first 1,000. `format=csv` has all of them.",
    )


@extend_schema_serializer(component_name="SearchUsageLine")
class UsageLine(AnswerBody):
    """The billable searches of one day, product and key."""

    date = fields.Day(logged=True, help_text="The UTC day that is counted.")
    product = fields.Choice(["hotels", "flights", "transfers"], help_text="What was searched for.")
    keyId = fields.Id(logged=True, help_text="The key that searched, `key_…`.")
    billableSearches = serializers.IntegerField(
        help_text=(
            "How many searches counted against the quota that day. Never 0: a day without any has no line."
        )
    )


@extend_schema_serializer(component_name="SearchUsage")
class UsageAnswer(AnswerBody):
    # `from` is a Python keyword, hence the other way to declare fields.
    """The billable searches of some days."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            "from": fields.Day(logged=True, help_text="The first UTC day that is counted."),
            "to": fields.Day(logged=True, help_text="The last UTC day that is counted."),
            "data": UsageLine(
                many=True, help_text="One line for each day, product and key, oldest day first."
            ),
        }
