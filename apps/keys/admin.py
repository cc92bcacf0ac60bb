"""Keys in the back office, to read and to revoke. They are issued in the portal, where a secret is shown once."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.actors import actor_of, signed_in
from apps.common.back_office import BackOffice, ReadOnly
from apps.keys.models import ApiKey, KeySecret
from apps.keys.services import revoke_key


class KeySecretInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = KeySecret
    fields = ["prefix", "created_at", "expires_at", "last_used_at"]
    readonly_fields = ["prefix", "created_at", "expires_at", "last_used_at"]


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly, BackOffice):
    list_display = [
        "name",
        "id",
        "account",
        "environment",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    ]
    list_filter = ["environment", ("revoked_at", admin.EmptyFieldListFilter)]
    list_select_related = ["account"]
    search_fields = ["id", "name", "account__id", "account__name", "secrets__prefix"]
    inlines = [KeySecretInline]
    actions = ["revoke"]

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("keys.change_apikey")

    @admin.action(description="Revoke at once", permissions=["revoke"])
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        staff = actor_of(signed_in(request))
        for key in keys:
            revoke_key(key=key, actor=staff)
        self.message_user(request, f"{len(keys)} keys are revoked.", messages.SUCCESS)
