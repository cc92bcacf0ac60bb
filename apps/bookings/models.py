"""The bookings of the four products, the operations that make and alter them, and the settlements still owed."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts import clocks
from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.keys.models import ApiKey
from apps.suppliers.results import LONGEST_REFERENCE

if TYPE_CHECKING:
    Text = models.CharField[str, str]
else:
    Text = models.CharField


class Product(models.TextChoices):
    """`bookingType` on the wire."""

    HOTEL = "hotel"
    FLIGHT = "flight"
    TRANSFER = "transfer"
    ESIM = "esim", "eSIM"


class StatusField(Text):
    """A booking's status as on the wire. `awaiting_approval` is stored as `awaiting`: a longer column would break the prepared
    statements of the release that runs while it is altered.
    """

    def from_db_value(self, value: str | None, *_: object) -> str | None:
        return "awaiting_approval" if value == "awaiting" else value

    def get_prep_value(self, value: Any) -> Any:
        prepared = super().get_prep_value(value)
        return "awaiting" if prepared == "awaiting_approval" else prepared


class Booking(models.Model):
    """A booking or order of any product, as the partner sees it. `details` is the product's own part.

    Rows are created by one statement, together with their operation and hold: `statements.INSERT_BOOKING`.

    Each product has its own word in `status` (confirmed, ticketed, provisioned); `pending`, `awaiting_approval`,
    `cancelled` and `failed` are shared.
    """

    PENDING = "pending"
    AWAITING_APPROVAL = "awaiting_approval"
    ON_HOLD = "on_hold"
    CANCELLED = "cancelled"
    FAILED = "failed"
    STANDING = frozenset({"confirmed", "ticketed", "provisioned", ON_HOLD})
    """There is one at the supplier. One that is on hold is not paid: no funds are held or captured for it."""

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    product = models.CharField(max_length=8, choices=Product)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, related_name="+", db_index=False)
    reference = models.CharField(max_length=16, unique=True)
    external_reference = models.CharField(max_length=64, null=True, blank=True)
    trip_reference = models.CharField(
        max_length=64, null=True, blank=True, help_text="Shared by the bookings of a trip"
    )
    status = StatusField(max_length=16, default=PENDING)
    total_cents = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    sold_for_cents = models.BigIntegerField(
        null=True, blank=True, help_text="What the partner's customer pays: for documents alone"
    )
    exchange = models.JSONField(
        null=True,
        blank=True,
        help_text="The rate of all its amounts, from the supplier's currency: {base, quote, rate, asOf}. Null: the same currency",
    )
    supplier_name = models.CharField(max_length=32)
    supplier_reference = models.CharField(max_length=LONGEST_REFERENCE, default="", blank=True)
    details = models.JSONField(default=dict)
    cancellation = models.JSONField(null=True, blank=True)
    request_id = models.CharField(max_length=36, default="", help_text="The request that made it")
    approval_expires_at = models.DateTimeField(
        null=True, blank=True, help_text="Until when it could be approved; null: it never awaited that"
    )
    watched_until = models.DateTimeField(
        null=True, blank=True, help_text="When the journey is over: until then the supplier is polled"
    )
    next_news_at = models.DateTimeField(null=True, blank=True, help_text="Null while it is not polled")
    event_count = models.PositiveIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="How many events it had: the last one's sequence",
    )
    erased_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When its travellers were forgotten"
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "environment", "product", "external_reference"],
                condition=Q(external_reference__isnull=False) & ~Q(status="failed"),
                name="booking_external_reference_once",
            ),
            models.CheckConstraint(condition=Q(total_cents__gte=0), name="booking_total_not_negative"),
            models.CheckConstraint(
                condition=Q(
                    status__in=[
                        *("pending", "awaiting_approval", "on_hold", "confirmed"),
                        *("ticketed", "provisioned", "cancelled", "failed"),
                    ]
                ),
                name="booking_status_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["account", "environment", "product", "-created_at", "-id"],
                name="booking_newest_first",
            ),
            models.Index(
                fields=["account", "environment", "product", "status", "-created_at", "-id"],
                name="booking_by_status",
            ),
            # For equal references and for their beginnings.
            models.Index(
                fields=["account", "environment", "product", "external_reference", "-created_at", "-id"],
                opclasses=["", "", "", "varchar_pattern_ops", "", ""],
                name="booking_by_partners_reference",
                condition=Q(external_reference__isnull=False),
            ),
            models.Index(
                fields=["account", "environment", "product", "trip_reference", "-created_at", "-id"],
                name="booking_of_trip",
                condition=Q(trip_reference__isnull=False),
            ),
            models.Index(
                fields=["environment", "next_news_at"],
                name="booking_news_due_in",
                condition=Q(next_news_at__isnull=False),
            ),
            models.Index(
                fields=["account", "environment", "product", "updated_at", "id"], name="booking_by_update"
            ),
            # For suppliers' webhooks, and for the portal, which finds a booking by any of its references.
            models.Index(
                fields=["supplier_reference"],
                name="booking_by_suppliers_reference",
                condition=~Q(supplier_reference=""),
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    def now(self) -> datetime:
        """The time in the booking's environment."""
        return clocks.now_in(self.account_id, self.environment)

    @property
    def paid_cents(self) -> int:
        """What the partner has paid, and at most gets back: nothing of a booking that is on hold."""
        return 0 if self.status == self.ON_HOLD else self.total_cents

    @property
    def pay_by(self) -> datetime | None:
        """Until when a booking on hold can be paid; None for any other booking."""
        return self._of_hold("pay_by")

    @property
    def price_guaranteed_until(self) -> datetime | None:
        """Until when the price of a booking on hold stays as it is, where that is guaranteed; None for any other booking."""
        return self._of_hold("price_guaranteed_until")

    @property
    def is_awaiting_approval(self) -> bool:
        return self.status == self.AWAITING_APPROVAL

    def _of_hold(self, name: str) -> datetime | None:
        stored = self.details.get(name) if self.status == self.ON_HOLD else None
        return datetime.fromisoformat(stored) if stored else None


