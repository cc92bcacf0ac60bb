"""What is known of each periodic task: one row, which is also its alert."""

from datetime import datetime, timedelta

from django.db import models

from apps.common import clock
from apps.gateway.periodic.schedule import PeriodicTask
from apps.gateway.periodic.tally import ENOUGH, Outcome


class TaskAlert(models.TextChoices):
    FAILING = "failing"  # twice in a row
    LATE = "late"  # two runs were missed: beat, broker or worker is away, or the queue is full
    HANGING = "hanging"  # a run has begun and does not end


class TaskRecord(models.Model):
    """A periodic task's last run, success and failure. `alert` stays until a run succeeds, or staff clear it."""

    task = models.CharField(primary_key=True, max_length=128)
    known_since = models.DateTimeField(default=clock.now, help_text="Nothing was due before this instant")
    started_at = models.DateTimeField(
        null=True, help_text="Set while it runs, if that is once a minute or less"
    )
    last_run_at = models.DateTimeField(null=True, help_text="When the last run ended, whatever came of it")
    last_success_at = models.DateTimeField(null=True)
    last_failure_at = models.DateTimeField(null=True)
    failure = models.CharField(max_length=255, default="", help_text="Why it failed the last time")
    failing = models.JSONField(
        default=dict, help_text="Who fails, the task itself or a supplier it asks, and how often in a row"
    )
    alert = models.CharField(max_length=16, choices=TaskAlert, default="")
    alert_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "periodic task"

    def __str__(self) -> str:
        return self.task

    def take(self, outcome: Outcome, now: datetime) -> None:
        """Note a run that has ended. The second failure in a row raises the alert; a success of all that failed clears it."""
        self.failing = outcome.applied_to(self.failing)
        self.started_at, self.last_run_at = None, now
        if outcome.failures:
            self.last_failure_at, self.failure = now, outcome.why
        else:
            self.last_success_at = now
        if ENOUGH in self.failing.values():
            self._alert(TaskAlert.FAILING, now)
        elif not self.failing:
            self.alert, self.alert_at = "", None

    def overdue(self, periodic: PeriodicTask, now: datetime) -> timedelta:
        """How long ago it should have run again. Nothing while a run is under way."""
        if self.started_at is not None:
            return timedelta()
        since = max(self.last_run_at or self.known_since, self.known_since)
        return max(timedelta(), now - since - periodic.pause)

    def trouble(self, periodic: PeriodicTask, now: datetime) -> str:
        """What staff should know now: one of TaskAlert, or nothing."""
        if self.alert:
            return self.alert
        if self.started_at is not None and now - self.started_at > periodic.patience:
            return TaskAlert.HANGING
        return TaskAlert.LATE if self.overdue(periodic, now) + periodic.pause > periodic.silence else ""

    def _alert(self, kind: TaskAlert, now: datetime) -> None:
        self.alert, self.alert_at = kind, self.alert_at or now
