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
        help_text="What is held for bookings that are not paid yet; not part of `availableCents`.",
    )


@extend_schema_serializer(component_name="AccountBalance")
class WarnedBalanceAnswer(BalanceAnswer):
    """The prepaid money of one environment."""

    warnBelowCents = fields.Cents(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text=(
            "`balance.low` is sent when less than this is available, as set in the portal under Balance; `null`: never."
        ),
    )


@extend_schema_serializer(component_name="ApiKey")
class KeyAnswer(AnswerBody):
    """The key that called."""

    id = fields.Id(
        logged=True,
        help_text=("The key's id, `key_…`. It is not a secret; the ledger and usage refer to it."),
    )
    name = serializers.CharField(help_text="The name that the key was given in the portal.")
    prefix = serializers.CharField(help_text="The first characters of the secret, to identify the key.")
    environment = fields.Choice(
        ["test", "live"], logged=True, help_text="The environment of the key: sandbox or live."
    )
    settlementMode = fields.Word(
        SettlementMode.values,
        logged=True,
        help_text="`partner_merchant`: you are the merchant, and prices are net.",
    )
    allowedIps = serializers.ListField(
        child=serializers.CharField(),
        help_text="The IP addresses and ranges that the key can be used from. Empty: anywhere.",
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
        help_text="When the key was last used, accurate to a minute; `null`: never.",
        logged=True,
    )
    createdAt = fields.Instant(logged=True, help_text="When the key was created.")


class RateLimitAnswer(AnswerBody):
    """A number of requests in a time window."""

    limit = fields.Whole(
        logged=True, help_text="How many requests of the class the key may make in a window."
    )
    windowSeconds = fields.Whole(logged=True, help_text="How long a window lasts, in seconds.")


@extend_schema_serializer(component_name="RateLimitsByClass")
class RateLimitsAnswer(AnswerBody):
    """The limits of the three rate classes."""

    SEARCH = RateLimitAnswer(logged=True, help_text="The limit of searches and of re-pricing flight offers.")
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
    """Limits on the funds that the key may hold. Released funds no longer count; refunds do not restore the limit."""

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
            "A booking above it, and the payment of an order on hold, awaits approval; a change, services or a top-up above "
            "it is refused. `null`: no approval is needed."
        ),
    )


@extend_schema_serializer(component_name="AccountLimits")
class LimitsAnswer(AnswerBody):
    """The limits of a key."""

    rate = RateLimitsAnswer(
        logged=True, help_text="Requests per minute, by rate class. Each operation names its class."
    )
    searchQuota = SearchQuotaAnswer(logged=True, help_text="Billable searches per day.")
    spend = SpendLimitsAnswer(logged=True, since="1.3", help_text="What the calling key may spend.")


class LiveApprovalAnswer(AnswerBody):
    """Whether live keys can be created. An approval lasts 365 days."""

    status = fields.Choice(
        ["none", "requested", "approved", "lapsed"],
        logged=True,
        help_text=(
            "`none`: not requested. `requested`: under review. `approved`: live keys can be created. `lapsed`: it has ended; "
            "live keys keep working, but none can be created or rotated."
        ),
    )
    approvedUntil = fields.Instant(
        allow_null=True,
        logged=True,
        help_text="When the last approval ends or ended; `null` if there was none.",
    )


