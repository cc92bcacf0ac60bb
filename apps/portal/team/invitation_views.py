"""Inviting a person, sending the link again, withdrawing the invitation."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.models import Invitation, period_in_words
from apps.accounts.selectors.team import invitation_in
from apps.accounts.services.invitations import invite, resend_invitation, withdraw_invitation
from apps.common.errors import Conflict
from apps.portal.form_views import ConfirmView, CreateView, Question
from apps.portal.team.forms import ERROR_FIELDS, InviteForm
from apps.portal.team.member_views import TeamChangeView


class InviteMemberView(TeamChangeView, CreateView):
    template, form_class, error_fields = "portal/team/invite.html", InviteForm, ERROR_FIELDS

    def extra_context(self) -> dict[str, Any]:
        return {"lasts": period_in_words()}

    def create(self, form: InviteForm) -> HttpResponse:
        sent = invite(account=self.portal.account, actor=self.actor, **form.cleaned_data)
        messages.success(self.request, f"{sent.email} is invited. The link works for {period_in_words()}.")
        return redirect("portal:team")


class InvitationView(TeamChangeView, ConfirmView[Invitation]):
    """A confirmation about one invitation. An invitation that is over is reported on the team's page."""

    object_name = "invitation"

    def get_object(self, invitation_id: str) -> Invitation:
        return invitation_in(self.portal.account.pk, invitation_id)

    def address_of(self, invitation: Invitation) -> str:
        return reverse("portal:team")

    def conflict(self, invitation: Invitation, form: forms.Form, refusal: Conflict) -> HttpResponse:
        messages.error(self.request, refusal.message)
        return self.back(invitation)


class InvitationResendView(InvitationView):
    def question(self, invitation: Invitation) -> Question:
        return Question(
            heading=f"Send {invitation.email} another link?",
            warning=f"It works for {period_in_words()} from now. The link sent before stops working.",
            button="Send the link",
            is_harmless=True,
        )

    def change(self, invitation: Invitation, form: forms.Form) -> HttpResponse:
        resend_invitation(invitation=invitation, actor=self.actor)
        return self.done(invitation, f"Another link is on its way to {invitation.email}.")


class InvitationWithdrawView(InvitationView):
    def question(self, invitation: Invitation) -> Question:
        return Question(
            heading=f"Withdraw the invitation of {invitation.email}?",
            warning="The link in the mail stops working. You can invite the person again.",
            button="Withdraw the invitation",
        )

    def change(self, invitation: Invitation, form: forms.Form) -> HttpResponse:
        withdraw_invitation(invitation=invitation, actor=self.actor)
        return self.done(invitation, f"The invitation of {invitation.email} is withdrawn.")
