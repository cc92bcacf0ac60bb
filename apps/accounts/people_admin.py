"""People in the back office. Whoever leaves is switched off and never deleted, because audit trails and keys name people."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import BaseUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import actor_of, signed_in
from apps.accounts.models import AuditAction, User
from apps.accounts.services.audit import record_of_person
from apps.accounts.services.members import accounts_of_no_other_owner
from apps.accounts.services.tell_owners import tell
from apps.common import contact
from apps.common.back_office import BackOffice

RIGHTS = ["is_staff", "is_superuser", "groups", "user_permissions"]
"""Only superusers give these: with any one of them, people could give themselves the others."""
CHANGED = "Your password was changed"
CHANGED_BODY = """Our staff changed the password of your sign-in.

Choose one that you alone know: on the page where you sign in, follow "Forgot your password?". If you did not ask for
this, {tell} at once.
"""

MOVED = "The address of your sign-in was changed"
MOVED_BODY = """Our staff changed the address with which you sign in from {before} to {after}.

If you did not ask for this, {tell} at once.
"""


class OneAddress(forms.ModelForm):  # type: ignore[type-arg]
    def clean_email(self) -> str:
        """The capitalisation of an address makes no difference when signing in or being invited."""
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
        """An account always keeps an owner who can sign in. The change is saved in the transaction that checks this."""
        is_active: bool = self.cleaned_data["is_active"]
        if self.instance.is_active and not is_active:
            owned = accounts_of_no_other_owner(self.instance)
            if owned:
                names = ", ".join(account.name for account in owned)
                raise ValidationError(f"Nobody else owns {names}. Invite another owner there first.")
        return is_active


@admin.register(User)
class UserAdmin(BackOffice, DjangoUserAdmin):  # type: ignore[type-arg]
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
    filter_horizontal = []  # screen readers cannot read its explanations

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Only those who may set another password see what is left of the hash of this one."""
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return fieldsets
        return [
            (title, {**options, "fields": [name for name in options["fields"] if name != "password"]})
            for title, options in fieldsets
        ]

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Staff who may help partners' people may not for that take over the sign-in of a colleague."""
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and (obj is None or not obj.is_staff or signed_in(request).is_superuser)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        return self.readonly_fields if signed_in(request).is_superuser else [*self.readonly_fields, *RIGHTS]

    def save_model(
        self, request: HttpRequest, obj: User, form: "forms.ModelForm[User]", change: bool
    ) -> None:
        """How people sign in, and whether they can, concerns every account they belong to. Written in the admin's transaction."""
        super().save_model(request, obj, form, change)
        staff = actor_of(signed_in(request))
        if change and "email" in form.changed_data:
            before = str(form.initial["email"])
            record_of_person(obj, AuditAction.ADDRESS_CHANGED, staff, of=before, to=obj.email)
            for address in (before, obj.email):
                tell(address, MOVED, MOVED_BODY.format(before=before, after=obj.email, tell=contact.tell()))
        if change and "is_active" in form.changed_data:
            action = AuditAction.SIGN_IN_SWITCHED_ON if obj.is_active else AuditAction.SIGN_IN_SWITCHED_OFF
            record_of_person(obj, action, staff, of=obj.email)

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """The person gets a mail about a password that was changed here, and the audit trails of their accounts an entry."""
        person: Any = self.get_object(request, unquote(id))
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        if person is not None and User.objects.get(pk=person.pk).password != person.password:
            staff = actor_of(signed_in(request))
            record_of_person(person, AuditAction.PASSWORD_RESET, staff, of=person.email)
            tell(person.email, CHANGED, CHANGED_BODY.format(tell=contact.tell()))
        return answer


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(BackOffice, DjangoGroupAdmin):
    """Members of a group have its rights. So only superusers change them, as with the rights of a person."""

    filter_horizontal = []

    def has_add_permission(self, request: HttpRequest) -> bool:
        return signed_in(request).is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return signed_in(request).is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return signed_in(request).is_superuser
