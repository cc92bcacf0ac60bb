"""Second factors in the back office: who has which. Staff remove them for a person who lost theirs.

This replaces the library's page, which would show and edit the secrets.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from apps.accounts.actors import actor_of, signed_in
from apps.accounts.audit import record_of_person
from apps.accounts.mails import tell
from apps.accounts.models import AuditAction, User
from apps.common import contact
from apps.common.back_office import BackOffice, ReadOnly

REMOVED = "Two-factor authentication was removed"
BODY = """Our staff removed the authenticator app, the passkeys and the recovery codes of your login.

You will set up two-factor authentication again the next time you log in. If you did not request this, {tell} at once.
"""

admin.site.unregister(Authenticator)
admin.site.unregister(EmailAddress)  # people sign in with the address of their user
admin.site.unregister(UserSession)  # its keys open sessions


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnly, BackOffice):
    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    list_select_related = ["user"]
    search_fields = ["user__email"]
    fields = ["user", "type", "created_at", "last_used_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Authenticator]:
        authenticators: QuerySet[Authenticator] = super().get_queryset(request)
        return authenticators.defer("data")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """As with the rest of a sign-in (`UserAdmin`): that of a colleague is for superusers alone."""
        allowed = request.user.has_perm("mfa.delete_authenticator")
        of_colleague = isinstance(obj, Authenticator) and obj.user.is_staff
        return allowed and (not of_colleague or signed_in(request).is_superuser)

    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        remove_two_factor(request, obj.user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Authenticator]) -> None:
        for person in User.objects.filter(pk__in=queryset.values("user")):
            remove_two_factor(request, person)


@transaction.atomic
def remove_two_factor(request: HttpRequest, person: User) -> None:
    """Delete the authenticator app, passkeys and recovery codes, and notify the person by mail, once."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    gone, _ = Authenticator.objects.filter(user=person).delete()
    if not gone:
        return
    staff = actor_of(signed_in(request))
    record_of_person(person, AuditAction.TWO_FACTOR_REMOVED, staff, of=person.email)
    tell(person.email, REMOVED, BODY.format(tell=contact.tell()))
