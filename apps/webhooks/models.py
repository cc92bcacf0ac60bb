"""Webhooks: where a partner listens, what happened, what is owed to whom, what is sent once more in bulk, and exams.

Event (the payload, which never changes) → Delivery (one for each endpoint) → Attempt (one for each send). An unfinished delivery
has a `next_attempt_at`; the indexes over due work contain only those rows, so they stay small however long the history is.
"""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import DateTimeField, ExpressionWrapper, F, Func, OuterRef, Q, Subquery, Value
from django.db.models.expressions import Combinable

from apps.accounts import clocks
from apps.accounts.models import Account
from apps.common import clock
from apps.common.encryption import decrypt
from apps.common.environments import Environment
from apps.common.ids import new_id


def new_endpoint_id() -> str:
    return new_id("we")


class EndpointStatus(models.TextChoices):
    ENABLED = "enabled"
    DISABLED = "disabled"


class DisabledReason(models.TextChoices):
    """Why an endpoint receives nothing."""

    CONSECUTIVE_FAILURES = "consecutive_failures"  # ten deliveries in a row ended as FAILED or EXHAUSTED
    BY_PARTNER = "disabled_by_partner"


class Endpoint(models.Model):
    """A URL of a partner, the event types it is sent, and the secret that signs them.

    Deleting keeps the row, without its secrets, so that the history of its deliveries stays readable.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_endpoint_id, editable=False)
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="webhook_endpoints", db_index=False
    )
    environment = models.CharField(max_length=4, choices=Environment)
    url = models.CharField(max_length=2048)
    events = ArrayField(models.CharField(max_length=64))
    description = models.CharField(max_length=255, default="", blank=True)
    status = models.CharField(max_length=8, choices=EndpointStatus, default=EndpointStatus.ENABLED)
    disabled_reason = models.CharField(max_length=32, choices=DisabledReason, null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    consecutive_failures = models.PositiveSmallIntegerField(
        default=0, help_text="Deliveries in a row that ended failed or exhausted"
    )
    # Whatever becomes due earlier for all of its deliveries (the endpoint is enabled, the clock of its test environment moves) is
    # written here alone: however many wait, none of their rows is written.
    schedule_ahead = models.DurationField(
        default=timedelta(0),
        db_default=timedelta(0),
        editable=False,
        help_text="How far the schedule of its deliveries is ahead of the real time; it never goes back",
    )
    due_from = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When it was last enabled: what waited became due then, in real time",
    )
    secret_encrypted = models.TextField()
    previous_secret_encrypted = models.TextField(default="", blank=True)
    previous_secret_expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    updated_at = models.DateTimeField(default=clock.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(environment__in=["test", "live"]), name="endpoint_environment"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["enabled", "disabled"]), name="endpoint_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status="enabled", disabled_at=None)
                | Q(status="disabled", disabled_at__isnull=False),
                name="endpoint_disabled_at",
            ),
            models.CheckConstraint(
                condition=Q(deleted_at=None) | Q(status="disabled", secret_encrypted=""),
                name="endpoint_deleted_has_no_secret",
            ),
        ]
        indexes = [
            models.Index(
                F("account"), F("environment"), F("created_at").desc(), F("id").desc(), name="endpoint_page"
            ),
        ]

    def __str__(self) -> str:
        return self.url

    def now(self) -> datetime:
        """The time in the endpoint's environment."""
        return clocks.now_in(self.account_id, self.environment)

    def due_at(self, next_attempt_at: datetime) -> datetime:
        """The real time at which a delivery of this schedule is due."""
        due = next_attempt_at - self.schedule_ahead
        return due if self.due_from is None else max(due, self.due_from)

    @property
    def secret(self) -> str:
        """The current signing secret, shown only where it is made."""
        return decrypt(self.secret_encrypted)


RETENTION = timedelta(days=30)
"""How long events, deliveries and attempts are stored."""


def new_event_id() -> str:
    return new_id("evt")


def new_delivery_id() -> str:
    return new_id("whd")


