"""Tells partners that their approval for live keys has lapsed. The lapse itself needs no action: it follows from the time."""

import logging

from django.db import transaction

from apps.accounts.actors import AUTOMATIC
from apps.accounts.models import Account, AuditAction
from apps.accounts.services.audit import record
from apps.accounts.services.tell_owners import tell_owners
from apps.common import clock

logger = logging.getLogger(__name__)

LAPSED = "Your approval for live keys has expired"
BODY = """The approval of {name} for live keys expired on {day}.

Your live keys keep working. New ones cannot be created, and existing ones cannot be rotated, until the approval is renewed.
Ask in the portal under "Go live".
"""


def announce_lapses() -> int:
    """Mail the owners of every account whose approval has lapsed since the last run, once each. Returns how many accounts.

    Where it fails for one it goes on with the others, and raises the last error afterwards.
    """
    now = clock.now()
    lapsed = Account.objects.filter(live_approved_until__lte=now, live_lapse_announced_at=None)
    announced, failure = 0, None
    for account in lapsed:
        try:
            with transaction.atomic():
                # With two beats there is one mail: whichever marks the row sends it.
                if lapsed.filter(pk=account.pk).update(live_lapse_announced_at=now):
                    announce(account)
                    announced += 1
        except Exception as error:
            logger.exception("That the approval of %s lapsed could not be told", account.id)
            failure = error
    if failure is not None:
        raise failure
    return announced


def announce(account: Account) -> None:
    """In the audit trail at once, by mail after the commit."""
    assert account.live_approved_until is not None
    record(account=account, action=AuditAction.ACCESS_LAPSED, actor=AUTOMATIC)
    day = account.live_approved_until.date().isoformat()
    tell_owners(account, LAPSED, BODY.format(name=account.name, day=day))
    logger.info("The approval of %s for live keys has lapsed", account.id)
