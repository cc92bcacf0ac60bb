"""Inviting somebody, sending the link again, taking it back."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.models import INVITATION_PERIOD, Invitation
from apps.accounts.selectors.team import invitation_in
from apps.accounts.services.invitations import invite, resend_invitation, withdraw_invitation
from apps.gateway.errors import Conflict, InvalidRequest, NotFound
from apps.portal.forms import team as forms
from apps.portal.forms.refusals import say
from apps.portal.views.team.managing import ManageView


class InviteMember(ManageView):
    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(forms.Invite())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = forms.Invite(request.POST)
        if form.is_valid():
            try:
                sent = invite(account=self.place.account, actor=self.actor, **form.cleaned_data)
            except InvalidRequest as refusal:
                say(form, refusal, forms.FIELDS)
            except Conflict as refusal:
                form.add_error(None, refusal.message)
            else:
                messages.success(request, f"{sent.email} is invited. The link works for {days()} days.")
                return redirect("portal:team")
        return self.page(form, status=400)

    def page(self, form: forms.Invite, *, status: int = 200) -> HttpResponse:
        return self.render("portal/team/invite.html", {"form": form, "days": days()}, status=status)


class AboutInvitation(ManageView):
    """A confirmation about one invitation; what is over already is said on the team's page."""

    def found(self, invitation_id: str) -> Invitation:
        try:
            return invitation_in(self.place.account.pk, invitation_id)
        except NotFound:
            raise Http404 from None

    def get(self, request: HttpRequest, invitation_id: str) -> HttpResponse:
        context = self.context(self.found(invitation_id)) | {"back": reverse("portal:team")}
        return self.render("portal/confirm.html", context)

    def post(self, request: HttpRequest, invitation_id: str) -> HttpResponse:
        try:
            messages.success(request, self.change(self.found(invitation_id)))
        except Conflict as refusal:
            messages.error(request, refusal.message)
        return redirect("portal:team")

    def context(self, invitation: Invitation) -> dict[str, object]:
        raise NotImplementedError

    def change(self, invitation: Invitation) -> str:
        raise NotImplementedError


class ResendInvitation(AboutInvitation):
    def context(self, invitation: Invitation) -> dict[str, object]:
        return {
            "heading_text": f"Send {invitation.email} another link?",
            "warning": f"It works for {days()} days from now. The link sent before stops working.",
            "label": "Send the link",
            "harmless": True,
        }

    def change(self, invitation: Invitation) -> str:
        resend_invitation(invitation=invitation, actor=self.actor)
        return f"Another link is on its way to {invitation.email}."


class WithdrawInvitation(AboutInvitation):
    def context(self, invitation: Invitation) -> dict[str, object]:
        return {
            "heading_text": f"Withdraw the invitation of {invitation.email}?",
            "warning": "The link in the mail stops working. You can invite the person again.",
            "label": "Withdraw the invitation",
        }

    def change(self, invitation: Invitation) -> str:
        withdraw_invitation(invitation=invitation, actor=self.actor)
        return f"The invitation of {invitation.email} is withdrawn."


def days() -> int:
    return INVITATION_PERIOD.days
