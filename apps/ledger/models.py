"""The ledger: what each partner may spend (wallet), what is held (hold), and every step that led there.

A transaction and its entries are written once and never changed or deleted; the database refuses that for every role (migration
0002). The wallet's two figures are a cache of the sum of its entries. They are changed together with the entries under one row
lock, by the verbs in `money.py`, which are the only code that moves money. `check_ledger` recomputes all of it.
"""

from django.db import models
from django.db.models import F, Q

from apps.accounts.models import Account, User
from apps.common import clock
from apps.common.environments import Environment
from apps.common.ids import new_id
from apps.common.money import in_words
from apps.keys.models import ApiKey

MOST_CENTS = 10**15
"""The largest amount that anybody may name: of an arrival, a balance, a warning."""


def new_hold_id() -> str:
    return new_id("hold")


def new_transaction_id() -> str:
    return new_id("led")


def new_movement_id() -> str:
    return new_id("mov")


class Wallet(models.Model):
    """The prepaid balance of one account in one environment. Every verb locks its row."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="wallets", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    currency = models.CharField(max_length=3, help_text="ISO 4217")
    balance_cents = models.BigIntegerField(default=0, help_text="Available and held together")
    held_cents = models.BigIntegerField(default=0, help_text="Set aside by open holds")
    moved_at = models.DateTimeField(
        default=clock.now, help_text="Time of the latest transaction; the next one is always later"
    )
    warn_below_cents = models.BigIntegerField(
        null=True, blank=True, help_text="Its people are warned when less is available; empty: never"
    )
    limits_at = models.DateTimeField(
        null=True, editable=False, help_text="When the spend limits of one of its keys were set last"
    )

    low_since = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Time of the latest entry when balance.low was sent; empty: not low since",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "environment"], name="wallet_once_per_environment"),
            models.CheckConstraint(
                condition=Q(environment__in=["test", "live"]), name="wallet_environment_known"
            ),
            models.CheckConstraint(condition=Q(held_cents__gte=0), name="wallet_held_not_negative"),
            models.CheckConstraint(
                condition=Q(balance_cents__gte=F("held_cents")), name="wallet_available_not_negative"
            ),
            models.CheckConstraint(condition=Q(warn_below_cents__gt=0), name="wallet_warns_above_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.environment}"

    @property
    def available_cents(self) -> int:
        return self.balance_cents - self.held_cents


class HoldStatus(models.TextChoices):
    """An open hold is captured or released, once."""

    OPEN = "open"
    CAPTURED = "captured"
    RELEASED = "released"


class Hold(models.Model):
    """Funds set aside before a supplier is asked. The supplier's answer then captures or releases them."""

    id = models.CharField(primary_key=True, max_length=64, default=new_hold_id, editable=False)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="holds", db_index=False)
    amount_cents = models.BigIntegerField()
    status = models.CharField(max_length=8, choices=HoldStatus, default=HoldStatus.OPEN)
    captured_cents = models.BigIntegerField(default=0, help_text="What the partner paid of it in the end")
    reference = models.CharField(max_length=128, help_text="What it is for; requested twice, held once")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reference"], name="hold_once"),
            models.CheckConstraint(condition=Q(amount_cents__gte=0), name="hold_amount_not_negative"),
            models.CheckConstraint(
                condition=Q(status="open", captured_cents=0, resolved_at__isnull=True)
                | Q(status="captured", captured_cents__gte=0, resolved_at__isnull=False)
                | Q(status="released", captured_cents=0, resolved_at__isnull=False),
                name="hold_state_consistent",
            ),
            models.CheckConstraint(
                condition=Q(captured_cents__lte=F("amount_cents")), name="hold_captured_within_amount"
            ),
        ]
        # Each partner's home page asks how long money has been held, and few holds are open.
        indexes = [
            models.Index(fields=["wallet", "created_at"], name="hold_open", condition=Q(status="open"))
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.status})"


class SpendLimit(models.Model):
    """What one key may spend, and what its holds of the latest UTC day and of that day's month come to, less what was released.

    A key without limits has no row. The figures are a cache of the ledger: the statements that hold and release keep them, under
    the wallet's lock, and setting the limits counts them again. They are in one row with the limits, because a statement that
    waited for a lock sees the locked row alone as it is after the wait.
    """

    key = models.OneToOneField(ApiKey, primary_key=True, on_delete=models.PROTECT, related_name="spend_limit")
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+", db_index=False)
    per_booking_cents = models.BigIntegerField(
        null=True, blank=True, help_text="Of one hold; empty: no limit"
    )
    per_day_cents = models.BigIntegerField(null=True, blank=True, help_text="Of a UTC day; empty: no limit")
    per_month_cents = models.BigIntegerField(
        null=True, blank=True, help_text="Of a UTC month; empty: no limit"
    )
    approval_above_cents = models.BigIntegerField(
        null=True, blank=True, help_text="A booking above it awaits approval; empty: none does"
    )
    day = models.DateField(help_text="The UTC day of the latest hold")
    day_cents = models.BigIntegerField(default=0)
    month_cents = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            # The statement that holds writes -1 where another hold was quicker to use the limit up (`statements.OVERSPENT`).
            models.CheckConstraint(condition=Q(day_cents__gte=0), name="spend_limit_not_exceeded"),
            models.CheckConstraint(condition=Q(month_cents__gte=0), name="spend_limit_month_not_negative"),
        ]

    def __str__(self) -> str:
        return f"Spend limits of {self.key_id}"


