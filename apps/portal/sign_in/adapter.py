"""The hooks of django-allauth: the client's address, sign-up, mails, and encrypted authenticators."""

import logging
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import User
from apps.common.encryption import decrypt, encrypt, is_current
from apps.gateway.client_ip import client_address
from apps.portal.sign_in.audit import record_wrong_password

logger = logging.getLogger(__name__)

ENCRYPTED = ("secret", "seed")
"""The entries of an authenticator's data that the library has encrypted with our adapter."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: members are invited."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def is_ajax(self, request: HttpRequest) -> bool:
        """Never: every request gets the page that a person gets, whatever its headers say."""
        return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """The library also remembers addresses that a person had before: they cannot be used to log in."""
        email: str = credentials.get("email") or ""
        user: User | None = super().authenticate(request, **credentials)
        return user if user is not None and user.email.lower() == email.strip().lower() else None

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        record_wrong_password(request, credentials.get("email") or "")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail server that is down fails no page. So a failure does not reveal which addresses are known.

        The site in the mail is that of PUBLIC_BASE_URL, because the Host header of a request is set by the client.
        """
        site = SimpleNamespace(name="Travel Partner API", domain=urlsplit(settings.PUBLIC_BASE_URL).netloc)
        try:
            named = {"request": self.request, "email": email, "current_site": site}
            self.render_mail(template_prefix, email, {**named, **context}).send()
        except OSError:  # smtplib's errors are among them
            logger.exception("The mail %s could not be sent", template_prefix)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """The sign-in counts as giving the password, so the password is not requested again in the next minutes."""
        records = request.session.get(AUTHENTICATION_METHODS_SESSION_KEY, [])
        if records:
            records[-1]["reauthenticated"] = True
            request.session[AUTHENTICATION_METHODS_SESSION_KEY] = records
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response


class TwoFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """The authenticator's secret is encrypted in the database. Passkeys bear our name, and their own."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)

    def generate_authenticator_name(self, user: User, type: str) -> str:
        count = Authenticator.objects.filter(user=user, type=type).count()
        return f"Passkey {count + 1}" if count else "Passkey"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": settings.MFA_TOTP_ISSUER}


def renew(authenticator: Any) -> bool:
    """Encrypt the authenticator's secrets with the first of FIELD_ENCRYPTION_KEYS. Whether there was something to do."""
    data = authenticator.data
    older = {
        name: encrypt(decrypt(data[name]))
        for name in ENCRYPTED
        if data.get(name) and not is_current(data[name])
    }
    authenticator.data = {**data, **older}
    return bool(older)
