"""Invitations in the back office: staff invite the first owner of an account, and so never know a password.

From then on the owners invite others themselves, in the portal. Here a link can be sent again or withdrawn.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from apps.accounts.actors import Actor, actor_of, signed_in
from apps.accounts.models import Account, Invitation, Role, period_in_words
from apps.accounts.services.invitations import invite, resend_invitation, withdraw_invitation
from apps.accounts.services.members import MAX_EMAIL_LENGTH
from apps.common.back_office import BackOffice, DecisionAdmin, Verdict, Way, listed, page_of
from apps.common.errors import Conflict, GatewayError, InvalidRequest


class Address(forms.Form):
    email = forms.EmailField(label="E-mail address", max_length=MAX_EMAIL_LENGTH)


class InvitesOwners(BackOffice):
    """The page of an account leads to one on which its owner is invited. No transaction is open while the mail is sent."""

    def get_urls(self) -> list[URLPattern]:
        invites = self.admin_site.admin_view(self.invite_owner)
        own = path("<path:object_id>/invite-owner/", invites, name="accounts_account_invite_owner")
        return [own, *super().get_urls()]

    def invite_owner(self, request: HttpRequest, object_id: str) -> HttpResponse:
        account: Account | None = self.get_object(request, unquote(object_id))
        if account is None:
            return self.not_there(request, object_id)
        if not self.has_change_permission(request, account):
            raise PermissionDenied
        way = invitation_of_owner(request, account, actor_of(signed_in(request)))
        if way.form.is_valid():
            try:
                said = way.verdict.act(way.form.cleaned_data)
            except GatewayError as refusal:
                way.form.add_error("email" if isinstance(refusal, InvalidRequest) else None, why(refusal))
            else:
                self.log_change(request, account, said)
                messages.success(request, said)
                return redirect("admin:accounts_account_change", quote(account.pk))
        return self._page(request, account, way)

    def _page(self, request: HttpRequest, account: Account, way: Way) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": f"Invite an owner of {account.name}",
            "opts": self.opts,
            "original": account,
            "facts": facts_of(account),
            "ways": [way],
            "history": reverse("admin:accounts_account_history", args=[quote(account.pk)]),
        }
        return TemplateResponse(request, "admin/decision.html", context)


def invitation_of_owner(request: HttpRequest, account: Account, staff: Actor) -> Way:
    verdict = Verdict(
        "invite",
        "Send the invitation",
        f"The link in the mail works once, for {period_in_words()}. It leads to a password and two-factor of their own.",
        partial(_invite, account, staff),
        form=Address,
    )
    return Way(verdict, Address(request.POST if request.method == "POST" else None, prefix=verdict.name))


def facts_of(account: Account) -> list[tuple[str, object]]:
    owners = account.memberships.filter(role=Role.OWNER, user__is_active=True)
    return [
        ("Account", page_of(account)),
        ("Owners", ", ".join(owners.order_by("pk").values_list("user__email", flat=True)[:20])),
        ("Invited", listed("accounts_invitation", "Invitations that wait", q=account.pk)),
    ]


def why(refusal: GatewayError) -> list[str]:
    details: Any = refusal.extras.get("details")
    return [detail["message"] for detail in details] if details else [refusal.message]


def _invite(account: Account, staff: Actor, given: dict[str, Any]) -> str:
    sent = invite(account=account, email=given["email"], role=Role.OWNER, actor=staff)
    return f"{sent.email} is invited as an owner. The link works for {period_in_words()}."


@admin.register(Invitation)
class InvitationAdmin(DecisionAdmin):
    refusals = (Conflict,)
    list_display = ["email", "account", "role", "sent_at", "expires_at"]
    list_filter = ["role"]
    list_select_related = ["account"]
    search_fields = ["email", "=account__id", "account__name"]
    ordering = ["-sent_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        """Open and expired invitations; the others are in the account's audit trail."""
        pending: QuerySet[Invitation] = (
            super().get_queryset(request).filter(accepted_at=None, withdrawn_at=None)
        )
        return pending.select_related("account", "invited_by")

    def facts(self, request: HttpRequest, obj: Any) -> Sequence[tuple[str, object]]:
        return [
            ("Account", page_of(obj.account)),
            ("E-mail address", obj.email),
            ("Role", obj.get_role_display()),
            ("Invited by", obj.invited_by or "the command line"),
            ("Links sent", f"{obj.mails}, the last {obj.sent_at:%d %b %Y %H:%M} UTC"),
            ("Ends", f"{obj.expires_at:%d %b %Y %H:%M} UTC"),
        ]

    def verdicts(self, request: HttpRequest, obj: Any) -> Sequence[Verdict]:
        if not request.user.has_perm("accounts.change_invitation"):
            return []
        staff = actor_of(signed_in(request))
        return [
            Verdict(
                "resend",
                "Send another link",
                f"It works for {period_in_words()} from now. The link sent before stops working.",
                partial(_resend, obj, staff),
            ),
            Verdict(
                "withdraw",
                "Withdraw the invitation",
                "The link in the mail stops working. The person can be invited again.",
                partial(_withdraw, obj, staff),
                grave=True,
            ),
        ]


def _resend(invitation: Invitation, staff: Actor, _given: dict[str, Any]) -> str:
    resend_invitation(invitation=invitation, actor=staff)
    return f"Another link is on its way to {invitation.email}."


def _withdraw(invitation: Invitation, staff: Actor, _given: dict[str, Any]) -> str:
    withdraw_invitation(invitation=invitation, actor=staff)
    return f"The invitation of {invitation.email} is withdrawn."