class TransactionType(models.TextChoices):
    """What a step means to the partner. In brackets: the buckets that its entries move money between."""

    TOP_UP = "top_up"  # the partner's money arrived [funding → available]
    HOLD = "hold"  # set aside before a supplier is asked [available → held]
    CAPTURE = "capture"  # what was held is paid; it may be less than was held [held → sales]
    RELEASE = "release"  # what was held, or the rest of it, is available again [held → available]
    REFUND = "refund"  # paid money returns after a cancellation or a cheaper change [sales → available]
    ADJUSTMENT = "adjustment"  # corrected by staff, up or down [funding ↔ available]


class LedgerTransaction(models.Model):
    """One step of money, as the partner reads it in GET /v1/account/ledger (contract §3, "Account").

    It exists beside the wallet so that every balance can be explained and recomputed. Within a wallet `created_at` rises
    strictly: it is assigned under the wallet's lock, so a page that was read never gains a row.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_transaction_id, editable=False)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="transactions", db_index=False)
    # No foreign key in the database: it is the account of the wallet, read from the wallet's locked row, and the wallet has one.
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    environment = models.CharField(max_length=4, choices=Environment)
    type = models.CharField(max_length=16, choices=TransactionType)
    # No foreign key in the database: both rows come from one statement, and no hold is ever deleted.
    hold = models.ForeignKey(
        Hold,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="transactions",
        db_index=False,
        db_constraint=False,
    )
    reference = models.CharField(
        max_length=128, help_text="With the type, what makes the step safe to repeat"
    )
    currency = models.CharField(max_length=3)
    amount_cents = models.BigIntegerField(help_text="Signed effect on what is available")
    held_delta_cents = models.BigIntegerField(help_text="Signed effect on what is held")
    available_after_cents = models.BigIntegerField()
    held_after_cents = models.BigIntegerField()
    booking_type = models.CharField(max_length=16, null=True, blank=True)
    booking_reference = models.CharField(max_length=32, null=True, blank=True)
    key_id = models.CharField(max_length=64, null=True, blank=True)
    request_id = models.CharField(max_length=64, null=True, blank=True)
    operation_id = models.CharField(max_length=64, null=True, blank=True)
    description = models.CharField(max_length=255, blank=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        db_table = "ledger_transaction"
        constraints = [
            models.UniqueConstraint(fields=["type", "reference"], name="ledger_transaction_once"),
            models.CheckConstraint(
                condition=Q(type__in=["top_up", "hold", "capture", "release", "refund", "adjustment"]),
                name="ledger_transaction_type_known",
            ),
            models.CheckConstraint(
                condition=Q(available_after_cents__gte=0, held_after_cents__gte=0),
                name="ledger_transaction_never_overdrawn",
            ),
        ]
        # Keyset pages, unfiltered and by either filter (contract §3); the account and environment always
        # lead.
        indexes = [
            models.Index(
                "account", "environment", F("created_at").desc(), F("id").desc(), name="ledger_newest"
            ),
            models.Index(
                "account",
                "environment",
                "type",
                F("created_at").desc(),
                F("id").desc(),
                name="ledger_by_type",
            ),
            models.Index(
                "account",
                "environment",
                "booking_reference",
                F("created_at").desc(),
                F("id").desc(),
                name="ledger_by_booking",
                condition=Q(booking_reference__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.reference}"


class Bucket(models.TextChoices):
    """Where money is. The first two are the partner's; the others are where it comes from and goes to."""

    AVAILABLE = "available"
    HELD = "held"
    SALES = "sales"  # paid for bookings
    FUNDING = "funding"  # the world outside: top-ups come from it, so it is negative


