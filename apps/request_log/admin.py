"""The request log in the back office: every call of the last month."""

import uuid
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from apps.common.back_office import Huge, ReadOnly
from apps.request_log.models import LoggedCall, LostCalls
from apps.request_log.selectors import DETAIL_ALONE

SEARCHED = {"acc": "account_id", "key": "key_id"}
"""The column to search, by the prefix of the id. Any other term is a request id or a booking's reference."""


class Answered(admin.SimpleListFilter):
    title = "answer"
    parameter_name = "answered"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("2", "2xx"), ("errors", "4xx and 5xx"), ("4", "4xx"), ("5", "5xx")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[LoggedCall]) -> QuerySet[LoggedCall]:
        if self.value() == "errors":
            return queryset.filter(status__gte=400)
        lowest = {"2": 200, "4": 400, "5": 500}.get(self.value() or "")
        if lowest is None:
            return queryset
        return queryset.filter(status__gte=lowest, status__lt=lowest + 100)


class Owner(admin.SimpleListFilter):
    """Only staff see calls with an unknown key and calls of an unknown path."""

    title = "owner"
    parameter_name = "owner"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("none", "Nobody's"), ("some", "An account's")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[LoggedCall]) -> QuerySet[LoggedCall]:
        if self.value() in ("none", "some"):
            return queryset.filter(account__isnull=self.value() == "none")
        return queryset


@admin.register(LoggedCall)
class LoggedCallAdmin(ReadOnly, Huge):
    list_display = [
        "created_at",
        "method",
        "path",
        "status",
        "error_type",
        "milliseconds",
        "account",
        "environment",
        "client_address",
    ]
    list_filter = [Answered, Owner, "environment", "billable", "replayed"]
    list_select_related = ["account"]
    list_per_page = 50
    search_fields = ["request_id"]
    search_help_text = "A whole request id, an account's or a key's id, or a booking's reference"
    ordering = [
        "-id"
    ]  # rows are written in the order in which calls end, and this index serves every account

    def get_queryset(self, request: HttpRequest) -> QuerySet[LoggedCall]:
        calls = super().get_queryset(request)
        listing = request.resolver_match is not None and "changelist" in str(request.resolver_match.url_name)
        return calls.defer(*DETAIL_ALONE) if listing else calls

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        return (queryset.filter(named(term)) if term else queryset), False

    @admin.display(description="ms", ordering="duration_ms")
    def milliseconds(self, call: LoggedCall) -> str:
        return f"{call.duration_ms:.0f}"


def named(term: str) -> Q:
    column = SEARCHED.get(term.partition("_")[0])
    if column:
        return Q(**{column: term})
    try:
        return Q(request_id=uuid.UUID(term))
    except ValueError:
        return Q(booking_reference=term.upper())


@admin.register(LostCalls)
class LostCallsAdmin(ReadOnly, Huge):
    list_display = ["noticed_at", "calls"]
    ordering = ["-noticed_at"]
