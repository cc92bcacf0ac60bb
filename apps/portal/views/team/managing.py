"""What owners do about members: another role, the end of a membership."""

from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.models import Membership
from apps.accounts.selectors.team import member_of
from apps.accounts.services.members import change_role, remove_member
from apps.gateway.errors import Conflict, InvalidRequest, NotFound
from apps.portal.forms import team as forms
from apps.portal.forms.refusals import say
from apps.portal.place import OWNERS, PortalView


class ManageView(PortalView):
    """Owners alone, and asked for the password again before they see the form."""

    section = "team"
    of_account = True
    may = may_post = OWNERS
    asks_again = frozenset({"GET", "POST"})


class ChangeMember(ManageView):
    """A form about one member. `change` calls the service and says what was done."""

    template: str
    form_class: type[django_forms.Form] = django_forms.Form

    def initial(self, member: Membership) -> dict[str, Any]:
        return {}

    def context(self, member: Membership) -> dict[str, Any]:
        return {}

    def change(self, member: Membership, form: Any) -> str:
        raise NotImplementedError

    def found(self, member_id: int) -> Membership:
        try:
            return member_of(self.place.account.pk, member_id)
        except NotFound:
            raise Http404 from None

    def get(self, request: HttpRequest, member_id: int) -> HttpResponse:
        member = self.found(member_id)
        return self.page(member, self.form_class(initial=self.initial(member)))

    def post(self, request: HttpRequest, member_id: int) -> HttpResponse:
        member, form = self.found(member_id), self.form_class(request.POST)
        if form.is_valid():
            try:
                messages.success(request, self.change(member, form))
                return redirect("portal:team")
            except InvalidRequest as refusal:
                say(form, refusal, forms.FIELDS)
            except Conflict as refusal:
                form.add_error(None, refusal.message)
            except Membership.DoesNotExist:  # removed meanwhile
                raise Http404 from None
        return self.page(member, form, status=400)

    def page(self, member: Membership, form: django_forms.Form, *, status: int = 200) -> HttpResponse:
        context = {"member": member, "form": form, **self.context(member)}
        return self.render(self.template, context, status=status)


class ChangeRole(ChangeMember):
    template, form_class = "portal/team/role.html", forms.ChangeRole

    def initial(self, member: Membership) -> dict[str, Any]:
        return {"role": member.role}

    def context(self, member: Membership) -> dict[str, Any]:
        return {"is_oneself": member.user_id == self.place.user.pk}

    def change(self, member: Membership, form: forms.ChangeRole) -> str:
        changed = change_role(membership=member, role=form.cleaned_data["role"], actor=self.actor)
        return f"{changed.user.email} is {changed.get_role_display().lower()} now."


class RemoveMember(ChangeMember):
    """The page before what cannot be taken back."""

    template = "portal/confirm.html"

    def context(self, member: Membership) -> dict[str, Any]:
        email, account = member.user.email, self.place.account.name
        is_oneself = member.user_id == self.place.user.pk
        return {
            "heading_text": f"Leave {account}?" if is_oneself else f"Remove {email}?",
            "warning": f"{'You see' if is_oneself else 'This person sees'} nothing of {account} from the next page on.",
            "consequences": [
                "Keys, webhooks and bookings stay as they are. Rotate the keys whose secrets left with the person.",
                "The audit trail keeps the name.",
                "Another invitation lets the person in again.",
            ],
            "label": "Leave the account" if is_oneself else "Remove from the team",
            "back": reverse("portal:team"),
        }

    def change(self, member: Membership, form: Any) -> str:
        remove_member(membership=member, actor=self.actor)
        return f"{member.user.email} is not a member any more."
