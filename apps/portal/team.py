"""The team: members, their roles, and invitations."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.actors import actor_of
from apps.accounts.invitations import invite, resend_invitation, withdraw_invitation
from apps.accounts.members import (
    change_role,
    invitation_in,
    member_of,
    members_of,
    pending_invitations_of,
    remove_member,
)
from apps.accounts.models import Invitation, Membership, Role, period_in_words
from apps.accounts.terms import require_four_eyes
from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.portal.base import GET_AND_POST, PortalView
from apps.portal.context import OWNERS
from apps.portal.forms import ConfirmView, FormView, ObjectFormView, Question
from apps.portal.sign_in.two_factor import with_authenticator


class TeamView(PortalView):
    section = "team"
    account_wide = True
    allowed_roles_to_post = OWNERS

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, now = self.portal.account.pk, clock.now()
        pending = pending_invitations_of(account_id)
        members = members_of(account_id, two_factor=with_authenticator("user_id"))
        return self.render(
            "portal/team/index.html",
            {
                "members": members,
                "invitations": [
                    (each, actor_of(each.invited_by).label, each.is_open(now)) for each in pending
                ],
                "may_manage": self.portal.has_role(OWNERS),
            },
        )


ROLES = {
    Role.OWNER: "Everything. Only owners manage the team and go live.",
    Role.DEVELOPER: "Keys and webhooks; reads the rest.",
    Role.FINANCE: "Reads everything and quotes cancellations.",
    Role.APPROVER: "Reads everything, and approves or declines bookings that wait for it.",
    Role.VIEWER: "Reads everything, and nothing else.",
}


class RoleField(forms.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        choices = [(role.value, f"{role.label}: {may}") for role, may in ROLES.items()]
        super().__init__(choices=choices, widget=forms.RadioSelect, **kwargs)


class InviteForm(forms.Form):
    email = forms.CharField(
        label="Email",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off", "placeholder": "ada@example.com"}),
    )
    role = RoleField(initial=Role.DEVELOPER)


class ChangeRoleForm(forms.Form):
    role = RoleField()


class TeamChangeView(PortalView):
    section = "team"
    account_wide = True
    allowed_roles = allowed_roles_to_post = OWNERS
    reauthenticated_methods = GET_AND_POST


class FourEyesForm(forms.Form):
    required = forms.BooleanField(
        label="Four eyes: a person who issued a key cannot approve its bookings", required=False
    )


class FourEyesView(TeamChangeView, FormView):
    template, form_class = "portal/team/four_eyes.html", FourEyesForm

    def initial(self) -> dict[str, Any]:
        return {"required": self.portal.account.approval_four_eyes}

    def save(self, form: FourEyesForm) -> HttpResponse:
        required = form.cleaned_data["required"]
        require_four_eyes(account=self.portal.account, required=required, actor=self.actor)
        said = "A person who issued a key can no longer approve its bookings."
        messages.success(
            self.request, said if required else "Owners and approvers can approve bookings of every key."
        )
        return redirect("portal:team")


class MemberFormView(TeamChangeView, ObjectFormView[Membership]):
    name = "member"

    def get_object(self, member_id: int) -> Membership:
        return member_of(self.portal.account.pk, member_id)

    def address(self) -> str:
        return reverse("portal:team")

    @property
    def is_oneself(self) -> bool:
        return bool(self.object.user_id == self.portal.user.pk)


class MemberRoleView(MemberFormView):
    template, form_class = "portal/team/role.html", ChangeRoleForm

    def initial(self) -> dict[str, Any]:
        return {"role": self.object.role}

    def extra_context(self) -> dict[str, Any]:
        return {"is_oneself": self.is_oneself}

    def save(self, form: ChangeRoleForm) -> HttpResponse:
        try:
            changed = change_role(membership=self.object, role=form.cleaned_data["role"], actor=self.actor)
        except Membership.DoesNotExist:
            raise NotFound from None
        return self.done(f"{changed.user.email} is {changed.get_role_display().lower()} now.")


class MemberRemoveView(MemberFormView, ConfirmView[Membership]):
    def question(self) -> Question:
        email, account, is_oneself = self.object.user.email, self.portal.account.name, self.is_oneself
        return Question(
            heading=f"Leave {account}?" if is_oneself else f"Remove {email}?",
            warning=f"{'You see' if is_oneself else 'This person sees'} nothing of {account} from the next page on.",
            consequences=[
                "Keys, webhooks and bookings stay as they are. Rotate the keys whose secrets left with the person.",
                "The audit trail keeps the name.",
                "Another invitation lets the person in again.",
            ],
            button="Leave the account" if is_oneself else "Remove from the team",
        )

    def save(self, form: forms.Form) -> HttpResponse:
        try:
            remove_member(membership=self.object, actor=self.actor)
        except Membership.DoesNotExist:
            raise NotFound from None
        return self.done(f"{self.object.user.email} is no longer a member.")


class InviteMemberView(TeamChangeView, FormView):
    template, form_class = "portal/team/invite.html", InviteForm

    def extra_context(self) -> dict[str, Any]:
        return {"lasts": period_in_words()}

    def save(self, form: InviteForm) -> HttpResponse:
        sent = invite(account=self.portal.account, actor=self.actor, **form.cleaned_data)
        messages.success(self.request, f"{sent.email} is invited. The link works for {period_in_words()}.")
        return redirect("portal:team")


class InvitationView(TeamChangeView, ConfirmView[Invitation]):
    """A confirmation about one invitation. An invitation that is over is reported on the team's page."""

    name = "invitation"

    def get_object(self, invitation_id: str) -> Invitation:
        return invitation_in(self.portal.account.pk, invitation_id)

    def address(self) -> str:
        return reverse("portal:team")

    def conflict(self, form: forms.Form, refusal: Conflict) -> HttpResponse:
        messages.error(self.request, refusal.message)
        return self.back()


class InvitationResendView(InvitationView):
    def question(self) -> Question:
        return Question(
            heading=f"Send {self.object.email} another link?",
            warning=f"It works for {period_in_words()} from now. The link sent before stops working.",
            button="Send the link",
            is_harmless=True,
        )

    def save(self, form: forms.Form) -> HttpResponse:
        resend_invitation(invitation=self.object, actor=self.actor)
        return self.done(f"Another link is on its way to {self.object.email}.")


class InvitationWithdrawView(InvitationView):
    def question(self) -> Question:
        return Question(
            heading=f"Withdraw the invitation of {self.object.email}?",
            warning="The link in the mail stops working. You can invite the person again.",
            button="Withdraw the invitation",
        )

    def save(self, form: forms.Form) -> HttpResponse:
        withdraw_invitation(invitation=self.object, actor=self.actor)
        return self.done(f"The invitation of {self.object.email} is withdrawn.")
