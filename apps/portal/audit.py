"""The audit trail: its filters, its pages, and its CSV file."""

import json
from functools import partial
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict

from apps.accounts.audit import Filters, page_of_trail, trail_of
from apps.accounts.models import AccountAuditEntry
from apps.common import clock, keyset
from apps.common.environments import Environment
from apps.portal.audit_sentences import GROUPS, sentences_of
from apps.portal.csv_files import CsvFileView, CsvSource
from apps.portal.lists import ListFilters, ListView, any_or


class AuditFilters(ListFilters):
    field_order = ["actor", "action", "environment"]

    actor = forms.CharField(label="Who", required=False, max_length=254)
    action = forms.ChoiceField(label="What", choices=any_or(GROUPS.items()), required=False)
    environment = forms.ChoiceField(
        choices=any_or((value, value.capitalize()) for value in Environment.values), required=False
    )

    def filters(self) -> Filters:
        return Filters(
            actor=self.value("actor"),
            group=self.value("action"),
            environment=self.value("environment"),
            since=self.begins,
            until=self.ends,
        )


class AuditView(ListView):
    form_class = AuditFilters
    list_name = "audit"
    section = "audit"
    account_wide = True

    def get(self, request: HttpRequest) -> HttpResponse:
        form = AuditFilters(request.GET)
        page = page_of_trail(self.portal.account.pk, filters=form.filters(), cursor=self.cursor)
        return self.render_list("portal/audit/index.html", form, page, sentences=sentences_of(page.rows))


COLUMNS = (
    *("id", "createdAt", "who", "action", "environment", "subjectType", "subjectId", "subjectName"),
    *("details", "address"),
)


class AuditFileView(CsvFileView):
    section = "audit"
    account_wide = True
    list_name = page_name = "audit"

    def source(self, given: QueryDict) -> tuple[AuditFilters, CsvSource]:
        form = AuditFilters(given)
        entries = trail_of(self.portal.account.pk).filter(form.filters().as_query())
        return form, CsvSource(COLUMNS, partial(keyset.page_of, entries), row_of, counted=entries)


def row_of(entry: AccountAuditEntry) -> list[Any]:
    return [
        *(entry.pk, clock.rfc3339(entry.created_at), entry.actor_label, entry.action),
        entry.environment or "",
        *(entry.subject_type, entry.subject_id, entry.subject_name),
        json.dumps(entry.details, ensure_ascii=False) if entry.details else "",
        entry.address or "",
    ]