class TravellerKey(models.Model):
    """The data key under which one booking's travellers are sealed, wrapped under FIELD_ENCRYPTION_KEYS; and by what the booking
    is found by their last names.

    Erasing deletes the row. It refers to no table, so that the keys of today can be loaded beside the bookings of yesterday's
    backup.
    """

    booking_id = models.CharField(primary_key=True, max_length=64, editable=False)
    wrapped = models.BinaryField()
    last_names = ArrayField(
        models.BinaryField(),
        null=True,
        editable=False,
        help_text="Keyed hashes of the travellers' last names; null: not hashed yet",
    )

    class Meta:
        indexes = [GinIndex(fields=["last_names"], name="traveller_last_names", fastupdate=False)]

    def __str__(self) -> str:
        return self.booking_id


class OperationKind(models.TextChoices):
    BOOK = "book"
    CHANGE = "change"
    CANCEL = "cancel"
    ACCEPT = "accept", "accept a schedule change"
    SERVICES = "services", "add bags"
    PAY = "pay", "pay for an order on hold"
    CORRECT = "correct", "correct a name"
    REFUND = "refund", "request a refund"


class OperationState(models.TextChoices):
    """held → calling → confirmed, failed or uncertain. uncertain → confirmed, failed or review. awaiting → held or failed."""

    AWAITING = "awaiting"  # funds are held, and the partner's people decide whether it continues
    HELD = "held"  # funds are held, the supplier was not asked
    CALLING = "calling"  # the supplier may have been asked
    UNCERTAIN = "uncertain"  # the supplier was asked, and the answer is not known: looked up, never repeated
    CONFIRMED = "confirmed"
    FAILED = "failed"
    REVIEW = "review"  # not resolved within a day: staff decide, and the hold stays


OPEN_STATES = ("awaiting", "held", "calling", "uncertain", "review")


class Decision(models.TextChoices):
    """What a member decided about an operation that awaited approval."""

    APPROVED = "approved"
    DECLINED = "declined"


