"""Invitations: sent, sent again, withdrawn, and accepted through the link in the mail."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.core.signing import BadSignature, Signer
from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.functions import Lower
from django.urls import reverse

from apps.accounts.actors import SUPPORT, Actor, actor_of
from apps.accounts.audit import Subject, record
from apps.accounts.members import check_email, check_role, find_user, lock_members, record_member
from apps.accounts.models import (
    Account,
    AuditAction,
    Invitation,
    Membership,
    User,
    invitation_period,
    period_in_words,
)
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest, NotFound

SIGNER = "accounts.invitation"

logger = logging.getLogger(__name__)
MAX_A_DAY = 50
"""Invitations of one account in 24 hours: enough for any team, too few for spam."""
MAX_MAILS = 10
PAUSE_BETWEEN_MAILS = timedelta(minutes=1)
BODY = """{inviter} invited you to {account} on Travel Partner API. Your role will be {role}.

Accept the invitation with this link. It works once, for {lasts}, until {until} UTC:
{link}

If you do not know {account}, ignore this email.
"""


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


def invite(*, account: Account, email: str, role: str, actor: Actor = SUPPORT) -> Invitation:
    """An invitation, whose link is sent to `email`. One that has expired is renewed.

    Raises InvalidRequest for a malformed address, an unknown role, a member, or someone who is already invited; whether the
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
        lasts=period_in_words(),
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
        raise Conflict(f"{MAX_A_DAY} people were invited within 24 hours. Continue tomorrow.")


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


def invitation_of(token: str) -> Invitation:
    """The invitation that a link opens. Raises NotFound for a link that is forged, replaced, used, withdrawn or expired."""
    told = read_token(token)
    invitations = Invitation.objects.select_related("account", "invited_by")
    invitation = told and invitations.filter(pk=told[0], mails=told[1]).first()
    if not invitation or not invitation.is_open(clock.now()):
        raise NotFound("This invitation is not open.")
    return invitation


def ended_invitation(token: str) -> tuple[Invitation | None, str]:
    """For a link that opens nothing: its invitation and why, `used`, `withdrawn`, `replaced` or `expired`. None for a link
    that we have not signed, or whose invitation was deleted.
    """
    read = read_token(token)
    invitation = read and Invitation.objects.select_related("invited_by").filter(pk=read[0]).first()
    if not read or not invitation:
        return None, ""
    if invitation.accepted_at is not None:
        return invitation, "used"
    if invitation.withdrawn_at is not None:
        return invitation, "withdrawn"
    return invitation, "expired" if invitation.mails == read[1] else "replaced"


@transaction.atomic
def accept_as(*, token: str, user: User, address: str = "") -> Membership:
    """`user`, who signed in with the invited address, becomes a member; an existing member keeps the role.

    Raises NotFound as `invitation_of` does, also for another person's address.
    """
    invitation = _lock(token)
    if invitation.email.lower() != user.email.lower():
        raise NotFound("This invitation is for a different person.")
    return _join(invitation, user, address)


@transaction.atomic
def accept_with_password(*, token: str, password: str, name: str = "", address: str = "") -> User:
    """The new person, a member who signs in with `password` (validated by the caller).

    Raises NotFound as `invitation_of` does, Conflict if the address already has a login: a link in a mail does not
    change an existing password.
    """
    invitation = _lock(token)
    user = find_user(invitation.email)
    if user is None:
        user = User(email=User.objects.normalize_email(invitation.email))
    elif has_sign_in(user):
        raise Conflict("This address has a password already.")
    user.set_password(password)
    user.first_name = user.first_name or name
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:  # created at this very moment, through another account's invitation
        raise Conflict("This address has a password already.") from None
    _join(invitation, user, address)
    return user


def has_sign_in(user: User) -> bool:
    """Whether there is a password, or this sign-in was switched off: then no link opens it again."""
    return user.has_usable_password() or not user.is_active


def _lock(token: str) -> Invitation:
    """Members are locked before the invitation, as in `invitations`."""
    invitation = invitation_of(token)
    lock_members(invitation.account_id)
    try:
        lock_open(invitation)
    except Conflict:
        raise NotFound("This invitation is not open.") from None
    return invitation_of(token)


def _join(invitation: Invitation, user: User, address: str) -> Membership:
    membership, is_new = Membership.objects.get_or_create(
        account=invitation.account, user=user, defaults={"role": invitation.role}
    )
    invitation.accepted_at = clock.now()
    invitation.save(update_fields=["accepted_at"])
    if is_new:
        record_member(membership, AuditAction.MEMBER_JOINED, actor_of(user, address), role=membership.role)
    return membership
