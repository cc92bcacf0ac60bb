"""Approval for live keys: requested in the portal, granted by hand, valid for 365 days (specification §5).

It lapses with time. Live keys keep working then; only issuing and rotating them is refused.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse

from apps.accounts.actors import AUTOMATIC, SUPPORT, Actor, actor_of
from apps.accounts.audit import record
from apps.accounts.mails import tell_owners, tell_staff
from apps.accounts.models import LIVE_APPROVAL_PERIOD, Account, AuditAction, StaffMailKind, User
from apps.accounts.signals import live_approved
from apps.accounts.terms import change
from apps.common import clock
from apps.common.errors import Conflict

logger = logging.getLogger(__name__)

APPROVED = "You can create live keys now"
APPROVED_BODY = """{name} may create live keys until {day}.

Next, in the portal under "Go live": top up your live balance, create a live key and make your first live booking.
We never send a key by email.
"""
ASKED = "{name} requests live keys"
ASKED_BODY = """{name} requests live keys.

{note}

Decide here: {page}

You get this email because you chose it in the back office, under Mails.
"""
DECIDED = "Another member of staff has decided about this request."
REFUSED = "Your request for live keys was declined"
REFUSED_BODY = """We declined the request of {name} for live keys:

{reason}

Once this is settled, send the request again in the portal under "Go live".
"""
LAPSED = "Your approval for live keys has expired"
LAPSED_BODY = """The approval of {name} for live keys expired on {day}.

Your live keys keep working. New ones cannot be created, and existing ones cannot be rotated, until the approval is renewed.
Request the renewal in the portal under "Go live".
"""


@transaction.atomic
def request_live_approval(*, account: Account, note: str = "", actor: Actor = SUPPORT) -> None:
    """Request live keys, or another year of them; `note` is for the staff member who decides. Raises Conflict while a request
    is open.
    """
    _lock(account)
    if account.live_requested_at is not None:
        raise Conflict("Live keys have already been requested.")
    change(account, live_requested_at=clock.now(), live_request_note=note)
    record(account=account, action=AuditAction.ACCESS_REQUESTED, actor=actor)
    page = f"{settings.PUBLIC_BASE_URL}{reverse('admin:portal_livekeyrequest_change', args=[account.pk])}"
    said = note or "No note."
    tell_staff(
        StaffMailKind.LIVE_REQUESTS,
        ASKED.format(name=account.name),
        ASKED_BODY.format(name=account.name, note=said, page=page),
    )


@transaction.atomic
def approve_live(*, account: Account, approved_by: User | None, asked: bool = False) -> None:
    """Approve live keys for 365 days from now, open the live wallet, and mail the owners. `approved_by` is staff; None: the
    command line, no mail.

    Raises Conflict where staff approved less than a day ago, and, with `asked`, where no request is open: it was decided in the
    meantime.
    """
    _staff_only(approved_by)
    _lock(account)
    until = clock.now() + LIVE_APPROVAL_PERIOD
    if account.live_requested_at is None:
        if asked:
            raise Conflict(DECIDED)
        if approved_by is not None and _is_fresh(account, until):
            raise Conflict("Live keys were approved less than a day ago.")
    change(account, live_approved_until=until, live_requested_at=None, live_lapse_announced_at=None)
    _record(account, AuditAction.ACCESS_APPROVED, approved_by, until=clock.rfc3339(until))
    live_approved.send(sender=Account, account=account)
    if approved_by is not None:
        tell_owners(account, APPROVED, APPROVED_BODY.format(name=account.name, day=until.date().isoformat()))
    logger.info("Live keys of %s approved by %s", account.id, approved_by or "the command line")


@transaction.atomic
def refuse_live(*, account: Account, refused_by: User | None, reason: str = "") -> None:
    """Decline the open request, and notify the owners of the reason. An approval that still runs stays.

    Raises Conflict where none is open: it was decided in the meantime.
    """
    _staff_only(refused_by)
    _lock(account)
    if account.live_requested_at is None:
        raise Conflict(DECIDED)
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
    # Clocks of two processes differ by milliseconds: what ends within the second has just been withdrawn by another process.
    if not account.may_issue_live_keys(now + timedelta(seconds=1)):
        raise Conflict("There is no running approval.")
    change(account, live_approved_until=now)
    _record(account, AuditAction.ACCESS_WITHDRAWN, withdrawn_by)
    logger.info("Live keys of %s withdrawn by %s", account.id, withdrawn_by or "the command line")


def _is_fresh(account: Account, until: datetime) -> bool:
    approved = account.live_approved_until
    return approved is not None and until - approved < timedelta(days=1)


def _lock(account: Account) -> None:
    """The account as it is now, locked until the end of the transaction: a colleague may decide at the same moment."""
    account.refresh_from_db(from_queryset=Account.objects.select_for_update(no_key=True))


def _record(account: Account, action: AuditAction, by: User | None, **details: object) -> None:
    record(account=account, action=action, actor=actor_of(by), details=details)


def _staff_only(user: User | None) -> None:
    if user is not None and not user.is_staff:
        raise PermissionDenied("Only staff decide about live keys.")


def announce_lapses() -> int:
    """Mail the owners of every account whose approval has lapsed since the last run, once each. Returns how many accounts.

    Where it fails for one it continues with the others, and raises the last error afterwards.
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
            logger.exception("The notification that the approval of %s lapsed could not be sent", account.id)
            failure = error
    if failure is not None:
        raise failure
    return announced


def announce(account: Account) -> None:
    """In the audit trail at once, by mail after the commit."""
    assert account.live_approved_until is not None
    record(account=account, action=AuditAction.ACCESS_LAPSED, actor=AUTOMATIC)
    day = account.live_approved_until.date().isoformat()
    tell_owners(account, LAPSED, LAPSED_BODY.format(name=account.name, day=day))
    logger.info("The approval of %s for live keys has lapsed", account.id)
