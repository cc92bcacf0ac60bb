"""A new secret between the form that made it and the one page that shows it: encrypted in the session, gone once shown."""

from contextlib import suppress

from cryptography.fernet import InvalidToken
from django.http import HttpRequest

from apps.common.encryption import decrypt, encrypt

SESSION_KEY = "portal_shown_once"


def keep(request: HttpRequest, owner_id: str, secret: str) -> None:
    """For the next page that shows the secret of `owner_id`. One at a time: who makes a second one has left the first."""
    request.session[SESSION_KEY] = {"of": owner_id, "secret": encrypt(secret)}


def take(request: HttpRequest, owner_id: str) -> str | None:
    """The secret of `owner_id`, this once. None where it was shown already, or is of something else."""
    kept = request.session.get(SESSION_KEY)
    if not kept or kept["of"] != owner_id:
        return None
    del request.session[SESSION_KEY]
    with suppress(InvalidToken):  # the encryption key was retired meanwhile
        return decrypt(kept["secret"])
    return None
