"""Approval for live keys: asked for in the portal, granted by hand, valid 365 days (specification §5).

It lapses by time alone. Live keys keep working then; only issuing and rotating them is blocked.
"""

import logging

from django.core.exceptions import PermissionDenied

from apps.accounts.models import LIVE_APPROVAL_PERIOD, Account, User
from apps.accounts.services.change import change
from apps.common import clock
from apps.gateway.errors import Conflict

logger = logging.getLogger(__name__)


def request_live_approval(*, account: Account) -> None:
    """Ask for live keys, or for another year of them. Raises Conflict while a request is open."""
    if account.live_requested_at is not None:
        raise Conflict("Live keys have been asked for already.")
    change(account, live_requested_at=clock.now())


def approve_live(*, account: Account, approved_by: User | None) -> None:
    """Allow live keys for 365 days from now. `approved_by` is staff; None: the command line."""
    _staff_only(approved_by)
    change(
        account,
        live_approved_until=clock.now() + LIVE_APPROVAL_PERIOD,
        live_requested_at=None,
        live_lapse_announced_at=None,
    )
    logger.info("Live keys of %s approved by %s", account.id, approved_by or "the command line")


def refuse_live(*, account: Account, refused_by: User | None) -> None:
    """Turn the open request down; an approval that still runs is not touched."""
    _staff_only(refused_by)
    change(account, live_requested_at=None)
    logger.info("Live keys of %s refused by %s", account.id, refused_by or "the command line")


def withdraw_live(*, account: Account, withdrawn_by: User | None) -> None:
    """End a running approval now, as if it had lapsed. Raises Conflict where none runs."""
    _staff_only(withdrawn_by)
    now = clock.now()
    if not account.may_issue_live_keys(now):
        raise Conflict("There is no running approval.")
    change(account, live_approved_until=now)
    logger.info("Live keys of %s withdrawn by %s", account.id, withdrawn_by or "the command line")


def _staff_only(user: User | None) -> None:
    if user is not None and not user.is_staff:
        raise PermissionDenied("Only staff decide about live keys.")
