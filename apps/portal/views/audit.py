"""The audit trail: who did what to the account, its keys and its endpoints, newest first."""

from django.http import HttpRequest, HttpResponse

from apps.accounts.selectors.audit import page_of_trail
from apps.portal.audit_words import lines_of
from apps.portal.forms.audit import AuditFilters
from apps.portal.place import PortalView


class Audit(PortalView):
    section = "audit"
    of_account = True

    def get(self, request: HttpRequest) -> HttpResponse:
        form, cursor = AuditFilters(request.GET), request.GET.get("cursor") or None
        form.is_valid()
        page = page_of_trail(self.place.account.pk, filters=form.filters(), cursor=cursor)
        return self.render(
            "portal/audit/index.html",
            {
                "form": form,
                "lines": lines_of(page.entries),
                "older": page.older,
                "cursor": cursor,
                "narrowed": form.is_narrowed,
            },
        )
