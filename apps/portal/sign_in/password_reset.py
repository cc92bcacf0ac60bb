"""The mail with a link to a new password."""

import logging

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse

from apps.accounts.members import find_user
from apps.accounts.models import User

logger = logging.getLogger(__name__)

SUBJECT = "Reset your password"
BODY = """We received a request to reset the Travel Partner API password of {email}.

Choose a new password with this link. It works once and expires after {lasts}:
{link}

If you did not request this, ignore this email. Your password will not change.
"""


def mail_link(email: str) -> User | None:
    """Mail a link to the active user of `email`, and return the user; None if unknown."""
    user = find_user(email)
    if user is None or not user.is_active:
        return None
    minutes = settings.PASSWORD_RESET_TIMEOUT // 60
    lasts = "an hour" if minutes == 60 else f"{minutes} minutes"
    body = BODY.format(email=user.email, link=link_of(user), lasts=lasts)
    try:
        send_mail(SUBJECT, body, settings.DEFAULT_FROM_EMAIL, [user.email])
    except OSError:  # smtplib's errors are among them
        logger.exception("The mail with a link to a new password could not be sent")
    return user


def link_of(user: User) -> str:
    """Begins with PUBLIC_BASE_URL, because the Host header of a request is set by the client."""
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    named = {"uidb36": user_pk_to_url_str(user), "key": key}
    return f"{settings.PUBLIC_BASE_URL}{reverse('account_reset_password_from_key', kwargs=named)}"
