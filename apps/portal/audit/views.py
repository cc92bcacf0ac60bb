"""The audit trail: who changed what about the account, its keys and its endpoints, newest first."""

from django.http import HttpRequest, HttpResponse

from apps.accounts.selectors.audit import page_of_trail
from apps.portal.audit.forms import AuditFilters
from apps.portal.audit.sentences import sentences_of
from apps.portal.list_view import ListView


class AuditView(ListView):
    list_name = "audit"
    section = "audit"
    account_wide = True

    def get(self, request: HttpRequest) -> HttpResponse:
        form = AuditFilters(request.GET)
        page = page_of_trail(self.portal.account.pk, filters=form.filters(), cursor=self.cursor)
        return self.render_list("portal/audit/index.html", form, page, sentences=sentences_of(page.rows))
