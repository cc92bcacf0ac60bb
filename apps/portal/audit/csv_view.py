"""The audit trail as a CSV file, by the filters of the list."""

import json
from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from apps.accounts.models import AccountAuditEntry
from apps.accounts.selectors.audit import page_of_trail, trail_of
from apps.common import clock
from apps.portal.audit.forms import AuditFilters
from apps.portal.csv_files import CsvFileView, CsvSource

COLUMNS = (
    *("id", "createdAt", "who", "action", "environment", "subjectType", "subjectId", "subjectName"),
    *("details", "address"),
)


class AuditFileView(CsvFileView):
    """The trail is of the whole account."""

    section = "audit"
    account_wide = True
    list_name = page_name = "audit"

    def source(self, given: QueryDict) -> tuple[AuditFilters, CsvSource]:
        form, account_id = AuditFilters(given), self.portal.account.pk
        filters = form.filters()

        def page_of(cursor: str | None, length: int) -> tuple[Sequence[AccountAuditEntry], str | None]:
            page = page_of_trail(account_id, filters=filters, cursor=cursor, limit=length)
            return page.rows, page.older

        entries = trail_of(account_id).filter(filters.as_query())
        return form, CsvSource(COLUMNS, page_of, row_of, counted=entries)


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
