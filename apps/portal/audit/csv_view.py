"""The audit trail as a CSV file, by the filters of the list."""

import json
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse

from apps.accounts.models import AccountAuditEntry
from apps.accounts.selectors.audit import page_of_trail, trail_of
from apps.common import clock
from apps.portal.audit.forms import AuditFilters
from apps.portal.base_view import PortalView
from apps.portal.csv_files import PAGE_LENGTH, all_rows, csv_answer

COLUMNS = (
    *("id", "createdAt", "who", "action", "environment", "subjectType", "subjectId", "subjectName"),
    *("details", "address"),
)


class AuditFileView(PortalView):
    section = "audit"
    account_wide = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        account_id, form = self.portal.account.pk, AuditFilters(request.GET)
        filters = form.filters()

        def page_of(cursor: str | None) -> tuple[Sequence[AccountAuditEntry], str | None]:
            page = page_of_trail(account_id, filters=filters, cursor=cursor, limit=PAGE_LENGTH)
            return page.entries, page.older

        name = f"audit-{clock.now().date().isoformat()}"
        counted, back = trail_of(account_id).filter(filters.as_query()), reverse("portal:audit")
        return csv_answer(
            request, name, form, COLUMNS, map(row_of, all_rows(page_of)), counted=counted, back=back
        )


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
