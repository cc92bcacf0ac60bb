"""Where django-allauth asks us: who the client is, who may sign up, how long a sign-in counts as fresh."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.adapter import DefaultMFAAdapter
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import User
from apps.common.encryption import decrypt, encrypt
from apps.gateway.client_ip import client_address

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Members come by invitation."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail server that is away fails no page, nor tells by a failure which addresses are known."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:  # smtplib's errors are among them
            logger.exception("The mail %s could not be sent", template_prefix)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Who signed in a moment ago is not asked for the password again: the sign-in opens the window itself."""
        records = request.session.get(AUTHENTICATION_METHODS_SESSION_KEY, [])
        if records:
            records[-1]["reauthenticated"] = True
            request.session[AUTHENTICATION_METHODS_SESSION_KEY] = records
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response


class TwoFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """The authenticator's secret is encrypted at rest, like every other that must be read back."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)
