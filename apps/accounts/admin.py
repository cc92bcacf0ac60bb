"""The back office of accounts and people. Status and live approval are changed by actions, which call services."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import quote, unquote
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import BaseUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.accounts.actors import Actor, actor_of, signed_in
from apps.accounts.audit import record_of_person
from apps.accounts.branding import branding_of, set_logo
from apps.accounts.invitations import invite, resend_invitation, withdraw_invitation
from apps.accounts.live_approval import approve_live, withdraw_live
from apps.accounts.mails import tell
from apps.accounts.members import MAX_EMAIL_LENGTH, accounts_of_no_other_owner, add_member
from apps.accounts.models import (
    Account,
    AccountAuditEntry,
    AccountStatus,
    AuditAction,
    Invitation,
    Membership,
    Role,
    StaffLook,
    User,
    period_in_words,
)
from apps.accounts.payment_reference import accounts_with, in_groups, payment_reference
from apps.accounts.signals import account_added
from apps.accounts.terms import NO_NAME, change_terms, is_name, set_status
from apps.common import clock, contact
from apps.common.back_office import BackOffice, DecisionAdmin, Huge, ReadOnly, Verdict, Way, listed, page_of
from apps.common.environments import Environment
from apps.common.errors import Conflict, GatewayError, InvalidRequest
from apps.common.money import is_currency

RIGHTS = ["is_staff", "is_superuser", "groups", "user_permissions"]
"""Only superusers give these: with any one of them, people could give themselves the others."""
CHANGED = "Your password was changed"
CHANGED_BODY = """Our staff changed your password.

Choose one that only you know: on the login page, follow "Forgot your password?". If you did not request this, {tell} at once.
"""

MOVED = "Your login email was changed"
MOVED_BODY = """Our staff changed your login email from {before} to {after}.

If you did not request this, {tell} at once.
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
                raise ValidationError(f"{names} has no other owner. Invite another owner there first.")
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

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return signed_in(request).is_superuser

    has_add_permission = has_delete_permission = has_change_permission


class Address(forms.Form):
    email = forms.EmailField(label="Email", max_length=MAX_EMAIL_LENGTH)


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
            ("Email", obj.email),
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


class Among(admin.SimpleListFilter):
    """The field's own filter would show entries without a value as a link without text."""

    parameter_name: str
    values: Sequence[str]

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(value, value) for value in self.values]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[AccountAuditEntry]
    ) -> QuerySet[AccountAuditEntry]:
        return queryset.filter(**{self.parameter_name: self.value()}) if self.value() else queryset


class Action(Among):
    title = parameter_name = "action"
    values = AuditAction.values


class OfEnvironment(Among):
    title = parameter_name = "environment"
    values = Environment.values


@admin.register(AccountAuditEntry)
class AccountAuditEntryAdmin(ReadOnly, Huge):
    list_display = ["created_at", "action", "account", "environment", "actor_label", "actor", "subject_name"]
    list_filter = [OfEnvironment, Action]
    list_select_related = ["account", "actor"]
    search_fields = ["=account__id", "account__name", "=actor__email", "=subject_id", "=address"]
    search_help_text = "An account, a member of staff by address, or the id of what something was done to"
    ordering = ["-id"]  # ids sort by time


@admin.register(StaffLook)
class StaffLookAdmin(ReadOnly, Huge):
    list_display = ["created_at", "person", "look", "what", "account", "reason", "address"]
    list_filter = ["look"]
    list_select_related = ["account", "person"]
    search_fields = ["=id", "=account__id", "=person__email"]
    search_help_text = "An account's id, or the address of one of us"
    ordering = ["-id"]  # ids sort by time


SHOWN_SANDBOXES = 50
"""How many sandboxes the page of an account names: those in use first, then the last that were reset or closed."""
AT_ONCE = 10
"""How many people are added to an account with one form."""


class MembershipForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean_user(self) -> User:
        user: User = self.cleaned_data["user"]
        if Membership.objects.filter(account=self.instance.account_id, user=user).exists():
            raise ValidationError("This person is a member already. Owners change roles, in the portal.")
        return user


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    """Shows the members, and lets staff add one. The owners themselves change roles and remove members, in the portal."""

    model = Membership
    form = MembershipForm
    extra = 0
    raw_id_fields = ["user"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return super().get_queryset(request).select_related("user", "account")

    def get_formset(self, request: HttpRequest, obj: Account | None = None, **kwargs: Any) -> Any:
        """Limited, because Django makes as many rows as a form says that it has."""
        most = AT_ONCE + (obj.memberships.count() if obj is not None else 0)
        return super().get_formset(request, obj, **{**kwargs, "max_num": most, "absolute_max": most})

    def has_change_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        return False


class AccountForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean_name(self) -> str:
        """A name that an account has already may stay."""
        name: str = self.cleaned_data["name"]
        if "name" in self.changed_data and not is_name(name):
            raise ValidationError(NO_NAME)
        return name

    def clean_currency(self) -> str:
        """Asked for a new account only, because all its amounts depend on it."""
        currency: str = self.cleaned_data["currency"].upper()
        if not is_currency(currency):
            raise ValidationError(f"{currency} is not an ISO 4217 currency.")
        return currency


@admin.register(Account)
class AccountAdmin(InvitesOwners):
    form = AccountForm
    list_display = ["name", "id", "status", "currency", "live_approval", "created_at"]
    list_filter = ["status", "currency", ("live_requested_at", admin.EmptyFieldListFilter)]
    search_fields = ["id", "name", "memberships__user__email"]
    search_help_text = "By id, name, member's address, or payment reference."
    fieldsets = [
        (None, {"fields": ["id", "name", "reference", "status", "currency", "created_at", "sandboxes"]}),
        (
            "Terms",
            {
                "fields": ["markup_bp", "rate_search", "rate_booking", "rate_read", "search_quota"],
                "description": "Requests a minute by class, and searches a UTC day. Empty: the deployment's own.",
            },
        ),
        (
            "Travellers",
            {
                "fields": ["traveller_retention_days"],
                "description": "After so many days the travellers of a booking are forgotten. Empty: the deployment's own.",
            },
        ),
        (
            "Live keys",
            {"fields": ["live_approval", "live_requested_at", "live_request_note", "live_approved_until"]},
        ),
        ("Documents", {"fields": ["on_documents"]}),
    ]
    readonly_fields = [
        "id",
        "reference",
        "status",
        "currency",
        "live_approval",
        "live_requested_at",
        "live_request_note",
        "live_approved_until",
        "created_at",
        "sandboxes",
        "on_documents",
    ]
    inlines = [MembershipInline]
    actions = [
        "approve_live_keys",
        "withdraw_live_keys",
        "activate",
        "make_read_only",
        "suspend",
        "remove_logo",
    ]

    @admin.display(description="payment reference")
    def reference(self, account: Account) -> str:
        return in_groups(payment_reference(account.pk)) if account.sandbox_of_id is None else ""

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Account], search_term: str
    ) -> tuple[QuerySet[Account], bool]:
        if named := accounts_with(search_term):
            return queryset.filter(pk__in=named), False
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description="live approval")
    def live_approval(self, account: Account) -> str:
        return account.live_approval_state(clock.now())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        """The partners. The row of a sandbox has a page, to which that of its partner leads, and is in no list."""
        accounts: QuerySet[Account] = super().get_queryset(request)
        of_one = request.resolver_match is not None and "object_id" in request.resolver_match.kwargs
        return accounts if of_one else accounts.filter(sandbox_of=None)

    def has_change_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """The row of a sandbox has its terms from the partner."""
        return super().has_change_permission(request, obj) and (obj is None or obj.sandbox_of_id is None)

    @admin.display(description="sandboxes")
    def sandboxes(self, account: Account) -> SafeString | str:
        """The test environments that are stored under rows of their own; of such a row, the partner."""
        if account.sandbox_of is not None:
            return format_html("A sandbox of {}", page_of(account.sandbox_of))
        found = account.sandboxes.exclude(account=account.pk, stopped_at=None).select_related("account")
        rows = [
            (
                page_of(each.account, each.name),
                " (reset or closed)"
                if each.retired_at
                else " (read-only: its ledger differs)"
                if each.stopped_at
                else "",
            )
            for each in found.order_by(F("retired_at").desc(nulls_first=True), "name")[:SHOWN_SANDBOXES]
        ]
        return format_html_join(" · ", "{}{}", rows) or "None of their own"

    @admin.display(description="name, logo and contact")
    def on_documents(self, account: Account) -> SafeString | str:
        """What vouchers, itineraries and receipts show of the partner, which sets it in the portal."""
        branding = branding_of(account)
        lines = [("Name", branding.name), ("Address", branding.address.replace("\n", ", "))]
        lines += [("Phone", branding.phone), ("Emergency phone", branding.emergency_phone)]
        lines += [("E-mail", branding.email), ("Website", branding.website)]
        lines += [("Logo", f"{len(branding.logo):,} bytes" if branding.logo else "")]
        return format_html_join(" · ", "{}: {}", [line for line in lines if line[1]]) or "The name alone"

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> list[str]:
        """The currency is chosen when the account is opened, and never changes."""
        return [name for name in self.readonly_fields if obj is not None or name != "currency"]

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """An account is never deleted, because what it owns must stay explainable. One that ends is suspended."""
        return False

    def save_model(
        self, request: HttpRequest, obj: Account, form: "forms.ModelForm[Account]", change: bool
    ) -> None:
        if change:
            save_changes(obj, form.changed_data, signed_in(request))
        else:
            super().save_model(request, obj, form, change)
            account_added.send(sender=Account, account=obj)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        staff = actor_of(signed_in(request))
        for new in formset.save(commit=False):
            try:
                add_member(account=new.account, email=new.user.email, role=new.role, actor=staff)
            except GatewayError as refused:  # became a member after the form was read
                self.message_user(request, f"{new.user}: {refused}", messages.WARNING)

    @admin.action(description="Approve live keys for 365 days", permissions=["change"])
    def approve_live_keys(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        staff = signed_in(request)
        self._apply(request, accounts, lambda account: approve_live(account=account, approved_by=staff))

    @admin.action(description="Withdraw the approval for live keys", permissions=["change"])
    def withdraw_live_keys(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        staff = signed_in(request)
        self._apply(request, accounts, lambda account: withdraw_live(account=account, withdrawn_by=staff))

    @admin.action(description="Make active", permissions=["change"])
    def activate(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        self._put(request, accounts, AccountStatus.ACTIVE)

    @admin.action(description="Make read-only", permissions=["change"])
    def make_read_only(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        self._put(request, accounts, AccountStatus.READ_ONLY)

    @admin.action(description="Suspend", permissions=["change"])
    def suspend(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        self._put(request, accounts, AccountStatus.SUSPENDED)

    @admin.action(description="Remove the logo from documents", permissions=["change"])
    def remove_logo(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        staff = actor_of(signed_in(request))
        self._apply(request, accounts, lambda account: remove_logo(account, staff))

    def _put(self, request: HttpRequest, accounts: QuerySet[Account], status: AccountStatus) -> None:
        staff = actor_of(signed_in(request))
        self._apply(
            request, accounts, lambda account: set_status(account=account, status=status, actor=staff)
        )

    def _apply(
        self, request: HttpRequest, accounts: QuerySet[Account], verb: Callable[[Account], None]
    ) -> None:
        changed = 0
        for account in accounts:
            try:
                verb(account)
            except GatewayError as refused:
                self.message_user(request, f"{account}: {refused}", messages.WARNING)
            else:
                self.log_change(request, account, request.POST.get("action", ""))
                changed += 1
        self.message_user(
            request, f"{changed} account{'' if changed == 1 else 's'} changed.", messages.SUCCESS
        )


def remove_logo(account: Account, staff: Actor) -> None:
    """Raises Conflict where it has no logo."""
    if not set_logo(account=account, actor=staff, logo=None):
        raise Conflict("The account has no logo.", ours=True)


def save_changes(account: Account, names: list[str], staff: User) -> None:
    """Record what the form changed in the audit trail, and bypass the key cache, as with any other change."""
    if names:
        terms = {name: getattr(account, name) for name in names}
        change_terms(account=account, actor=actor_of(staff), **terms)
