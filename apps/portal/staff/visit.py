"""Staff reading a partner's portal: beginning, the read-only requests, and leaving."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.actors import Actor, actor_of, signed_in
from apps.accounts.audit import as_kept, note_look, record
from apps.accounts.models import Account, AuditAction, Look, Membership, Role, StaffLook, User
from apps.common import clock
from apps.common.back_office import Verdict, Way, page_of
from apps.gateway.client_ip import client_address

RIGHT = "accounts.read_partner_portals"
LASTS = timedelta(minutes=30)
SESSION_KEY = "staff_visit"
NO_MEMBER = 0
"""The key of a membership that does not exist: what is chosen by each member for themselves is not there."""


@dataclass(frozen=True, slots=True)
class Visit:
    account: Account
    person: User
    began: datetime

    @property
    def until(self) -> datetime:
        return self.began + LASTS

    @property
    def membership(self) -> Membership:
        """What the pages get as the visitor's membership: it is not saved, and its role may change nothing."""
        stands_in = Membership(pk=NO_MEMBER, account=self.account, user=self.person, role=Role.VIEWER)
        stands_in.two_factor = True  # type: ignore[attr-defined]  # as the back office demands
        return stands_in


def begin(request: HttpRequest, person: User, account: Account, *, reason: str, address: str) -> None:
    """For a person with RIGHT. The partner's members read in their audit trail that support looked, and why."""
    staff: Actor = actor_of(person)
    record(account=account, action=AuditAction.READ_BY_SUPPORT, actor=staff, details={"reason": reason})
    note_look(person=person, look=Look.OPENED, account=account, reason=reason, address=address)
    request.session[SESSION_KEY] = {"account": account.pk, "began": clock.now().isoformat()}


def end(request: HttpRequest) -> str | None:
    """Ends the visit; the id of the account that was visited, None where none was."""
    kept = request.session.pop(SESSION_KEY, None)
    return kept["account"] if kept else None


def visit_of(request: HttpRequest) -> Visit | None:
    """The support access of the sender of the request; None once it has ended or the permission was removed. One query while it
    lasts.
    """
    kept, person = request.session.get(SESSION_KEY), request.user
    if not kept or not isinstance(person, User) or not person.is_staff or not person.has_perm(RIGHT):
        return None
    began = datetime.fromisoformat(kept["began"])
    if clock.now() >= began + LASTS:
        return None
    return Visit(Account.objects.get(pk=kept["account"]), person, began)


def note_page(visit: Visit, path: str, *, refused: bool, address: str) -> None:
    """Each page once a visit, however often it brings itself up to date; each refusal."""
    look = Look.REFUSED if refused else Look.READ
    earlier = StaffLook.objects.filter(
        person=visit.person, created_at__gte=visit.began, account=visit.account, look=look, what=as_kept(path)
    )
    if refused or not earlier.exists():
        note_look(person=visit.person, look=look, what=path, account=visit.account, address=address)


READING = frozenset({"GET", "HEAD"})
PORTAL = "/portal/"


class StaffVisit:
    """Sets `request.staff_visit` for the portal's views and templates, while there is a visit."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PORTAL) or SESSION_KEY not in request.session:
            return self.get_response(request)
        visit = visit_of(request)
        if visit is None:
            end(request)
            ended = "Your read-only access to the partner's portal has ended. It ends after 30 minutes."
            messages.info(request, ended)
            return redirect("admin:index")
        request.staff_visit = visit  # type: ignore[attr-defined]
        is_reading = request.method in READING
        note_page(visit, request.path, refused=not is_reading, address=client_address(request))
        if not is_reading:
            return render(request, "portal/staff_visit_refused.html", {"visit": visit}, status=403)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            return self.get_response(request)


TOLD = "You see what a viewer of the account sees, for 30 minutes. You can change nothing. Every page that you open is recorded."


class WhyForm(forms.Form):
    reason = forms.CharField(
        min_length=3,
        max_length=255,
        help_text="The partner reads it in their audit trail.",
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
    )


def begin_view(request: HttpRequest, account_id: str) -> HttpResponse:
    person = signed_in(request)
    if not person.has_perm(RIGHT):
        raise PermissionDenied
    account = get_object_or_404(Account, pk=account_id, sandbox_of=None)
    form = WhyForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with transaction.atomic():
            reason = form.cleaned_data["reason"]
            begin(request, person, account, reason=reason, address=client_address(request))
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
    account_id = end(request)
    if account_id is None:
        return redirect("admin:index")
    account = Account.objects.get(pk=account_id)
    address = client_address(request)
    note_look(person=signed_in(request), look=Look.ENDED, account=account, address=address)
    messages.info(request, f"You have left the portal of {account.name}.")
    return redirect("admin:accounts_account_change", account.pk)