class Event(models.Model):
    """Something that happened, written in the transaction in which it happened.

    `payload` is the text that every attempt sends, byte for byte.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_event_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    type = models.CharField(max_length=64)
    payload = models.TextField()
    booking_id = models.CharField(max_length=64, default="", blank=True)
    booking_reference = models.CharField(max_length=16, default="", blank=True)
    request_id = models.CharField(
        max_length=64, default="", blank=True, help_text="The request that led to it"
    )
    sequence = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Which event of its booking: 1, 2, 3 …; empty without a booking",
    )
    arrival = models.BigIntegerField(
        null=True,
        editable=False,
        db_default=Func(Value("webhooks_event_arrival"), function="nextval"),
        help_text="Grows as rows are written: events of one booking are in their sequence by it",
    )
    feed_position = models.BigIntegerField(
        null=True, editable=False, help_text="Its place in the feed; empty until it is read that far"
    )
    trace_context = models.BinaryField(
        null=True,
        help_text="The span that it was written in, to be continued later; empty where no trace is recorded",
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            # It also finds the events of a booking.
            models.UniqueConstraint(
                fields=["booking_reference", "sequence"],
                name="event_sequence_once",
                condition=~Q(booking_reference=""),
            ),
            models.UniqueConstraint(
                fields=["account", "environment", "feed_position"],
                name="event_feed",
                condition=Q(feed_position__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                F("account"), F("environment"), F("created_at").desc(), F("id").desc(), name="event_page"
            ),
            models.Index(fields=["booking_id"], name="event_by_booking", condition=~Q(booking_id="")),
            # What a feed has yet to place: a row leaves it when it gets its position.
            models.Index(
                F("account"),
                F("environment"),
                F("arrival").asc(nulls_first=True),
                F("created_at"),
                F("id"),
                name="event_unplaced",
                condition=Q(feed_position__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"


class DeliveryStatus(models.TextChoices):
    """As spelled on the wire (contract §3)."""

    PENDING = "PENDING"
    RETRYING = "RETRYING"
    DELIVERED = "DELIVERED"
    FAILED = "FAILED"
    EXHAUSTED = "EXHAUSTED"


UNFINISHED = (DeliveryStatus.PENDING, DeliveryStatus.RETRYING)
NOT_ACCEPTED = (DeliveryStatus.FAILED, DeliveryStatus.EXHAUSTED)
"""Both ended without success. People read one word for them, "Failed", and the page of a delivery says why."""


class Delivery(models.Model):
    """One event to be sent to one endpoint.

    The process that sends it holds a lease: a token, which all deliveries of a batch share, and an end. Where the lease ends
    without a result its process has died, and the delivery is free again. Account, environment and event type are copies of the
    event's, so that the listing needs no join.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_delivery_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="deliveries", db_index=False)
    endpoint = models.ForeignKey(
        Endpoint, on_delete=models.PROTECT, related_name="deliveries", db_index=False
    )
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    event_type = models.CharField(max_length=64)
    status = models.CharField(max_length=9, choices=DeliveryStatus, default=DeliveryStatus.PENDING)
    status_before_resend = models.CharField(
        max_length=9,
        choices=DeliveryStatus,
        null=True,
        blank=True,
        help_text="Set while a resend is in progress",
    )
    attempt_count = models.PositiveSmallIntegerField(
        default=0, help_text="Attempts with a result, resends included"
    )
    lost_count = models.PositiveSmallIntegerField(
        default=0, help_text="Attempts without a result, not counted"
    )
    next_attempt_at = models.DateTimeField(
        null=True,
        blank=True,
        default=clock.now,
        help_text="In the schedule of the endpoint (`schedule_ahead`); empty when finished",
    )
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=["event", "endpoint"], name="delivery_once_per_endpoint"),
            models.CheckConstraint(
                condition=Q(status__in=["PENDING", "RETRYING"], next_attempt_at__isnull=False)
                | Q(status__in=["DELIVERED", "FAILED", "EXHAUSTED"], next_attempt_at=None),
                name="delivery_unfinished_has_next_attempt",
            ),
            models.CheckConstraint(
                condition=Q(lease_token=None, lease_until=None)
                | Q(lease_token__isnull=False, lease_until__isnull=False),
                name="delivery_lease_whole",
            ),
        ]
        indexes = [
            models.Index(
                F("account"), F("environment"), F("created_at").desc(), F("id").desc(), name="delivery_page"
            ),
            # The listing by status: nearly all rows end DELIVERED, and for that one the index above serves.
            models.Index(
                F("account"),
                F("environment"),
                F("status"),
                F("created_at").desc(),
                F("id").desc(),
                name="delivery_page_by_status",
                condition=~Q(status="DELIVERED"),
            ),
            models.Index(
                F("endpoint"), F("created_at").desc(), F("id").desc(), name="delivery_page_by_endpoint"
            ),
            models.Index(
                F("account"),
                F("environment"),
                F("event_type"),
                F("created_at").desc(),
                F("id").desc(),
                name="delivery_page_by_type",
            ),
            # By account as well: what a reset left behind at an endpoint does not lie in the way of a claim.
            models.Index(
                fields=["endpoint", "account", "next_attempt_at"],
                name="delivery_waiting",
                condition=Q(next_attempt_at__isnull=False),
            ),
            models.Index(fields=["endpoint"], name="delivery_leased", condition=Q(lease_until__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.event_type} {self.id} {self.status}"

    @property
    def due_at(self) -> datetime | None:
        """The real time of the next attempt; None when finished. Reads the endpoint."""
        return self.endpoint.due_at(self.next_attempt_at) if self.next_attempt_at else None

    @property
    def next_attempt_shown_at(self) -> datetime | None:
        """`due_at` by the clock of the environment."""
        due_at = self.due_at
        return due_at and due_at + clocks.place_of(self.account_id, self.environment).clock_offset

    @property
    def is_finished(self) -> bool:
        return self.status not in UNFINISHED


def scheduled(at: datetime) -> Combinable:
    """The real time `at` as `next_attempt_at` of the deliveries that are updated."""
    ahead = Endpoint.objects.filter(pk=OuterRef("endpoint")).values("schedule_ahead")
    return ExpressionWrapper(Value(at) + Subquery(ahead), output_field=DateTimeField())


class Attempt(models.Model):
    """One attempt, recorded whatever came of it, stored for 30 days.

    Times in milliseconds; empty where the stage was not reached.
    """

    delivery = models.ForeignKey(Delivery, on_delete=models.PROTECT, related_name="attempts", db_index=False)
    # A copy of the delivery's, for the health of an endpoint. Each attempt is written beside its delivery, and no endpoint's row
    # is ever deleted, so the database need not check it again.
    endpoint = models.ForeignKey(
        Endpoint,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    number = models.PositiveSmallIntegerField()
    attempted_at = models.DateTimeField()
    duration_ms = models.PositiveIntegerField()
    lookup_ms = models.PositiveIntegerField(null=True, help_text="Name look-up")
    connect_ms = models.PositiveIntegerField(null=True)
    tls_ms = models.PositiveIntegerField(null=True)
    first_byte_ms = models.PositiveIntegerField(null=True, help_text="From the request's last byte")
    request_headers = models.JSONField(default=dict)
    status_code = models.PositiveSmallIntegerField(null=True)
    response_body = models.TextField(default="", help_text="The first 8 KiB")
    error_code = models.CharField(max_length=32, default="")
    error = models.CharField(
        max_length=255, default="", help_text="The cause in plain words; empty after a 2xx"
    )
    counted = models.BooleanField(
        default=True, help_text="Whether it is one of the seven: no resend, not lost"
    )
    manual = models.BooleanField(default=False, help_text="Made by a resend")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["delivery", "number"], name="attempt_number_once")]
        # Health reads the newest of an endpoint, and all that it reads of them is here: rows with headers and bodies are wide.
        indexes = [
            models.Index(
                fields=["endpoint", "-attempted_at"],
                include=["status_code", "error_code", "duration_ms"],
                name="attempt_by_endpoint",
                condition=Q(endpoint__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.delivery_id} #{self.number}"


class EventFeed(models.Model):
    """How far the feed of an account's environment is numbered. Created by the first reader.

    An event gets its position when it is committed and the feed is read, under a lock of this row. So positions are in the order
    in which readers can see the events, however late a transaction commits, and they never change.

    `forgotten_event_id` is the newest event that was deleted, at `forgotten_position`: who has read up to it has missed nothing.
    Before the first one it is an id that no event has, and stands for the beginning.
    """

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    last_position = models.BigIntegerField(default=0)
    forgotten_position = models.BigIntegerField(default=0)
    forgotten_event_id = models.CharField(max_length=64, default=new_event_id)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "environment"], name="event_feed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.environment}"


def new_recovery_id() -> str:
    return new_id("whr")


class RecoveryStatus(models.TextChoices):
    CANARY = "canary"  # one delivery is sent; the others wait for its result
    RUNNING = "running"
    HALTED = "halted"  # by itself: the receiver does not accept, or the endpoint is disabled
    STOPPED = "stopped"  # by hand
    FINISHED = "finished"


class HaltReason(models.TextChoices):
    """Why a recovery halted by itself."""

    CANARY_FAILED = "canary_failed"
    FAILURES_IN_A_ROW = "failures_in_a_row"
    ENDPOINT_DISABLED = "endpoint_disabled"


UNDER_WAY = (RecoveryStatus.CANARY, RecoveryStatus.RUNNING)


class Recovery(models.Model):
    """What was asked for, and how far the recovery is.

    Its events are listed as items: the first ones when it starts, the others by the sweep, in groups. Events after its start are
    not among them.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_recovery_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    endpoint = models.ForeignKey(
        Endpoint, on_delete=models.PROTECT, related_name="recoveries", db_index=False
    )
    selection = models.JSONField(help_text="Since, until, event types, missed ones or not: as requested")
    per_minute = models.PositiveIntegerField()
    status = models.CharField(max_length=8, choices=RecoveryStatus, default=RecoveryStatus.CANARY)
    halt_reason = models.CharField(max_length=32, choices=HaltReason, null=True, blank=True)
    failures_in_a_row = models.PositiveIntegerField(default=0)
    allowance = models.FloatField(default=0, help_text="Deliveries that the pace admits now")
    paced_at = models.DateTimeField(default=clock.now, help_text="When the allowance was reckoned")
    created_at = models.DateTimeField(default=clock.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    listed_to = models.CharField(
        max_length=64, null=True, blank=True, help_text="The last event listed so far; empty when all are"
    )

    class Meta:
        verbose_name_plural = "recoveries"
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint"],
                name="recovery_one_under_way_per_endpoint",
                condition=Q(status__in=["canary", "running"]),
            ),
            models.CheckConstraint(
                condition=Q(status="halted", halt_reason__isnull=False)
                | (~Q(status="halted") & Q(halt_reason=None)),
                name="recovery_halted_has_reason",
            ),
        ]
        indexes = [
            models.Index(
                F("account"), F("environment"), F("created_at").desc(), F("id").desc(), name="recovery_page"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"


class ItemState(models.TextChoices):
    WAITING = "waiting"
    SENT = "sent"  # due at the dispatcher, no result yet
    DELIVERED = "delivered"
    NOT_ACCEPTED = "not_accepted"  # the one more attempt failed
    SKIPPED = "skipped"  # delivered or tried anyway meanwhile, or pruned


class RecoveryItem(models.Model):
    """One event of a recovery, oldest first by id. No foreign keys into the history: pruning must not wait."""

    recovery = models.ForeignKey(Recovery, on_delete=models.CASCADE, related_name="items", db_index=False)
    event_id = models.CharField(max_length=64)
    state = models.CharField(max_length=12, choices=ItemState, default=ItemState.WAITING)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["recovery", "event_id"], name="recovery_item_once"),
        ]
        indexes = [
            models.Index(fields=["recovery", "state", "id"], name="recovery_item_next"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.state}"


def new_exam_id() -> str:
    return new_id("whx")


class ExamStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"  # some case was not answered as expected
    STOPPED = "stopped"  # it could not continue: `stop_reason`


class StopReason(models.TextChoices):
    """Why an exam ended before its last case."""

    UNREACHABLE = "unreachable"  # the first case had no answer at all
    ENDPOINT_DISABLED = "endpoint_disabled"  # or deleted
    OURS = "ours"  # the sending process was lost, again and again


OPEN_EXAM = (ExamStatus.QUEUED, ExamStatus.RUNNING)


class Exam(models.Model):
    """One exam of one endpoint, stored for 30 days. Not a delivery: it never counts towards disabling the endpoint.

    The process that sends holds a lease: a token and an end. Where the lease ends without a result the process has died, and the
    next one sends the same case again.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_exam_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="exams", db_index=False)
    status = models.CharField(max_length=8, choices=ExamStatus, default=ExamStatus.QUEUED)
    stop_reason = models.CharField(max_length=20, choices=StopReason, default="", blank=True)
    results = models.JSONField(
        default=list, help_text="Of each case sent: its name, and every send with its response"
    )
    lost_count = models.PositiveSmallIntegerField(default=0, help_text="Leases that ended without a result")
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(environment="test"), name="exam_in_test_alone"),
            models.CheckConstraint(condition=Q(status__in=ExamStatus.values), name="exam_status_known"),
            models.UniqueConstraint(
                fields=["endpoint"],
                name="exam_one_open_per_endpoint",
                condition=Q(status__in=["queued", "running"]),
            ),
        ]
        indexes = [
            models.Index(F("account"), F("created_at").desc(), F("id").desc(), name="exam_newest_first"),
            models.Index(F("endpoint"), F("created_at").desc(), F("id").desc(), name="exam_by_endpoint"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_EXAM

    def sends_of(self, case: str) -> list[dict[str, Any]] | None:
        """What was sent for a case, with the answers; None where it was not sent."""
        return next((result["sends"] for result in self.results if result["case"] == case), None)
