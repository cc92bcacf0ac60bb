"""The link to a new password. The worker mails it, so that the response does not reveal which addresses are known."""

import logging
from typing import Any

from allauth.account import app_settings
from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.account.utils import user_pk_to_url_str
from allauth.account.views import PasswordResetView
from django.conf import settings
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.accounts.members import find_user
from apps.accounts.models import User
from apps.gateway.client_ip import client_address
from apps.portal.errors import unavailable

logger = logging.getLogger(__name__)

SUBJECT = "A new password for Travel Partner API"
BODY = """Someone, probably you, asked for a link to choose a new password for {email}.

It works once, and for {lasts}:
{link}

If it was not you, do nothing: your password stays as it is.
"""


class BrokerUnavailable(Exception):
    """The broker takes no task now. The response is the same for known and unknown addresses."""


class ResetPasswordForm(AllauthResetPasswordForm):  # type: ignore[misc]
    """Looks up no user, so known and unknown addresses get the same response in the same time."""

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        return email.strip()

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Queue the mail. Raises BrokerUnavailable."""
        from apps.portal.tasks import mail_reset_link

        email: str = self.cleaned_data["email"]
        try:
            mail_reset_link.apply_async(
                args=[email, client_address(request)], retry=False, ignore_result=True
            )
        except Exception as failure:  # the broker's client raises many kinds
            logger.exception("No link to a new password could be ordered")
            raise BrokerUnavailable from failure
        return email


class ResetRequestView(PasswordResetView):  # type: ignore[misc]
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().post(request, *args, **kwargs)
        except BrokerUnavailable:
            return unavailable(request)
        return response


def mail_link(email: str) -> User | None:
    """Mail a link to the active user of `email`, and return the user; None if there is none."""
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
    """Begins with PUBLIC_BASE_URL, because the Host header of a request comes from whoever sends it."""
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    named = {"uidb36": user_pk_to_url_str(user), "key": key}
    return f"{settings.PUBLIC_BASE_URL}{reverse('account_reset_password_from_key', kwargs=named)}"
