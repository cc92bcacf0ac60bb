"""People in the back office. Who leaves is switched off and never deleted: trails and keys name who did what."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import BaseUserCreationForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import actor_of, signed_in
from apps.accounts.models import AuditAction, User
from apps.accounts.services.audit import record_of_person
from apps.accounts.services.members import accounts_of_no_other_owner
from apps.accounts.services.tell_owners import tell

RIGHTS = ["is_staff", "is_superuser", "groups", "user_permissions"]
"""What superusers alone give: with any of them one could give oneself the others."""
CHANGED = "Your password was changed"
CHANGED_BODY = """Our staff changed the password of your sign-in.

Choose one that you alone know: on the page where you sign in, follow "Forgot your password?". If you did not ask for
this, tell us at once.
"""

MOVED = "The address of your sign-in was changed"
MOVED_BODY = """Our staff changed the address with which you sign in from {before} to {after}.

If you did not ask for this, tell us at once.
"""


class OneAddress(forms.ModelForm):  # type: ignore[type-arg]
    def clean_email(self) -> str:
        """Nobody signs in, or is invited, by how an address is capitalised."""
        email: str = User.objects.normalize_email(self.cleaned_data["email"])
        if User.objects.filter(email__iexact=email).exclude(pk=self.instance.pk).exists():
            raise ValidationError("User with this Email already exists.")
        return email


class UserCreationForm(OneAddress, BaseUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ["email"]


class PersonForm(OneAddress, UserChangeForm):  # type: ignore[type-arg]
    def clean_is_active(self) -> bool:
        """An account always keeps an owner who can sign in. Saved in the transaction that this is asked in."""
        is_active: bool = self.cleaned_data["is_active"]
        if self.instance.is_active and not is_active:
            owned = accounts_of_no_other_owner(self.instance)
            if owned:
                names = ", ".join(account.name for account in owned)
                raise ValidationError(f"Nobody else owns {names}. Invite another owner there first.")
        return is_active


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]
    form = PersonForm
    add_form = UserCreationForm
    ordering = ["email"]
    list_display = ["email", "first_name", "last_name", "is_staff", "is_active", "last_login"]
    search_fields = ["email", "first_name", "last_name"]
    fieldsets = [
        (None, {"fields": ["email", "password"]}),
        ("Person", {"fields": ["first_name", "last_name"]}),
        ("Rights", {"fields": ["is_active", *RIGHTS]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [(None, {"fields": ["email", "password1", "password2"]})]
    readonly_fields = ["last_login", "date_joined"]
    filter_horizontal = []  # its explanations cannot be read aloud

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Who may help partners' people is not thereby one who may take over a colleague's sign-in."""
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and (obj is None or not obj.is_staff or signed_in(request).is_superuser)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        return self.readonly_fields if signed_in(request).is_superuser else [*self.readonly_fields, *RIGHTS]

    def save_model(
        self, request: HttpRequest, obj: User, form: "forms.ModelForm[User]", change: bool
    ) -> None:
        """How somebody signs in, and whether at all, concerns every account they belong to. In the admin's transaction."""
        super().save_model(request, obj, form, change)
        staff = actor_of(signed_in(request))
        if change and "email" in form.changed_data:
            before = str(form.initial["email"])
            record_of_person(obj, AuditAction.ADDRESS_CHANGED, staff, of=before, to=obj.email)
            for address in (before, obj.email):
                tell(address, MOVED, MOVED_BODY.format(before=before, after=obj.email))
        if change and "is_active" in form.changed_data:
            action = AuditAction.SIGN_IN_SWITCHED_ON if obj.is_active else AuditAction.SIGN_IN_SWITCHED_OFF
            record_of_person(obj, action, staff, of=obj.email)

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """A password that was changed here is told to the person by mail, and in the trails of their accounts."""
        person: Any = self.get_object(request, unquote(id))
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        if person is not None and User.objects.get(pk=person.pk).password != person.password:
            staff = actor_of(signed_in(request))
            record_of_person(person, AuditAction.PASSWORD_RESET, staff, of=person.email)
            tell(person.email, CHANGED, CHANGED_BODY)
        return answer