class Operation(models.Model):
    """One attempt to book, change or cancel at a supplier. Every change of state names the expected state and lease."""

    booking = models.ForeignKey(Booking, on_delete=models.PROTECT, related_name="operations")
    kind = models.CharField(max_length=8, choices=OperationKind)
    state = models.CharField(max_length=10, choices=OperationState, default=OperationState.HELD)
    client_ref = models.CharField(
        max_length=32, unique=True, help_text="Our own reference, sent with the supplier call"
    )
    idempotency_record_id = models.BigIntegerField(
        null=True, help_text="The Idempotency-Key it began under: a retry finds it by this"
    )
    request = models.JSONField(default=dict, help_text="All that calling the supplier and looking up need")
    prepared = models.JSONField(
        default=dict, help_text="What the supplier returned before the call: price now, quote"
    )
    amount_cents = models.BigIntegerField(default=0, help_text="What is held for it")
    hold_id = models.CharField(max_length=64, default="", blank=True)
    failure = models.CharField(max_length=64, default="", blank=True)
    approval_expires_at = models.DateTimeField(
        null=True, blank=True, help_text="Until when it could be approved; null: it needed no approval"
    )
    decision = models.CharField(max_length=8, choices=Decision, default="", db_default="", blank=True)
    decided_by = models.CharField(
        max_length=300, default="", db_default="", blank=True, help_text="As the audit trail names the person"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decision_reason = models.CharField(max_length=255, default="", db_default="", blank=True)
    call_started_at = models.DateTimeField(null=True, blank=True)
    lease_token = models.UUIDField()
    lease_until = models.DateTimeField()
    next_attempt_at = models.DateTimeField(null=True, blank=True, help_text="Null once resolved")
    lookups = models.PositiveIntegerField(default=0)
    first_not_found_at = models.DateTimeField(null=True, blank=True)
    key_id = models.CharField(max_length=64, default="")
    request_id = models.CharField(max_length=36, default="")
    trace_context = models.BinaryField(
        null=True,
        help_text="The span that it began in, to be continued later; empty where no trace is recorded",
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["booking"], condition=Q(state__in=OPEN_STATES), name="operation_one_open_per_booking"
            ),
            # A process that was frozen for longer than its claim on the key must not begin an operation beside the new owner's.
            models.UniqueConstraint(
                fields=["idempotency_record_id"],
                condition=~Q(state="failed"),
                name="operation_one_live_per_key",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=["awaiting", "held", "calling", "uncertain", "confirmed", "failed", "review"]
                ),
                name="operation_state_known",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["book", "change", "cancel", "accept", "services", "pay", "correct", "refund"]
                ),
                name="operation_kind_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at"], name="operation_due", condition=Q(next_attempt_at__isnull=False)
            ),
            # Those that did not fail are found by `operation_one_live_per_key`.
            models.Index(
                fields=["idempotency_record_id"],
                name="operation_failed_under_key",
                condition=Q(state="failed"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.client_ref}: {self.state}"


class CancellationQuote(models.Model):
    """What cancelling a booking was quoted at last: a newer quote takes the row, and so voids the older one."""

    booking = models.OneToOneField(
        Booking, on_delete=models.PROTECT, primary_key=True, related_name="+", editable=False
    )
    quote_id = models.CharField(max_length=64, help_text="`cancellationQuoteId` on the wire: cq_…")
    penalty_cents = models.BigIntegerField(help_text="The most that the partner pays")
    quote = models.JSONField(help_text="The supplier's own quote, and what was paid for the booking")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="cancellation_quote_age")]

    def __str__(self) -> str:
        return self.quote_id


class PastKey(models.Model):
    """An Idempotency-Key whose answer is forgotten, and under which an operation began: its outcome is still reported."""

    record_id = models.BigIntegerField(
        unique=True, help_text="The record of the key that was deleted: its operations name it"
    )
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    key = models.CharField(max_length=255)
    operation = models.CharField(max_length=64, default="", help_text="The OpenAPI operationId of the call")
    request_id = models.CharField(max_length=36, default="")
    status = models.PositiveSmallIntegerField(null=True)
    first_seen_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["account", "environment", "key"], name="past_key_by_key")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.key}"


class SettlementAction(models.TextChoices):
    CAPTURE = "capture"  # a confirmed transfer's hold
    CREDIT = "credit"  # the difference of a cheaper flight change


class Settlement(models.Model):
    """Money that moves after the answer. Written with the fact that owes it, and moved once by the reconciliation worker."""

    operation = models.OneToOneField(Operation, on_delete=models.PROTECT, related_name="settlement")
    booking = models.ForeignKey(Booking, on_delete=models.PROTECT, related_name="settlements")
    action = models.CharField(max_length=8, choices=SettlementAction)
    amount_cents = models.BigIntegerField()
    hold_id = models.CharField(max_length=64, default="", blank=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)
    next_attempt_at = models.DateTimeField(
        default=clock.now,
        db_default=Now(),
        help_text="When a worker may take it; of no meaning once it is settled",
    )
    failures = models.IntegerField(default=0, db_default=0, help_text="How often it failed in a row")
    failure = models.CharField(
        max_length=255, default="", db_default="", blank=True, help_text="Why it failed the last time"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(action__in=["capture", "credit"]), name="settlement_action_known"
            ),
            models.CheckConstraint(condition=Q(amount_cents__gte=0), name="settlement_not_negative"),
        ]
        indexes = [
            models.Index(fields=["created_at"], name="settlement_owed", condition=Q(settled_at__isnull=True)),
            models.Index(
                fields=["next_attempt_at", "id"], name="settlement_due", condition=Q(settled_at__isnull=True)
            ),
            models.Index(
                fields=["failures"],
                name="settlement_failing",
                condition=Q(settled_at__isnull=True, failures__gt=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} owed for {self.booking_id}"
