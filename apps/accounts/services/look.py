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
    """Of a secret in `what` only the beginning is kept, by which its key is recognised."""
    StaffLook.objects.create(
        person=person,
        look=look,
        what=SECRETS.sub(r"\1\2…", what)[:LONGEST].replace("\x00", ""),
        account=account,
        reason=reason,
        address=address[:64],
    )
