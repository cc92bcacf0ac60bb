"""What somebody changes about their own sign-in is told in the trail of every account they belong to."""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from django.dispatch import receiver
from django.http import HttpRequest

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction, User
from apps.accounts.services.audit import record_of_person
from apps.gateway.client_ip import client_address


@receiver([password_changed, password_reset, password_set])
def tell_of_password(request: HttpRequest, user: User, **kwargs: Any) -> None:
    tell(request, user, AuditAction.PASSWORD_CHANGED)


@receiver(authenticator_added)
def tell_of_two_factor(request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        tell(request, user, AuditAction.TWO_FACTOR_SET_UP)


@receiver(authenticator_removed)
def tell_of_removal(request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        tell(request, user, AuditAction.TWO_FACTOR_REMOVED)


@receiver(authenticator_reset)
def tell_of_recovery_codes(request: HttpRequest, user: User, **kwargs: Any) -> None:
    tell(request, user, AuditAction.RECOVERY_CODES_RENEWED)


def tell(request: HttpRequest, user: User, action: AuditAction) -> None:
    record_of_person(user, action, Actor(user.email, user, client_address(request)))
