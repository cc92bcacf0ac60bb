"""The link in an invitation: signed over the invitation and the number of its mail, so that nothing of it is stored."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from apps.accounts.models import Invitation

SIGNER = "accounts.invitation"


def token_of(invitation: Invitation) -> str:
    return _signer().sign(f"{invitation.pk}:{invitation.mails}")


def link_of(invitation: Invitation) -> str:
    return f"{settings.PUBLIC_BASE_URL.rstrip('/')}{reverse('invitation', args=[token_of(invitation)])}"


def read_token(token: str) -> tuple[str, int] | None:
    """The invitation's id and the number of the mail; None for a link that we have not signed."""
    try:
        invitation_id, mails = _signer().unsign(token).split(":")
    except (BadSignature, ValueError):
        return None
    return invitation_id, int(mails)


def _signer() -> Signer:
    return Signer(salt=SIGNER)
