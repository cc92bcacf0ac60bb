"""Sign-ins and attempts to sign in are recorded in the audit trail of every account that the person belongs to.

What anybody can cause without signing in is recorded a few times an hour. Further attempts are only counted, so that no flood
fills a trail.
"""

import hashlib
from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set, user_logged_in
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
)
from django.contrib.auth.signals import user_logged_out
from django.core.cache import cache
from django.dispatch import Signal, receiver
from django.http import HttpRequest

from apps.accounts.actors import Actor
from apps.accounts.audit import record_of_person
from apps.accounts.members import find_user
from apps.accounts.models import AuditAction, User
from apps.common import clock
from apps.gateway.client_ip import client_address

SOMEBODY = "Somebody"
ENTRIES_PER_HOUR = 5
HOUR = 3_600


@receiver(user_logged_in)
def record_sign_in(request: HttpRequest, user: User, **kwargs: Any) -> None:
    if entries_left_out(f"in:{user.pk}", most=4 * ENTRIES_PER_HOUR) is not None:
        record(request, user, AuditAction.SIGNED_IN)


@receiver(user_logged_out)
def record_sign_out(request: HttpRequest, user: User | None, **kwargs: Any) -> None:
    if isinstance(user, User) and entries_left_out(f"out:{user.pk}", most=4 * ENTRIES_PER_HOUR) is not None:
        record(request, user, AuditAction.SIGNED_OUT)


def record_wrong_password(request: HttpRequest, email: str) -> None:
    """Every address is counted alike. An entry is written only where a person has this address."""
    record_attempt(AuditAction.SIGN_IN_FAILED, email.strip().lower(), client_address(request))


@receiver(authentication_failed)
def record_wrong_code(request: HttpRequest, user: User, **kwargs: Any) -> None:
    record_attempt(AuditAction.CODE_FAILED, user.email.lower(), client_address(request))


def record_reset_link(user: User, address: str) -> None:
    record_attempt(AuditAction.RESET_LINK_SENT, user.email.lower(), address)


def record_attempt(action: AuditAction, email: str, address: str) -> None:
    """The entry has the actor `Somebody`, because it may not have been the person of this address."""
    untold = entries_left_out(f"{action}:{email}")
    if untold is None:
        return
    person = find_user(email)
    if person is not None:
        counted = {"untold": str(untold)} if untold else {}
        record_of_person(person, action, Actor(SOMEBODY, None, address), of=person.email, **counted)


def entries_left_out(what: str, most: int = ENTRIES_PER_HOUR) -> int | None:
    """None when `what` was recorded `most` times in this hour. Else how many were only counted in the hour before.

    The number is returned for the first entry of an hour alone, else 0.
    """
    hour = int(clock.now().timestamp()) // HOUR
    name = f"sign-in-told:{hashlib.sha256(what.encode(errors='replace')).hexdigest()[:32]}"
    cache.add(f"{name}:{hour}", 0, 2 * HOUR)
    try:
        times: int = cache.incr(f"{name}:{hour}")
    except ValueError:  # Redis came or went between the two
        return 0
    if times > most:
        return None
    before: int = cache.get(f"{name}:{hour - 1}", 0) if times == 1 else 0
    return max(0, before - most)


RECORDED: dict[Signal, AuditAction] = {
    password_reset: AuditAction.PASSWORD_RENEWED,
    password_changed: AuditAction.PASSWORD_CHANGED,
    password_set: AuditAction.PASSWORD_CHANGED,
    authenticator_reset: AuditAction.RECOVERY_CODES_RENEWED,
}


@receiver([*RECORDED])
def record_change(signal: Signal, request: HttpRequest, user: User, **kwargs: Any) -> None:
    record(request, user, RECORDED[signal])


@receiver(authenticator_added)
def record_two_factor_set_up(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        authenticator.wrap().validate_code(request.POST.get("code", ""))  # it must not work again
        record(request, user, AuditAction.TWO_FACTOR_SET_UP)
    elif authenticator.type == Authenticator.Type.WEBAUTHN:
        record(request, user, AuditAction.PASSKEY_ADDED)


@receiver(authenticator_removed)
def record_two_factor_removed(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        record(request, user, AuditAction.TWO_FACTOR_REMOVED)
    elif authenticator.type == Authenticator.Type.WEBAUTHN:
        record(request, user, AuditAction.PASSKEY_REMOVED)


def record(request: HttpRequest, user: User, action: AuditAction) -> None:
    record_of_person(user, action, Actor(user.email, user, client_address(request)))
