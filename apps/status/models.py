"""What the status page tells: figures of each day, measured by a task, and incidents, written by staff."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from apps.common import clock


class StatusDay(models.Model):
    """What was measured of one component on one UTC day. Counts stay inside: the page shows shares and minutes."""

    day = models.DateField()
    component = models.CharField(max_length=32)
    supplier = models.CharField(
        max_length=32, default="", help_text="Who served live keys; empty where nobody is asked"
    )
    calls = models.BigIntegerField(default=0, help_text="Answered calls, from the request log")
    failed = models.BigIntegerField(
        default=0, help_text="Of those, the ones that failed through no fault of the caller"
    )
    checks = models.PositiveIntegerField(default=0, help_text="Checks, one a minute")
    failed_checks = models.PositiveIntegerField(default=0)
    unmeasured = models.PositiveIntegerField(default=0, help_text="Minutes in which nothing could be checked")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["day", "component", "supplier"], name="status_day_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.component} {self.supplier}".strip()


class StatusMark(models.Model):
    """How far the measuring has come. One row, which whoever measures locks."""

    ONLY = 1

    last_call_id = models.BigIntegerField(
        default=0, help_text="The newest entry of the request log that is counted"
    )
    checked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"up to call {self.last_call_id}"


class Impact(models.TextChoices):
    MINOR = "minor"
    MAJOR = "major"
    CRITICAL = "critical"
    MAINTENANCE = "maintenance"


class Incident(models.Model):
    """What went wrong, in staff's words. Public as soon as it is saved."""

    title = models.CharField(max_length=120)
    impact = models.CharField(max_length=12, choices=Impact)
    products = models.JSONField(default=list, help_text="Which parts of the page it concerns")
    started_at = models.DateTimeField(default=clock.now)
    resolved_at = models.DateTimeField(null=True, blank=True, help_text="Empty while it lasts")
    updated_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(resolved_at__isnull=True) | Q(resolved_at__gte=F("started_at")),
                name="incident_ends_after_it_begins",
            ),
        ]
        indexes = [models.Index(fields=["-started_at"], name="incident_newest_first")]

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        """Raises ValidationError for an end before the beginning, and for what has not happened yet."""
        began: Any = self.started_at  # none where the form could not read one
        if began is None:
            return
        now = clock.now()
        if began > now and self.impact != Impact.MAINTENANCE:
            raise ValidationError({"started_at": "Only maintenance can begin later than now."})
        if self.resolved_at is None:
            return
        if self.resolved_at < began:
            raise ValidationError({"resolved_at": "It cannot end before it begins."})
        if self.resolved_at > now:
            raise ValidationError({"resolved_at": "Leave it empty until it is over."})


class Stage(models.TextChoices):
    SCHEDULED = "scheduled"
    INVESTIGATING = "investigating"
    IDENTIFIED = "identified"
    MONITORING = "monitoring"
    RESOLVED = "resolved"


class IncidentUpdate(models.Model):
    """One more sentence about an incident, with its time."""

    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="updates")
    at = models.DateTimeField(default=clock.now)
    stage = models.CharField(max_length=16, choices=Stage, default=Stage.INVESTIGATING)
    text = models.TextField(max_length=2_000)

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.stage}, {self.at:%Y-%m-%d %H:%M}"
