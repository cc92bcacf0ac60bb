"""A code of the authenticator app is accepted once: each code must be newer than the last accepted one.

The library remembers a used code in the cache for 30 seconds. Because clocks may differ, a code is valid for longer, and the
cache may be down. So the time step of the last accepted code is stored in the authenticator's row.
"""

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import decrypt
from django.db import transaction

from apps.common import clock

LAST_STEP = "last_step"


def accept(authenticator: Authenticator, code: str) -> bool:
    """Whether `code` is right and was not used before. It is used from now on."""
    if authenticator.type == Authenticator.Type.TOTP:
        return accept_of_app(authenticator, code)
    # A recovery code, which the library marks as used under a lock.
    return bool(authenticator.wrap().validate_code(code))


@transaction.atomic
def accept_of_app(authenticator: Authenticator, code: str) -> bool:
    row = Authenticator.objects.select_for_update().filter(pk=authenticator.pk).first()
    step = step_of(row, code) if row is not None else None
    if row is None or step is None or step <= row.data.get(LAST_STEP, -1):
        return False
    row.data[LAST_STEP] = step
    row.save(update_fields=["data"])
    return True


def step_of(authenticator: Authenticator, code: str) -> int | None:
    """The time step (of 30 seconds) whose code is `code`, among those valid now; None if there is none."""
    secret, now = (
        decrypt(authenticator.data["secret"]),
        int(clock.now().timestamp()) // app_settings.TOTP_PERIOD,
    )
    tolerance = app_settings.TOTP_TOLERANCE
    for step in range(now - tolerance, now + tolerance + 1):
        if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, step))):
            return step
    return None
