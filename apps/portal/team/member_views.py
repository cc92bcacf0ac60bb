"""Changes to a member of the team: another role, the end of the membership."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse

from apps.accounts.models import Membership
from apps.accounts.selectors.team import member_of
from apps.accounts.services.members import change_role, remove_member
from apps.common.errors import NotFound
from apps.portal.base_view import GET_AND_POST, PortalView
from apps.portal.context import OWNERS
from apps.portal.form_views import ConfirmView, ObjectFormView, Question
from apps.portal.team.forms import ERROR_FIELDS, ChangeRoleForm


class TeamChangeView(PortalView):
    """For owners alone. They are asked for the password again before they see the form."""

    section = "team"
    account_wide = True
    allowed_roles = allowed_roles_to_post = OWNERS
    reauthenticated_methods = GET_AND_POST


class MemberFormView(TeamChangeView, ObjectFormView[Membership]):
    """A form about one member."""

    object_name = "member"
    error_fields = ERROR_FIELDS

    def get_object(self, member_id: int) -> Membership:
        return member_of(self.portal.account.pk, member_id)

    def address_of(self, member: Membership) -> str:
        return reverse("portal:team")

    def is_oneself(self, member: Membership) -> bool:
        return bool(member.user_id == self.portal.user.pk)


class MemberRoleView(MemberFormView):
    template, form_class = "portal/team/role.html", ChangeRoleForm

    def initial(self, member: Membership) -> dict[str, Any]:
        return {"role": member.role}

    def extra_context(self, member: Membership) -> dict[str, Any]:
        return {"is_oneself": self.is_oneself(member)}

    def change(self, member: Membership, form: ChangeRoleForm) -> HttpResponse:
        try:
            changed = change_role(membership=member, role=form.cleaned_data["role"], actor=self.actor)
        except Membership.DoesNotExist:
            raise NotFound from None
        return self.done(changed, f"{changed.user.email} is {changed.get_role_display().lower()} now.")


class MemberRemoveView(MemberFormView, ConfirmView[Membership]):
    def question(self, member: Membership) -> Question:
        email, account = member.user.email, self.portal.account.name
        is_oneself = self.is_oneself(member)
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

    def change(self, member: Membership, form: forms.Form) -> HttpResponse:
        try:
            remove_member(membership=member, actor=self.actor)
        except Membership.DoesNotExist:
            raise NotFound from None
        return self.done(member, f"{member.user.email} is no longer a member.")
