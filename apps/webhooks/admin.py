"""The back office's view of webhooks: to look and to search, not to change."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from apps.webhooks.models import Attempt, Delivery, Endpoint, Event, Recovery


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """History: nobody adds, changes or deletes it."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Endpoint)
class EndpointAdmin(ReadOnly):
    list_display = ("url", "account", "environment", "status", "consecutive_failures", "created_at")
    list_filter = ("environment", "status", "disabled_reason")
    list_select_related = ("account",)
    search_fields = ("id", "url", "account__name")
    exclude = ("secret_encrypted", "previous_secret_encrypted")


@admin.register(Event)
class EventAdmin(ReadOnly):
    list_display = ("id", "type", "account", "environment", "booking_reference", "created_at")
    list_filter = ("environment", "type")
    list_select_related = ("account",)
    search_fields = ("id", "booking_reference", "booking_id", "request_id")


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    list_display = (
        "id",
        "event_type",
        "endpoint",
        "status",
        "attempt_count",
        "next_attempt_at",
        "created_at",
    )
    list_filter = ("environment", "status", "event_type")
    list_select_related = ("endpoint",)
    search_fields = ("id", "event__id", "endpoint__id")


@admin.register(Attempt)
class AttemptAdmin(ReadOnly):
    list_display = ("delivery", "number", "attempted_at", "status_code", "error", "duration_ms", "manual")
    list_filter = ("error_code", "manual", "counted")
    search_fields = ("delivery__id",)


@admin.register(Recovery)
class RecoveryAdmin(ReadOnly):
    list_display = ("id", "account", "environment", "endpoint", "status", "halt_reason", "created_at")
    list_filter = ("environment", "status", "halt_reason")
    list_select_related = ("account", "endpoint")
    search_fields = ("id", "endpoint__id", "account__name")
