"""The back office of accounts. Status and live approval change through actions, and those call services."""

from collections.abc import Callable

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import BaseUserCreationForm
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.models import Account, AccountStatus, Membership, User
from apps.accounts.services.change import change
from apps.accounts.services.live_approval import approve_live, refuse_live
from apps.accounts.services.status import set_status
from apps.common import clock


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "id", "status", "currency", "live_approval", "created_at"]
    list_filter = ["status", "currency", ("live_requested_at", admin.EmptyFieldListFilter)]
    search_fields = ["id", "name", "memberships__user__email"]
    readonly_fields = ["id", "status", "currency", "live_requested_at", "live_approved_until", "created_at"]
    inlines = [MembershipInline]
    actions = ["approve_live_keys", "refuse_live_keys", "activate", "make_read_only", "suspend"]

    @admin.display(description="live approval")
    def live_approval(self, account: Account) -> str:
        return account.live_approval_state(clock.now())

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> list[str]:
        """The currency is chosen once, when the account is opened."""
        return [name for name in self.readonly_fields if obj is not None or name != "currency"]

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """What it owns must stay explainable; an account that ends is suspended."""
        return False

    def save_model(
        self, request: HttpRequest, obj: Account, form: "forms.ModelForm[Account]", change: bool
    ) -> None:
        if change:
            save_changes(obj, form.changed_data)
        else:
            super().save_model(request, obj, form, change)

    @admin.action(description="Approve live keys for 365 days", permissions=["change"])
    def approve_live_keys(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        staff = signed_in(request)
        self._apply(request, accounts, lambda account: approve_live(account=account, approved_by=staff))

    @admin.action(description="Refuse the request for live keys", permissions=["change"])
    def refuse_live_keys(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        staff = signed_in(request)
        self._apply(request, accounts, lambda account: refuse_live(account=account, refused_by=staff))

    @admin.action(description="Make active", permissions=["change"])
    def activate(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        self._apply(
            request, accounts, lambda account: set_status(account=account, status=AccountStatus.ACTIVE)
        )

    @admin.action(description="Make read-only", permissions=["change"])
    def make_read_only(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        self._apply(
            request, accounts, lambda account: set_status(account=account, status=AccountStatus.READ_ONLY)
        )

    @admin.action(description="Suspend", permissions=["change"])
    def suspend(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        self._apply(
            request, accounts, lambda account: set_status(account=account, status=AccountStatus.SUSPENDED)
        )

    def _apply(
        self, request: HttpRequest, accounts: QuerySet[Account], verb: Callable[[Account], None]
    ) -> None:
        for account in accounts:
            verb(account)
            self.log_change(request, account, f"{request.POST.get('action', '')}")
        self.message_user(request, f"{len(accounts)} accounts changed.", messages.SUCCESS)


def save_changes(account: Account, names: list[str]) -> None:
    """What the form changed, told to the key catalogue like any other change."""
    if names:
        change(account, **{name: getattr(account, name) for name in names})


def signed_in(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


class UserCreationForm(BaseUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ["email"]


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]
    add_form = UserCreationForm
    ordering = ["email"]
    list_display = ["email", "first_name", "last_name", "is_staff", "is_active", "last_login"]
    search_fields = ["email", "first_name", "last_name"]
    fieldsets = [
        (None, {"fields": ["email", "password"]}),
        ("Person", {"fields": ["first_name", "last_name"]}),
        ("Rights", {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [(None, {"fields": ["email", "password1", "password2"]})]
