"""Second factors in the back office: who has which, and removed for who lost theirs. The secrets in them are not shown.

It takes the place of the library's own page, which would show and edit them.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from apps.common.back_office import ReadOnly

admin.site.unregister(Authenticator)
admin.site.unregister(EmailAddress)  # people sign in with the address of their user


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    list_select_related = ["user"]
    search_fields = ["user__email"]
    fields = ["user", "type", "created_at", "last_used_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Authenticator]:
        authenticators: QuerySet[Authenticator] = super().get_queryset(request)
        return authenticators.defer("data")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm("mfa.delete_authenticator")

    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        """With the app go its recovery codes: its owner then sets both up anew at the next sign-in."""
        Authenticator.objects.filter(user_id=obj.user_id).delete()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Authenticator]) -> None:
        people = list(queryset.values_list("user_id", flat=True))
        Authenticator.objects.filter(user__in=people).delete()
