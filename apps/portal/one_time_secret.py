"""A new secret waits, encrypted in the session, for the one page that shows it. Showing it deletes it."""

from contextlib import suppress
from typing import ClassVar

from cryptography.fernet import InvalidToken
from django.contrib import messages
from django.http import HttpRequest

from apps.common.encryption import decrypt, encrypt
from apps.portal.base_view import PortalView
from apps.portal.context import DEVELOPERS

SESSION_KEY = "portal_shown_once"


def store_secret(request: HttpRequest, owner_id: str, secret: str) -> None:
    """Keep `secret` of the key or endpoint `owner_id` for its page. A second secret replaces the first."""
    request.session[SESSION_KEY] = {"of": owner_id, "secret": encrypt(secret)}


def take_secret(request: HttpRequest, owner_id: str) -> str | None:
    """The secret of `owner_id`, once. None if it was shown already, or belongs to another owner."""
    stored = request.session.get(SESSION_KEY)
    if not stored or stored["of"] != owner_id:
        return None
    del request.session[SESSION_KEY]
    with suppress(InvalidToken):  # the encryption key was retired in between
        return decrypt(stored["secret"])
    return None


class SecretView(PortalView):
    """A page that shows a new secret once."""

    http_method_names = ["get"]  # a HEAD request would use the secret up unseen
    allowed_roles = DEVELOPERS
    reauthenticated_methods = frozenset({"GET"})
    already_shown: ClassVar[str]
    """The message for a second visit."""

    def take_secret(self, owner_id: str) -> str | None:
        """The secret of `owner_id`; None, with the message, if there is none any more."""
        secret = take_secret(self.request, owner_id)
        if secret is None:
            messages.info(self.request, self.already_shown)
        return secret
