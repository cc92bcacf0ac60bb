"""The back office of accounts. Status and live approval are changed by actions, which call services."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.accounts.actors import actor_of, signed_in
from apps.accounts.audit_admin import AccountAuditEntryAdmin
from apps.accounts.invitations_admin import InvitationAdmin, InvitesOwners
from apps.accounts.looks_admin import StaffLookAdmin
from apps.accounts.models import Account, AccountStatus, Membership, User
from apps.accounts.people_admin import UserAdmin
from apps.accounts.services.create import NO_NAME, is_name
from apps.accounts.services.live_approval import approve_live, withdraw_live
from apps.accounts.services.members import add_member
from apps.accounts.services.status import set_status
from apps.accounts.services.terms import change_terms
from apps.accounts.signals import account_added
from apps.common import clock
from apps.common.back_office import listed, page_of
from apps.common.errors import GatewayError
from apps.common.money import is_currency

__all__ = ["AccountAdmin", "AccountAuditEntryAdmin", "InvitationAdmin", "StaffLookAdmin", "UserAdmin"]

SEE_ALSO = {
    "ledger_wallet": "Wallets",
    "ledger_ledgertransaction": "Ledger",
    "keys_apikey": "Keys",
    "bookings_booking": "Bookings",
    "webhooks_endpoint": "Webhook endpoints",
    "request_log_loggedcall": "Requests",
    "accounts_invitation": "Invitations",
    "accounts_accountauditentry": "Audit",
}

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
    fieldsets = [
        (None, {"fields": ["id", "name", "status", "currency", "created_at", "sandboxes"]}),
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
        ("See also", {"fields": ["see_also"]}),
    ]
    readonly_fields = [
        "id",
        "status",
        "currency",
        "live_approval",
        "live_requested_at",
        "live_request_note",
        "live_approved_until",
        "created_at",
        "sandboxes",
        "see_also",
    ]
    inlines = [MembershipInline]
    actions = ["approve_live_keys", "withdraw_live_keys", "activate", "make_read_only", "suspend"]

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

    @admin.display(description="lists")
    def see_also(self, account: Account) -> SafeString:
        """What other apps store about it."""
        lists = [listed(name, text, q=account.id) for name, text in SEE_ALSO.items()] if account.pk else []
        return format_html_join(" · ", "{}", ([link] for link in lists))

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


def save_changes(account: Account, names: list[str], staff: User) -> None:
    """Record what the form changed in the audit trail, and bypass the key cache, as with any other change."""
    if names:
        terms = {name: getattr(account, name) for name in names}
        change_terms(account=account, actor=actor_of(staff), **terms)
