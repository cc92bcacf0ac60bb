"""The forms of the team. The services decide which addresses and roles are valid."""

from typing import Any

from django import forms

from apps.accounts.models import Role

ROLES = {
    Role.OWNER: "Everything. Only owners manage the team and go live.",
    Role.DEVELOPER: "Keys and webhooks; reads the rest.",
    Role.FINANCE: "Reads everything, and asks what cancelling a booking would cost.",
    Role.VIEWER: "Reads everything, and nothing else.",
}
ERROR_FIELDS = {"email": "email", "role": "role"}
"""The form's field for each field that a service may refuse."""


class RoleField(forms.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        choices = [(role.value, f"{role.label}: {may}") for role, may in ROLES.items()]
        super().__init__(choices=choices, widget=forms.RadioSelect, **kwargs)


class InviteForm(forms.Form):
    email = forms.CharField(
        label="E-mail address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off", "placeholder": "ada@example.com"}),
    )
    role = RoleField(initial=Role.DEVELOPER)


class ChangeRoleForm(forms.Form):
    role = RoleField()
