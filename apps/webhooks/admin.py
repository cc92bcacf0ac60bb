"""The fleet of webhook endpoints in the back office: list, enable, disable, send once more. The history is read-only."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from apps.accounts.actors import actor_of, signed_in
from apps.common.back_office import Acts, Huge, ReadOnly, listed
from apps.webhooks.endpoint_health import failing
from apps.webhooks.events import CATALOGUE
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event, Recovery
from apps.webhooks.services.endpoints import disable_endpoint, enable_endpoint
from apps.webhooks.services.resend import resend

UNFINISHED = Delivery.objects.filter(
    endpoint=OuterRef("pk"), account=OuterRef("account"), next_attempt_at__isnull=False
)
OLDEST = UNFINISHED.order_by("next_attempt_at").values("next_attempt_at")[:1]


class EventType(admin.SimpleListFilter):
    """From the catalogue: asking the table for its types would read all of it."""

    title = "event type"
    parameter_name = "event"
    column = "event_type"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(event.name, event.name) for event in CATALOGUE]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.column: self.value()}) if self.value() else queryset


class TypeOfEvent(EventType):
    column = "type"


class Failing(admin.SimpleListFilter):
    title = "answers"
    parameter_name = "failing"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("now", "Failing")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Endpoint]) -> QuerySet[Endpoint]:
        return failing(queryset) if self.value() else queryset


@admin.register(Endpoint)
class EndpointAdmin(ReadOnly, Acts):
    list_display = [
        "url",
        "account",
        "environment",
        "status",
        "consecutive_failures",
        "waiting_since",
        "disabled_reason",
        "disabled_at",
    ]
    list_filter = [
        "status",
        Failing,
        "disabled_reason",
        "environment",
        ("deleted_at", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["account"]
    search_fields = ["=id", "url", "account__name", "=account__id"]
    ordering = ["-consecutive_failures", "-created_at"]
    exclude = ["secret_encrypted", "previous_secret_encrypted"]
    readonly_fields = ["created_at", "updated_at", "deliveries"]
    actions = ["enable", "disable"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Endpoint]:
        endpoints: QuerySet[Endpoint] = super().get_queryset(request)
        without_secrets = endpoints.defer("secret_encrypted", "previous_secret_encrypted")
        return without_secrets.annotate(oldest_due=Subquery(OLDEST) - F("schedule_ahead"))

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("webhooks.change_endpoint")

    @admin.display(description="next or overdue", ordering="oldest_due")
    def waiting_since(self, endpoint: Endpoint) -> datetime | None:
        due: datetime | None = getattr(endpoint, "oldest_due", None)
        return due and max(due, endpoint.due_from or due)

    @admin.display(description="deliveries")
    def deliveries(self, endpoint: Endpoint) -> Any:
        return listed("webhooks_delivery", "Its deliveries", q=endpoint.id)

    @admin.action(description="Enable, and send what waits", permissions=["operate"])
    def enable(self, request: HttpRequest, endpoints: QuerySet[Endpoint]) -> None:
        staff = actor_of(signed_in(request))
        self.each(request, endpoints, lambda row: enable_endpoint(endpoint=row, actor=staff), "Enabled")

    @admin.action(description="Disable", permissions=["operate"])
    def disable(self, request: HttpRequest, endpoints: QuerySet[Endpoint]) -> None:
        staff = actor_of(signed_in(request))
        self.each(request, endpoints, lambda row: disable_endpoint(endpoint=row, actor=staff), "Disabled")


@admin.register(Event)
class EventAdmin(ReadOnly, Huge):
    list_display = ["id", "type", "account", "environment", "booking_reference", "created_at"]
    list_filter = ["environment", TypeOfEvent]
    list_select_related = ["account"]
    search_fields = ["id__exact", "booking_reference__exact", "booking_id__exact", "request_id__exact"]
    search_help_text = "A whole id: the event's, the booking's or the request's; or a booking's reference"
    ordering = ["-id"]  # ids sort by time
    readonly_fields = ["deliveries"]

    @admin.display(description="deliveries")
    def deliveries(self, event: Event) -> Any:
        return listed("webhooks_delivery", "To each endpoint", q=event.id)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly, Acts):
    list_display = [
        "id",
        "event_type",
        "endpoint",
        "status",
        "attempt_count",
        "due_at",
        "created_at",
    ]
    list_filter = ["environment", "status", EventType]
    list_select_related = ["endpoint"]
    search_fields = ["id__exact", "event__exact", "endpoint__exact"]
    search_help_text = "A whole id: the delivery's, the event's or the endpoint's"
    ordering = ["-id"]
    exclude = ["lease_token", "next_attempt_at"]
    readonly_fields = ["due_at", "attempts_made"]
    actions = ["send_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        secrets = ("endpoint__secret_encrypted", "endpoint__previous_secret_encrypted")
        return super().get_queryset(request).defer(*secrets)

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("webhooks.change_delivery")

    @admin.display(description="attempts")
    def attempts_made(self, delivery: Delivery) -> Any:
        return listed("webhooks_attempt", "Every attempt", q=delivery.id)

    @admin.action(description="Send once more", permissions=["operate"])
    def send_again(self, request: HttpRequest, deliveries: QuerySet[Delivery]) -> None:
        self.each(request, deliveries, _resend, "To be sent once more")


def _resend(delivery: Delivery) -> None:
    resend(delivery=delivery)


@admin.register(Attempt)
class AttemptAdmin(ReadOnly, Huge):
    list_display = ["delivery_id", "number", "attempted_at", "status_code", "error", "duration_ms", "manual"]
    list_filter = ["manual", "counted"]
    search_fields = ["delivery__exact"]
    search_help_text = "A delivery's whole id"
    ordering = ["-id"]


@admin.register(Recovery)
class RecoveryAdmin(ReadOnly, Huge):
    list_display = ["id", "account", "environment", "endpoint", "status", "halt_reason", "created_at"]
    list_filter = ["environment", "status", "halt_reason"]
    list_select_related = ["account", "endpoint"]
    search_fields = ["=id", "=endpoint__id", "account__name"]
    ordering = ["-id"]
