"""The audit trail as a CSV file, by the filters of the list."""

import json
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.urls import reverse

from apps.accounts.models import AccountAuditEntry
from apps.accounts.selectors.audit import page_of_trail, trail_of
from apps.common import clock
from apps.portal.audit.forms import AuditFilters
from apps.portal.base_view import PortalView
from apps.portal.csv_files import PAGE_LENGTH, CsvSource, csv_answer

COLUMNS = (
    *("id", "createdAt", "who", "action", "environment", "subjectType", "subjectId", "subjectName"),
    *("details", "address"),
)


def source_of(account_id: str, _environment: str, given: QueryDict) -> tuple[AuditFilters, CsvSource]:
    """The trail is of the whole account."""
    form = AuditFilters(given)
    filters = form.filters()

    def page_of(cursor: str | None) -> tuple[Sequence[AccountAuditEntry], str | None]:
        page = page_of_trail(account_id, filters=filters, cursor=cursor, limit=PAGE_LENGTH)
        return page.rows, page.older

    return form, CsvSource(COLUMNS, page_of, row_of, counted=trail_of(account_id).filter(filters.as_query()))


class AuditFileView(PortalView):
    section = "audit"
    account_wide = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        form, source = source_of(self.portal.account.pk, "", request.GET)
        back = reverse("portal:audit")
        return csv_answer(request, self.portal, "audit", form, source, back=back, account_wide=True)


def row_of(entry: AccountAuditEntry) -> list[Any]:
    return [
        *(
            entry.pk,
            clock.rfc3339(entry.created_at),
            entry.actor_label,
            entry.action,
            entry.environment or "",
        ),
        *(entry.subject_type, entry.subject_id, entry.subject_name),
        json.dumps(entry.details, ensure_ascii=False) if entry.details else "",
        entry.address or "",
    ]
