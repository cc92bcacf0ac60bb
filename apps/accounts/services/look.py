"""Writes down what our staff look at across accounts."""

import re

from apps.accounts.models import Account, Look, StaffLook, User

LONGEST = 500
SECRETS = re.compile(r"\b(svc_(?:test|live)_|whsec_)(\w{0,4})[\w+/=-]*")


def note_look(
    *,
    person: User,
    look: Look,
    what: str = "",
    account: Account | None = None,
    reason: str = "",
    address: str = "",
) -> None:
    StaffLook.objects.create(
        person=person,
        look=look,
        what=as_kept(what),
        account=account,
        reason=reason,
        address=address[:64],
    )


def as_kept(what: str) -> str:
    """Of a secret in `what` only the beginning is kept, by which its key is recognised."""
    return SECRETS.sub(r"\1\2…", what)[:LONGEST].replace("\x00", "")
