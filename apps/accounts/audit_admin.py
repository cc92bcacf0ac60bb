"""The audit trails of all accounts in the back office. Nobody can edit them; the database refuses it as well."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.models import AccountAuditEntry, AuditAction
from apps.common.back_office import Huge, ReadOnly
from apps.common.environments import Environment


class Action(admin.SimpleListFilter):
    title = "action"
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(action.value, action.value) for action in AuditAction]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[AccountAuditEntry]
    ) -> QuerySet[AccountAuditEntry]:
        return queryset.filter(action=self.value()) if self.value() else queryset


class OfEnvironment(admin.SimpleListFilter):
    """The field's own filter would show the entries that belong to no environment as a link without text."""

    title = "environment"
    parameter_name = "environment"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(name, name) for name in Environment.values]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[AccountAuditEntry]
    ) -> QuerySet[AccountAuditEntry]:
        return queryset.filter(environment=self.value()) if self.value() else queryset


@admin.register(AccountAuditEntry)
class AccountAuditEntryAdmin(ReadOnly, Huge):
    list_display = ["created_at", "action", "account", "environment", "actor_label", "actor", "subject_name"]
    list_filter = [OfEnvironment, Action]
    list_select_related = ["account", "actor"]
    search_fields = ["=account__id", "account__name", "=actor__email", "=subject_id", "=address"]
    search_help_text = "An account, a member of staff by address, or the id of what something was done to"
    ordering = ["-id"]  # ids sort by time
