"""Tell partners whose approval for live keys has lapsed. The lapse itself is a matter of time alone."""

import logging

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from apps.accounts.actors import AUTOMATIC
from apps.accounts.models import Account, AuditAction, Role
from apps.accounts.services.audit import record
from apps.common import clock

logger = logging.getLogger(__name__)

BODY = """The approval of {name} for live keys lapsed on {day}.

Your live keys keep working. New ones cannot be created, and existing ones cannot be rotated, until the approval is renewed.
Ask for it in the portal under "Production access".
"""


def announce_lapses() -> int:
    """Mail the owners of every account whose approval lapsed since it was last looked at; how many accounts. Once each."""
    now = clock.now()
    lapsed = Account.objects.filter(live_approved_until__lte=now, live_lapse_announced_at=None)
    announced = 0
    for account in lapsed:
        with transaction.atomic():
            # Two beats, one mail: whoever marks the row tells.
            marked = lapsed.filter(pk=account.pk).update(live_lapse_announced_at=now)
            if marked:
                record(account=account, action=AuditAction.ACCESS_LAPSED, actor=AUTOMATIC)
        if marked:
            announce(account)
            announced += 1
    return announced


def announce(account: Account) -> None:
    assert account.live_approved_until is not None
    logger.info("The approval of %s for live keys has lapsed", account.id)
    owners = account.memberships.filter(role=Role.OWNER).values_list("user__email", flat=True)
    body = BODY.format(name=account.name, day=account.live_approved_until.date().isoformat())
    send_mail(
        "Your approval for live keys has lapsed",
        body,
        settings.DEFAULT_FROM_EMAIL,
        list(owners),
        fail_silently=True,
    )
