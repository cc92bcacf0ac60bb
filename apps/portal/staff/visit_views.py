"""The back office's pages on which a visit to a partner's portal begins and ends."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.actors import signed_in
from apps.accounts.models import Account, Look
from apps.accounts.services.look import note_look
from apps.common.back_office import Verdict, Way, page_of
from apps.gateway.client_ip import client_address
from apps.portal.staff import visit

TOLD = (
    "You see what a viewer of the account sees, for 30 minutes. You can change nothing. "
    "Every page that you open is written down."
)


class WhyForm(forms.Form):
    reason = forms.CharField(
        min_length=3,
        max_length=255,
        help_text="The partner reads it in their audit trail.",
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
    )


def begin_view(request: HttpRequest, account_id: str) -> HttpResponse:
    person = signed_in(request)
    if not person.has_perm(visit.RIGHT):
        raise PermissionDenied
    account = get_object_or_404(Account, pk=account_id, sandbox_of=None)
    form = WhyForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with transaction.atomic():
            reason = form.cleaned_data["reason"]
            visit.begin(request, person, account, reason=reason, address=client_address(request))
        return redirect("portal:home", environment="live" if account.live_approved_until else "test")
    return TemplateResponse(request, "admin/decision.html", page(request, account, form))


def page(request: HttpRequest, account: Account, form: forms.Form) -> dict[str, Any]:
    verdict = Verdict("read", "Open the portal", TOLD, lambda _: "")
    return {
        **admin.site.each_context(request),
        "title": f"Read the portal of {account.name}",
        "opts": Account._meta,
        "original": account,
        "facts": [("Account", page_of(account)), ("Status", account.status)],
        "ways": [Way(verdict, form)],
        "history": reverse("admin:accounts_account_history", args=[account.pk]),
    }


@require_POST
def leave_view(request: HttpRequest) -> HttpResponse:
    account_id = visit.end(request)
    if account_id is None:
        return redirect("admin:index")
    account = Account.objects.get(pk=account_id)
    address = client_address(request)
    note_look(person=signed_in(request), look=Look.ENDED, account=account, address=address)
    messages.info(request, f"You have left the portal of {account.name}.")
    return redirect("admin:accounts_account_change", account.pk)