class AccountAnswer(AnswerBody):
    """Your account, as seen by the calling key."""

    id = fields.Id(logged=True, help_text="The account's id, `acc_…`.")
    name = serializers.CharField(help_text="The name that the account was opened with.")
    status = fields.Choice(
        ["active", "read-only", "suspended"],
        logged=True,
        help_text=(
            "`active`. `read-only`: only reads that are not billable. `suspended`: every call gets 403 `account_not_active`."
        ),
    )
    environment = fields.Choice(
        ["test", "live"],
        logged=True,
        help_text="The environment of the calling key, which all values here belong to.",
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
    limits = LimitsAnswer(logged=True, help_text="The limits of the calling key.")
    liveApproval = LiveApprovalAnswer(logged=True, help_text="Whether the account may create live keys.")


class LedgerEntryAnswer(AnswerBody):
    """One movement of money. Entries are never changed or removed."""

    id = fields.Id(logged=True, help_text="The entry's id, `led_…`.")
    type = fields.Choice(
        ["top_up", "hold", "capture", "release", "refund", "adjustment"],
        logged=True,
        help_text=(
            "`top_up`: money that you paid in. `hold`: held for a booking. `capture`: paid. `release`: no longer held. "
            "`refund`: refunded after it was paid. `adjustment`: corrected by us."
        ),
    )
    amountCents = WalletCents(
        help_text="The change of the available balance; negative: it went down.", logged=True
    )
    heldDeltaCents = WalletCents(
        logged=True, help_text="The change of the held money; negative: it went down."
    )
    availableAfterCents = WalletCents(logged=True, help_text="The available balance after this entry.")
    heldAfterCents = WalletCents(logged=True, help_text="The held money after this entry.")
    bookingType = fields.Word(
        Product.values,
        allow_null=True,
        logged=True,
        help_text=("`hotel`, `flight`, `transfer` or `esim`; `null` if the entry belongs to no booking."),
    )
    bookingReference = fields.Reference(
        allow_null=True,
        logged=True,
        help_text=("The booking's short reference, such as `H-7KQ2M9XD`; `null` if there is no booking."),
    )
    keyId = fields.Id(
        allow_null=True,
        logged=True,
        help_text="The key whose call caused the entry, `key_…`; `null` if no key did.",
    )
    description = serializers.CharField(allow_blank=True, help_text="What the entry was for, in a few words.")
    createdAt = fields.Instant(logged=True, help_text="When the money moved.")


@extend_schema_serializer(component_name="LedgerEntryList")
class LedgerPage(BalanceAnswer, page_of(LedgerEntryAnswer)):  # type: ignore[misc]
    """A page of ledger entries, newest first, with the current balance."""


class MonthAnswer(AnswerBody):
    """A month that has a statement."""

    month = serializers.CharField(help_text="The month, `YYYY-MM`, in UTC.")
    closed = fields.Flag(
        help_text="Whether the statement is final. It is, one hour after the end of the month.",
    )


@extend_schema_serializer(component_name="AccountStatementList")
class StatementsAnswer(AnswerBody):
    """The months that have a statement."""

    data = MonthAnswer(  # type: ignore[assignment]
        many=True, help_text="Every month from the account's first to the current one, newest first."
    )


class GroupAnswer(AnswerBody):
    """What was paid and refunded of a part of the month."""

    capturedCents = WalletCents(help_text="Paid for bookings.", logged=True)
    refundedCents = WalletCents(help_text="Refunded after it was paid.", logged=True)


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
    """The account's money in one month, equal to its ledger."""

    month = serializers.CharField(help_text="The month, `YYYY-MM`, in UTC.")
    currency = fields.Currency(logged=True, help_text="ISO 4217 code of the account's currency.")
    openingCents = WalletCents(
        logged=True,
        help_text=(
            "The balance at the start of the month, available and held together: `closingCents` of the month before."
        ),
    )
    topUpsCents = WalletCents(logged=True, help_text="Money that you paid in.")
    capturedCents = WalletCents(logged=True, help_text="Paid for bookings.")
    refundedCents = WalletCents(logged=True, help_text="Refunded after it was paid.")
    adjustmentsCents = WalletCents(
        logged=True, help_text="Corrections by us; negative: the balance went down."
    )
    closingCents = WalletCents(
        logged=True,
        help_text=(
            "The balance at the end of the month, or now, available and held together: opening + top-ups − captured + "
            "refunded + adjustments."
        ),
    )
    heldCents = WalletCents(
        logged=True, help_text="The part of `closingCents` held for bookings that were not paid yet."
    )
    closed = fields.Flag(
        help_text=(
            "Whether the statement is final. It is, one hour after the end of the month, and never changes then."
        ),
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
