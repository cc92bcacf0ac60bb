"""What somebody changes about their own sign-in is told in the trail of every account they belong to."""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from django.dispatch import receiver
from django.http import HttpRequest

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction, Membership, User
from apps.accounts.services.audit import record
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
    write(user, action, Actor(user.email, user, client_address(request)))


def tell_of_support(user: User, staff: Actor) -> None:
    """Staff removed the two-factor of somebody who lost it."""
    write(user, AuditAction.TWO_FACTOR_REMOVED, staff, of=user.email)


def write(user: User, action: AuditAction, actor: Actor, **details: str) -> None:
    for account_id in Membership.objects.filter(user=user).values_list("account_id", flat=True):
        record(account=account_id, action=action, actor=actor, details=details)
