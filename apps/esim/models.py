"""The plan catalogue and the last known usage of profiles. Orders themselves are bookings (`apps.bookings`)."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from apps.bookings.models import Booking
from apps.common import clock
from apps.common.environments import Environment


class PlanType(models.TextChoices):
    DATA = "data"
    UNLIMITED = "unlimited"
    VOICE_SMS = "voice_sms"


class Plan(models.Model):
    """A plan as its supplier last sold it, in the supplier's currency; partners read nothing else.

    Rows belong to an environment and a supplier, for a test key's plans are the simulator's. The id is made of both and of the
    supplier's own id, so that it outlives a sync, a withdrawal and even the table.
    """

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    environment = models.CharField(max_length=4, choices=Environment)
    supplier_name = models.CharField(max_length=32)
    supplier_plan_id = models.CharField(max_length=255)
    name = models.CharField(max_length=255)
    plan_type = models.CharField(max_length=16, choices=PlanType)
    countries = ArrayField(models.CharField(max_length=2))
    region = models.CharField(
        max_length=32, null=True, blank=True, help_text="Empty for a plan of one country"
    )
    data_mb = models.PositiveIntegerField(null=True, blank=True, help_text="Empty when unlimited")
    validity_days = models.PositiveIntegerField()
    voice_minutes = models.PositiveIntegerField()
    sms_count = models.PositiveIntegerField()
    price_cents = models.BigIntegerField(help_text="Net, in the supplier's currency")
    currency = models.CharField(max_length=3)
    coverage = models.JSONField(help_text="[{country, networks}]")
    activation = models.CharField(
        max_length=16, null=True, blank=True, help_text="When its days begin: first_use, installation"
    )
    install_within_days = models.PositiveIntegerField(null=True, blank=True)
    fair_usage_policy = models.TextField(null=True, blank=True)
    notes = ArrayField(models.TextField(), default=list, db_default=[], blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True, help_text="No longer sold since then")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["environment", "supplier_name", "supplier_plan_id"], name="plan_once_per_supplier"
            ),
            models.CheckConstraint(condition=Q(price_cents__gte=0), name="plan_price_not_negative"),
            models.CheckConstraint(
                condition=Q(plan_type__in=["data", "unlimited", "voice_sms"]), name="plan_type_known"
            ),
            models.CheckConstraint(
                condition=~Q(plan_type="data", data_mb=None)
                & ~Q(plan_type="unlimited", data_mb__isnull=False),
                name="plan_size_fits_its_type",
            ),
        ]
        indexes = [
            models.Index(
                fields=["environment", "supplier_name"],
                name="plan_on_sale",
                condition=Q(withdrawn_at__isnull=True),
            ),
            GinIndex(fields=["countries"], name="plan_countries"),
        ]

    def __str__(self) -> str:
        return self.name


class CatalogueGap(models.Model):
    """How many plans the last sync of a supplier's catalogue left out. Without a row: none."""

    environment = models.CharField(max_length=4, choices=Environment)
    supplier_name = models.CharField(max_length=32)
    identity_check = models.PositiveIntegerField(
        help_text="Plans whose buyer would have to prove an identity"
    )
    unreadable = models.PositiveIntegerField(help_text="Plans whose data is malformed")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["environment", "supplier_name"], name="catalogue_gap_once"),
        ]

    def __str__(self) -> str:
        return f"{self.supplier_name} {self.environment}"


class LastUsage(models.Model):
    """What a profile had used when its supplier was last heard; answered while it is not."""

    booking = models.OneToOneField(Booking, on_delete=models.PROTECT, primary_key=True, related_name="+")
    status = models.CharField(max_length=16, null=True, blank=True)
    total_mb = models.PositiveIntegerField(null=True, blank=True, help_text="Empty when unlimited")
    used_mb = models.PositiveIntegerField()
    valid_until = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField()
    asked_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text=(
            "When a rate-limited supplier was last polled; it has not responded while this is the later time"
        ),
    )
    unanswered_at = models.DateTimeField(
        null=True, blank=True, help_text="When a call to the supplier last ended without a response"
    )
    reported = ArrayField(
        models.CharField(max_length=32),
        default=list,
        db_default=[],
        help_text="The levels of low data that the partner was notified of, each with the number of top-ups by then",
    )

    def __str__(self) -> str:
        return f"{self.booking_id}: {self.used_mb} MB"


class TopUpOffers(models.Model):
    """What a supplier last said that a profile can be topped up with: the prices that the partner was quoted."""

    booking = models.OneToOneField(Booking, on_delete=models.PROTECT, primary_key=True, related_name="+")
    plans = models.JSONField(help_text="[TopUpPlan], prices in the supplier's currency")
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.booking_id}: {len(self.plans)} top-ups"


class KeptInstructions(models.Model):
    """How to install a profile, as its supplier said. It rarely changes, and suppliers may not be asked often."""

    booking = models.OneToOneField(Booking, on_delete=models.PROTECT, primary_key=True, related_name="+")
    instructions = models.JSONField(help_text="Instructions")
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.booking_id}: {self.read_at:%Y-%m-%d}"


class KeptTranslation(models.Model):
    """The same in another language than English."""

    booking = models.ForeignKey(Booking, on_delete=models.PROTECT, related_name="+", db_index=False)
    language = models.CharField(max_length=35, help_text="The tag that the supplier was called with")
    instructions = models.JSONField(help_text="Instructions")
    read_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["booking", "language"], name="instructions_once_per_language"),
        ]

    def __str__(self) -> str:
        return f"{self.booking_id} {self.language}: {self.read_at:%Y-%m-%d}"


class RefundStatus(models.TextChoices):
    REQUESTED = "requested"
    GRANTED = "granted"
    DECLINED = "declined"


class RefundRequest(models.Model):
    """An order's newest refund request, for staff. Partners see what the order's details have of it."""

    booking = models.OneToOneField(
        Booking, on_delete=models.PROTECT, primary_key=True, related_name="+", editable=False
    )
    client_ref = models.CharField(max_length=32, help_text="Our own reference of it")
    status = models.CharField(max_length=9, choices=RefundStatus, default=RefundStatus.REQUESTED)
    reason = models.CharField(max_length=32)
    supplier_reference = models.CharField(max_length=255, blank=True, help_text="The supplier's name for it")
    is_certain = models.BooleanField(help_text="Whether the supplier has confirmed that it has the request")
    supplier_says = models.CharField(
        max_length=32, blank=True, help_text="The order's status there, where that does not decide"
    )
    requested_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="From then on staff find out its outcome")
    alerted_at = models.DateTimeField(null=True, help_text="When staff were alerted")
    decided_at = models.DateTimeField(null=True)
    refunded_cents = models.BigIntegerField(null=True, help_text="Null until it is decided")

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="refund_open", condition=Q(decided_at__isnull=True))]

    def __str__(self) -> str:
        return self.client_ref
