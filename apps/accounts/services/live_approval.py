"""Approval for live keys: requested in the portal, granted by hand, valid for 365 days (specification §5).

It lapses with time. Live keys keep working then; only issuing and rotating them is refused.
"""

import logging
from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor, actor_of
from apps.accounts.models import LIVE_APPROVAL_PERIOD, Account, AuditAction, User
from apps.accounts.services.audit import record
from apps.accounts.services.change import change
from apps.accounts.services.tell_owners import tell_owners
from apps.common import clock
from apps.common.errors import Conflict

logger = logging.getLogger(__name__)

APPROVED = "Live keys can be created now"
APPROVED_BODY = """{name} is approved for live keys until {day}.

Create them in the portal under "API keys", with Live chosen. A key is never sent by mail.
"""
REFUSED = "Your request for live keys was refused"
REFUSED_BODY = """The request of {name} for live keys was refused:

{reason}

Ask again in the portal under "Production access" once this is settled.
"""


@transaction.atomic
def request_live_approval(*, account: Account, note: str = "", actor: Actor = SUPPORT) -> None:
    """Request live keys, or another year of them; `note` is for whoever decides. Raises Conflict while a request is open."""
    _lock(account)
    if account.live_requested_at is not None:
        raise Conflict("Live keys have been asked for already.")
    change(account, live_requested_at=clock.now(), live_request_note=note)
    record(account=account, action=AuditAction.ACCESS_REQUESTED, actor=actor)


@transaction.atomic
def approve_live(*, account: Account, approved_by: User | None, asked: bool = False) -> None:
    """Approve live keys for 365 days from now, and mail the owners. `approved_by` is staff; None: the command line, no mail.

    Raises Conflict where staff approved less than a day ago, and, with `asked`, where no request is open: somebody else has
    decided meanwhile.
    """
    _staff_only(approved_by)
    _lock(account)
    until = clock.now() + LIVE_APPROVAL_PERIOD
    if account.live_requested_at is None:
        if asked:
            raise Conflict("There is no open request.")
        if approved_by is not None and _is_fresh(account, until):
            raise Conflict("Live keys were approved less than a day ago.")
    change(account, live_approved_until=until, live_requested_at=None, live_lapse_announced_at=None)
    _record(account, AuditAction.ACCESS_APPROVED, approved_by, until=clock.rfc3339(until))
    if approved_by is not None:
        tell_owners(account, APPROVED, APPROVED_BODY.format(name=account.name, day=until.date().isoformat()))
    logger.info("Live keys of %s approved by %s", account.id, approved_by or "the command line")


@transaction.atomic
def refuse_live(*, account: Account, refused_by: User | None, reason: str = "") -> None:
    """Refuse the open request, and tell the owners why. An approval that still runs stays.

    Raises Conflict where none is open: somebody else has decided meanwhile.
    """
    _staff_only(refused_by)
    _lock(account)
    if account.live_requested_at is None:
        raise Conflict("There is no open request.")
    change(account, live_requested_at=None)
    _record(account, AuditAction.ACCESS_REFUSED, refused_by, **({"reason": reason} if reason else {}))
    if refused_by is not None:
        tell_owners(
            account, REFUSED, REFUSED_BODY.format(name=account.name, reason=reason or "No reason given.")
        )
    logger.info("Live keys of %s refused by %s", account.id, refused_by or "the command line")


@transaction.atomic
def withdraw_live(*, account: Account, withdrawn_by: User | None) -> None:
    """End a running approval now, as if it had lapsed. Raises Conflict where none runs."""
    _staff_only(withdrawn_by)
    _lock(account)
    now = clock.now()
    # Clocks of two processes differ by milliseconds: what ends within the second has just been withdrawn by somebody else.
    if not account.may_issue_live_keys(now + timedelta(seconds=1)):
        raise Conflict("There is no running approval.")
    change(account, live_approved_until=now)
    _record(account, AuditAction.ACCESS_WITHDRAWN, withdrawn_by)
    logger.info("Live keys of %s withdrawn by %s", account.id, withdrawn_by or "the command line")


def _is_fresh(account: Account, until: datetime) -> bool:
    approved = account.live_approved_until
    return approved is not None and until - approved < timedelta(days=1)


def _lock(account: Account) -> None:
    """The account as it is now, locked until the end of the transaction: somebody else may decide at the same moment."""
    account.refresh_from_db(from_queryset=Account.objects.select_for_update(no_key=True))


def _record(account: Account, action: AuditAction, by: User | None, **details: object) -> None:
    record(account=account, action=action, actor=actor_of(by), details=details)


def _staff_only(user: User | None) -> None:
    if user is not None and not user.is_staff:
        raise PermissionDenied("Only staff decide about live keys.")
