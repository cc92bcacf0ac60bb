"""The periodic tasks in the back office: how each is doing."""

from datetime import timedelta

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest

from apps.common import clock
from apps.common.back_office import BackOffice, ReadOnly
from apps.gateway.periodic import TaskRecord, clear, periodic_tasks


@admin.register(TaskRecord)
class TaskRecordAdmin(ReadOnly, BackOffice):
    list_display = [
        "name",
        "state",
        "every",
        "last_success_at",
        "last_failure_at",
        "late",
        "failure",
    ]
    ordering = [F("last_failure_at").desc(nulls_last=True), "task"]
    actions = ["clear"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[TaskRecord]:
        return super().get_queryset(request).filter(pk__in=list(periodic_tasks()))

    @admin.display(ordering="task", description="task")
    def name(self, row: TaskRecord) -> str:
        return periodic_tasks()[row.task].name

    def state(self, row: TaskRecord) -> str:
        return row.trouble(periodic_tasks()[row.task], clock.now()) or "ok"

    @admin.display(description="every")
    def every(self, row: TaskRecord) -> str:
        return str(timedelta(seconds=periodic_tasks()[row.task].seconds))

    @admin.display(description="late by")
    def late(self, row: TaskRecord) -> str:
        overdue = row.overdue(periodic_tasks()[row.task], clock.now())
        return str(timedelta(seconds=round(overdue.total_seconds()))) if overdue else ""

    def has_clear_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("gateway.change_taskrecord")

    @admin.action(description="Clear: seen to", permissions=["clear"])
    def clear(self, request: HttpRequest, rows: QuerySet[TaskRecord]) -> None:
        self.message_user(request, f"Cleared {clear([row.pk for row in rows])} tasks.")
