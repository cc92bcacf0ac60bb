"""The tables of the request log: calls for 30 days, their hourly counts for 400 days, and how many were lost."""

import uuid

from django.db import models
from django.db.models import F, Q

from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.gateway import trace as traces
from apps.keys.models import ApiKey, KeySecret


def reference_to(model: type[models.Model], **more: object) -> "models.ForeignKey[object, object]":
    """A reference that the database does not check, because one invalid record must not make its whole batch fail."""
    options = {"on_delete": models.DO_NOTHING, "related_name": "+", "db_index": False, "db_constraint": False}
    return models.ForeignKey(model, **{**options, **more})  # type: ignore[arg-type]


class LoggedCall(models.Model):
    """One answered /v1 call, without any traveller's data or secret (see `redaction`).

    Only `writer` inserts them, roughly in the order in which calls ended; nothing changes them. What a call did not reach is
    empty: there is no account without a recognised key, and no operation on an unknown path.
    """

    request_id = models.UUIDField()
    created_at = models.DateTimeField(help_text="When the call came in")
    account = reference_to(Account, null=True)
    environment = models.CharField(max_length=4, choices=Environment, blank=True, default="")
    key = reference_to(ApiKey, null=True)
    secret = reference_to(KeySecret, null=True)
    method = models.CharField(max_length=16)
    path = models.CharField(max_length=255)
    query = models.CharField(max_length=255, default="", blank=True)
    ignored_parameters = models.CharField(
        max_length=255,
        default="",
        blank=True,
        help_text="Parameters of the query that the operation does not know",
    )
    operation = models.CharField(max_length=64, default="", blank=True, help_text="The OpenAPI operationId")
    product = models.CharField(
        max_length=16, default="", blank=True, help_text="What follows /v1/ in the path"
    )
    status = models.PositiveSmallIntegerField()
    error_type = models.CharField(max_length=64, default="", blank=True)
    why = models.TextField(
        default="", blank=True, help_text="Why it was refused, for the key's owner to read"
    )
    duration_ms = models.FloatField()
    billable = models.BooleanField(null=True, help_text="Null where the call does not count as a search")
    replayed = models.BooleanField(default=False)
    client_address = models.CharField(max_length=45, default="", blank=True)
    user_agent = models.CharField(max_length=200, default="", blank=True)
    idempotency_key = models.CharField(max_length=255, default="", blank=True)
    trigger = models.CharField(max_length=32, default="", blank=True, help_text="The sandbox trigger sent")
    trigger_fired = models.BooleanField(default=False)
    trace = models.TextField(
        default="",
        blank=True,
        help_text="The steps in the order taken: name, microseconds, verdict if refused",
    )
    booking_id = models.CharField(max_length=64, default="", blank=True)
    booking_reference = models.CharField(max_length=16, default="", blank=True)
    request_body = models.JSONField(null=True)
    response_body = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["request_id"], name="logged_call_once")]
        indexes = [
            models.Index(
                F("account"),
                F("environment"),
                F("created_at").desc(),
                F("id").desc(),
                name="logged_call_page",
            ),
            models.Index(
                F("account"),
                F("environment"),
                F("operation"),
                F("created_at").desc(),
                F("id").desc(),
                name="logged_call_page_by_operation",
            ),
            models.Index(F("key"), F("created_at").desc(), F("id").desc(), name="logged_call_page_by_key"),
            # Most calls succeed. Readers look for those that failed, by class and by type.
            *(
                models.Index(
                    F("account"),
                    F("environment"),
                    F("created_at").desc(),
                    F("id").desc(),
                    name=f"logged_call_page_of_{status}s",
                    condition=Q(status__gte=status),
                )
                for status in (400, 500)
            ),
            models.Index(
                F("account"),
                F("environment"),
                F("error_type"),
                F("created_at").desc(),
                F("id").desc(),
                name="logged_call_page_by_error",
                condition=Q(status__gte=400),
            ),
            models.Index(
                F("account"),
                F("environment"),
                F("booking_id"),
                F("created_at").desc(),
                F("id").desc(),
                name="logged_call_page_by_booking",
                condition=~Q(booking_id=""),
            ),
            models.Index(
                fields=["account", "environment", "idempotency_key"],
                name="logged_call_by_idempotency_key",
                condition=~Q(idempotency_key=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.method} {self.path} {self.request_id}"

    @property
    def is_error(self) -> bool:
        return self.status >= 400

    @property
    def steps(self) -> list[traces.Step]:
        return traces.read(self.trace)

    @property
    def via(self) -> str:
        """The adapter that made the call: `mcp`, or empty. It is the first step of the trace, which needs no column."""
        return "mcp" if self.trace.startswith("mcp ") else ""


class CallHour(models.Model):
    """The calls of one hour by secret. The transaction that writes the records counts them."""

    account = reference_to(Account)
    environment = models.CharField(max_length=4, choices=Environment)
    hour = models.DateTimeField(help_text="Its beginning, UTC")
    key = reference_to(ApiKey)
    secret_id = models.BigIntegerField(default=0, help_text="0: not known")
    calls = models.PositiveIntegerField()
    errors = models.PositiveIntegerField(help_text="Answered with 400 or above")
    first_call_at = models.DateTimeField()
    last_call_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "environment", "hour", "key", "secret_id"], name="call_hour_once"
            )
        ]
        indexes = [models.Index(fields=["key", "secret_id", "hour"], name="call_hour_by_secret")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.hour:%Y-%m-%d %H}: {self.calls}"


class LostCalls(models.Model):
    """Calls that are missing in the log because too many waited. The process that dropped them inserts this row when it can."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    calls = models.PositiveIntegerField()
    noticed_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name_plural = "lost calls"
        indexes = [models.Index(fields=["noticed_at"], name="lost_calls_noticed")]

    def __str__(self) -> str:
        return f"{self.calls} lost, noticed {self.noticed_at}"
