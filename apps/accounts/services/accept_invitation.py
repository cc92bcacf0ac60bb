"""Becoming a member through the link in an invitation. Whoever can read the mailbox is the person who was invited."""

from django.db import IntegrityError, transaction

from apps.accounts.actors import actor_of
from apps.accounts.invitation_links import read_token
from apps.accounts.models import AuditAction, Invitation, Membership, User
from apps.accounts.services.invitations import lock_open
from apps.accounts.services.members import find_user, lock_members, record_member
from apps.common import clock
from apps.common.errors import Conflict, NotFound


def invitation_of(token: str) -> Invitation:
    """The invitation that a link opens. Raises NotFound for a link that is forged, replaced, used, withdrawn or expired."""
    told = read_token(token)
    invitations = Invitation.objects.select_related("account", "invited_by")
    invitation = told and invitations.filter(pk=told[0], mails=told[1]).first()
    if not invitation or not invitation.is_open(clock.now()):
        raise NotFound("This invitation is not open.")
    return invitation


@transaction.atomic
def accept_as(*, token: str, user: User, address: str = "") -> Membership:
    """`user`, who signed in with the invited address, becomes a member; somebody who is one already keeps the role.

    Raises NotFound as `invitation_of` does, also for another person's address.
    """
    invitation = _lock(token)
    if invitation.email.lower() != user.email.lower():
        raise NotFound("This invitation is for somebody else.")
    return _join(invitation, user, address)


@transaction.atomic
def accept_with_password(*, token: str, password: str, name: str = "", address: str = "") -> User:
    """The new person, a member who signs in with `password` (validated by the caller).

    Raises NotFound as `invitation_of` does, Conflict where somebody signs in with the address already: a link in a mail does not
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
