"""Inviting somebody, sending the link again, withdrawing the invitation."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Lower

from apps.accounts.actors import SUPPORT, Actor, actor_of
from apps.accounts.invitation_links import link_of
from apps.accounts.models import Account, AuditAction, Invitation, Membership, invitation_period
from apps.accounts.services.audit import Subject, record
from apps.accounts.services.members import check_email, check_role, lock_members
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest

logger = logging.getLogger(__name__)

MAX_A_DAY = 50
"""Invitations of one account in 24 hours: enough for any team, too few for spam."""
MAX_MAILS = 10
PAUSE_BETWEEN_MAILS = timedelta(minutes=1)

BODY = """{inviter} invites you to the partner account of {account}, as {role}.

Follow this link to join. It works once, until {until} UTC:
{link}

If you do not know {account}, do nothing: without you, nothing happens.
"""


def invite(*, account: Account, email: str, role: str, actor: Actor = SUPPORT) -> Invitation:
    """An invitation, whose link is sent to `email`. One that has expired is renewed.

    Raises InvalidRequest for a malformed address, an unknown role, a member, or somebody who is invited already; whether the
    address signs in for another account makes no difference. Raises Conflict where too many were invited today.
    """
    email = email.strip()
    check_email(email)
    check_role(role)
    with transaction.atomic():
        lock_members(account.pk)
        now = clock.now()
        invitation = _open_to(account, email)
        _refuse(account, email, invitation, now)
        if invitation is None:
            invitation = Invitation(account=account, email=email)
        else:
            invitation.mails += 1
        invitation.role, invitation.invited_by = role, actor.user
        _renew(invitation, now)
        _record(invitation, AuditAction.MEMBER_INVITED, actor, role=role)
    send(invitation)
    return invitation


def resend_invitation(*, invitation: Invitation, actor: Actor) -> Invitation:
    """Send another link, valid as long as the first; the one before ends. Raises Conflict for an invitation that is over, or too
    soon.
    """
    with transaction.atomic():
        invitation, now = lock_open(invitation), clock.now()
        if invitation.mails >= MAX_MAILS:
            raise Conflict(f"{MAX_MAILS} links were sent to this address. Withdraw the invitation first.")
        if now < invitation.sent_at + PAUSE_BETWEEN_MAILS:
            raise Conflict("A link was sent less than a minute ago.")
        invitation.mails += 1
        _renew(invitation, now)
        _record(invitation, AuditAction.INVITATION_RESENT, actor)
    send(invitation)
    return invitation


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, actor: Actor) -> None:
    """Withdraw it: its link opens nothing any more. Raises Conflict for one that is over already."""
    invitation = lock_open(invitation)
    invitation.withdrawn_at = clock.now()
    invitation.save(update_fields=["withdrawn_at"])
    _record(invitation, AuditAction.INVITATION_WITHDRAWN, actor)


def lock_open(invitation: Invitation) -> Invitation:
    """A new copy, locked. Raises Conflict where it was accepted or withdrawn; one that has expired can be renewed."""
    locked = (
        Invitation.objects.select_for_update(of=("self",)).select_related("account").get(pk=invitation.pk)
    )
    if locked.accepted_at is not None:
        raise Conflict("This invitation has been accepted.")
    if locked.withdrawn_at is not None:
        raise Conflict("This invitation has been withdrawn.")
    return locked


def send(invitation: Invitation) -> None:
    """Mail the link, outside any transaction. Where the mail server refuses, it can be sent again from the team's page."""
    account = " ".join(invitation.account.name.split())
    body = BODY.format(
        inviter=actor_of(invitation.invited_by).label,
        account=account,
        role=invitation.get_role_display().lower(),
        until=f"{invitation.expires_at:%d %b %Y, %H:%M}",
        link=link_of(invitation),
    )
    try:
        send_mail(f"You are invited to {account}", body, settings.DEFAULT_FROM_EMAIL, [invitation.email])
    except OSError:  # smtplib's errors are among these
        logger.exception("The mail of invitation %s could not be sent", invitation.pk)


def _refuse(account: Account, email: str, invitation: Invitation | None, now: datetime) -> None:
    if Membership.objects.filter(account=account, user__email__iexact=email).exists():
        raise InvalidRequest.field("email", "This person is a member already.")
    if invitation is not None and invitation.is_open(now):
        raise InvalidRequest.field(
            "email",
            "This person is invited already. The link can be sent again from the list of invitations.",
        )
    if account.invitations.filter(created_at__gt=now - timedelta(days=1)).count() >= MAX_A_DAY:
        raise Conflict(f"{MAX_A_DAY} people were invited within 24 hours. Go on tomorrow.")


def _open_to(account: Account, email: str) -> Invitation | None:
    """The one that was neither accepted nor withdrawn, even if it has expired. Found as the constraint compares addresses."""
    pending = account.invitations.filter(accepted_at=None, withdrawn_at=None)
    alike = pending.alias(lowered=Lower("email")).filter(lowered=Lower(Value(email)))
    return alike.select_related("account").first()


def _renew(invitation: Invitation, now: datetime) -> None:
    invitation.sent_at, invitation.expires_at = now, now + invitation_period()
    invitation.save()


def _record(invitation: Invitation, action: AuditAction, actor: Actor, **details: object) -> None:
    subject = Subject("invitation", invitation.pk, invitation.email)
    record(account=invitation.account_id, action=action, actor=actor, subject=subject, details=details)