class LedgerEntry(models.Model):
    """One leg of a transaction. The legs of a transaction sum to zero in its currency (migration 0002)."""

    # No foreign key in the database: the check at commit that the entries of a transaction sum to zero looks for the transaction
    # as well (migration 0002), and no transaction is ever deleted.
    transaction = models.ForeignKey(
        LedgerTransaction,
        on_delete=models.PROTECT,
        related_name="entries",
        db_index=False,
        db_constraint=False,
    )
    bucket = models.CharField(max_length=9, choices=Bucket)
    amount_cents = models.BigIntegerField(help_text="Signed: what the bucket gains")
    currency = models.CharField(max_length=3)

    class Meta:
        db_table = "ledger_entry"
        verbose_name_plural = "ledger entries"
        constraints = [
            models.UniqueConstraint(fields=["transaction", "bucket"], name="ledger_entry_once_per_bucket"),
            models.CheckConstraint(
                condition=Q(bucket__in=["available", "held", "sales", "funding"]),
                name="ledger_entry_bucket_known",
            ),
            models.CheckConstraint(condition=~Q(amount_cents=0), name="ledger_entry_not_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.bucket} {in_words(self.amount_cents, self.currency)}"


class MonthStatement(models.Model):
    """The figures of a closed month of one account and environment (`months.py`). Written once; the database refuses changes.

    Opening and closing balances are available and held together.
    """

    # No foreign key in the database: an account that has a ledger is never deleted, and one without it has nothing to state.
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    environment = models.CharField(max_length=4, choices=Environment)
    month = models.DateField(help_text="Its first day")
    currency = models.CharField(max_length=3)
    opening_cents = models.BigIntegerField()
    top_ups_cents = models.BigIntegerField()
    captured_cents = models.BigIntegerField()
    refunded_cents = models.BigIntegerField()
    adjustments_cents = models.BigIntegerField()
    closing_cents = models.BigIntegerField()
    held_cents = models.BigIntegerField(help_text="What of the closing balance is held")
    line_count = models.IntegerField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the lines")
    closed_at = models.DateTimeField()

    class Meta:
        db_table = "ledger_statement"
        constraints = [
            models.UniqueConstraint(fields=["account", "environment", "month"], name="ledger_statement_once"),
            models.CheckConstraint(
                condition=Q(
                    closing_cents=F("opening_cents")
                    + F("top_ups_cents")
                    - F("captured_cents")
                    + F("refunded_cents")
                    + F("adjustments_cents")
                ),
                name="ledger_statement_adds_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.environment} {self.month:%Y-%m}"


class MovementType(models.TextChoices):
    """The movements of money that staff make. Every other one follows a booking."""

    TOP_UP = "top_up", "top-up: money that arrived"
    ADJUSTMENT = "adjustment", "adjustment: a correction, up or down"


class MovementState(models.TextChoices):
    """proposed → confirmed, refused or expired, once."""

    PROPOSED = "proposed"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    EXPIRED = "expired"


class StaffMovement(models.Model):
    """Money that one member of staff wants to move and another confirms. Nothing moves before. Test money one person moves.

    Its id is the reference of the step in the ledger, so that it is moved once.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_movement_id, editable=False)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="movements")
    type = models.CharField(max_length=16, choices=MovementType)
    amount_cents = models.BigIntegerField(
        help_text="Minor units of the wallet's currency; an adjustment may be negative"
    )
    evidence = models.CharField(
        max_length=128, help_text="What proves it: the bank's reference of the arrival, a ticket"
    )
    reason = models.CharField(
        max_length=255, help_text="For the person who confirms it; the partner does not see it"
    )
    description = models.CharField(
        max_length=255, blank=True, help_text="What the partner sees next to the line"
    )
    state = models.CharField(max_length=9, choices=MovementState, default=MovementState.PROPOSED)
    proposed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(default=clock.now, editable=False)
    decided_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    refusal = models.CharField(max_length=255, blank=True)
    is_test = models.BooleanField(
        default=False, db_default=False, editable=False, help_text="Of a test wallet: one person moved it"
    )

    class Meta:
        verbose_name = "top-up or adjustment"
        verbose_name_plural = "top-ups and adjustments"
        permissions = [("confirm_staffmovement", "Can confirm or reject what another person proposed")]
        constraints = [
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("proposed_by")) | Q(is_test=True),
                name="movement_decided_by_a_second_person",
            ),
            models.CheckConstraint(
                condition=Q(state="proposed", decided_by__isnull=True, decided_at__isnull=True)
                | Q(state="expired", decided_by__isnull=True, decided_at__isnull=False)
                | Q(state__in=["confirmed", "refused"], decided_by__isnull=False, decided_at__isnull=False),
                name="movement_state_consistent",
            ),
            models.CheckConstraint(
                condition=Q(type="top_up", amount_cents__gt=0) | (Q(type="adjustment") & ~Q(amount_cents=0)),
                name="movement_amount_fits_type",
            ),
            # An arrival of money is credited once, no matter who enters it and for which wallet.
            models.UniqueConstraint(
                fields=["evidence"],
                condition=Q(type="top_up", state__in=["proposed", "confirmed"]),
                name="movement_arrival_once",
            ),
        ]
        indexes = [
            models.Index(fields=["proposed_at"], name="movement_waiting", condition=Q(state="proposed"))
        ]

    def __str__(self) -> str:
        return f"{self.called} to {self.wallet}"

    @property
    def called(self) -> str:
        """`top-up of 150,000.00 EUR`"""
        return f"{self.type.replace('_', '-')} of {in_words(self.amount_cents, self.wallet.currency)}"
