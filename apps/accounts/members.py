"""The people who may sign in to the portal for an account: added, given another role, removed."""

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.expressions import BaseExpression

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.audit import Subject, record
from apps.accounts.models import Account, AuditAction, Invitation, Membership, Role, User
from apps.common.errors import Conflict, InvalidRequest, NotFound
from apps.common.validators import EmailAddressValidator

MAX_EMAIL_LENGTH = 254
LAST_OWNER = "The account needs an owner who can log in. Make another member an owner first."

MOST = 500


@transaction.atomic
def add_member(
    *, account: Account, email: str, role: str, password: str | None = None, actor: Actor = SUPPORT
) -> Membership:
    """Let `email` sign in for `account`. A person who is already a member gets the new role.

    `password` is set only on a user that this creates: adding a member never changes a password. Raises InvalidRequest for a
    malformed address or an unknown role, Conflict as `change_role` does.
    """
    check_role(role)
    check_email(email)
    user = find_user(email) or User.objects.create_user(email, password)
    lock_members(account.pk)
    membership = Membership.objects.filter(account=account, user=user).first()
    if membership is not None:
        return change_role(membership=membership, role=role, actor=actor)
    membership = Membership.objects.create(account=account, user=user, role=role)
    record_member(membership, AuditAction.MEMBER_ADDED, actor, role=role)
    return membership


@transaction.atomic
def change_role(*, membership: Membership, role: str, actor: Actor) -> Membership:
    """The membership with its new role, in force with the next page.

    Raises InvalidRequest for an unknown role, Conflict where the account would have no owner, and Membership.DoesNotExist where
    it has ended meanwhile.
    """
    check_role(role)
    membership = lock_member(membership)
    before = membership.role
    if role == before:
        return membership
    if role != Role.OWNER:
        refuse_last_owner(membership)
    membership.role = Role(role)
    membership.save(update_fields=["role"])
    record_member(membership, AuditAction.ROLE_CHANGED, actor, before=before, after=role)
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, actor: Actor) -> None:
    """End a membership: from the next page on the person sees nothing of the account. Keys and bookings stay.

    Raises Conflict for the last owner, Membership.DoesNotExist where it has ended meanwhile.
    """
    membership = lock_member(membership)
    refuse_last_owner(membership)
    record_member(membership, AuditAction.MEMBER_REMOVED, actor, role=membership.role)
    membership.delete()


def lock_members(account_id: str) -> None:
    """Lock the account's members: two owners cannot demote each other at once."""
    Account.objects.select_for_update(no_key=True).only("id").get(pk=account_id)


def lock_member(membership: Membership) -> Membership:
    """A new copy. The members of its account are locked until the end of the transaction.

    So is its own row: what a member saves at this moment is there before the membership is deleted with all that refers to it.
    """
    lock_members(membership.account_id)
    locked = Membership.objects.select_for_update(of=("self",))
    return locked.select_related("user").get(pk=membership.pk)


def lock_own(membership: Membership) -> None:
    """Lock the membership of a member who saves something of their own, so that two windows of theirs take turns.

    Raises PermissionDenied where it has ended since the page was asked for.
    """
    if not Membership.objects.select_for_update().filter(pk=membership.pk):
        raise PermissionDenied("You are no longer a member of this account.")


def refuse_last_owner(membership: Membership) -> None:
    """Raises Conflict if the account has no other owner. An owner whose sign-in is switched off does not count."""
    if membership.role == Role.OWNER and not has_other_owner(membership.account_id, membership.user):
        raise Conflict(LAST_OWNER)


def accounts_of_no_other_owner(user: User) -> list[Account]:
    """The accounts that only `user` owns. The members of all that `user` owns are locked until the end of the transaction."""
    owned = Membership.objects.filter(user=user, role=Role.OWNER)
    accounts = Account.objects.filter(pk__in=owned.values("account")).order_by("pk")
    locked = accounts.select_for_update(no_key=True)
    return [account for account in locked if not has_other_owner(account.pk, user)]


def has_other_owner(account_id: str, user: User) -> bool:
    """Whether the account has another owner who can log in."""
    owners = Membership.objects.filter(account=account_id, role=Role.OWNER, user__is_active=True)
    return owners.exclude(user=user).exists()


def record_member(membership: Membership, action: AuditAction, actor: Actor, **details: object) -> None:
    subject = Subject("member", str(membership.pk), membership.user.email)
    record(account=membership.account_id, action=action, actor=actor, subject=subject, details=details)


def find_user(email: str) -> User | None:
    """The user who signs in with `email`, in any capitalisation. PostgreSQL alone would take ſam@ for sam@, which is another
    mailbox.
    """
    alike = User.objects.filter(email__iexact=email)
    return next((user for user in alike if user.email.lower() == email.lower()), None)


def check_role(role: str) -> None:
    if role not in Role.values:
        raise InvalidRequest.field("role", f"{role!r} is not one of {', '.join(Role.values)}.")


def check_email(email: str) -> None:
    if len(email) > MAX_EMAIL_LENGTH:
        raise InvalidRequest.field("email", f"An e-mail address has at most {MAX_EMAIL_LENGTH} characters.")
    try:
        EmailAddressValidator()(email)
    except ValidationError:
        raise InvalidRequest.field("email", f"{email!r} is not an e-mail address.") from None


def members_of(account_id: str, **told: BaseExpression) -> QuerySet[Membership]:
    """In the order in which they joined, each with the person and with `told`. As many as fit a page."""
    members = Membership.objects.filter(account_id=account_id).select_related("user").annotate(**told)
    return members.order_by("created_at", "pk")[:MOST]


def pending_invitations_of(account_id: str) -> QuerySet[Invitation]:
    """Neither accepted nor withdrawn, the last sent first. Those that have expired can be sent again."""
    pending = Invitation.objects.filter(account_id=account_id, accepted_at=None, withdrawn_at=None)
    return pending.select_related("invited_by").order_by("-sent_at", "pk")[:MOST]


def member_of(account_id: str, member_id: int) -> Membership:
    """One member with the person. Raises NotFound for an unknown or foreign one alike."""
    found = Membership.objects.filter(account_id=account_id, pk=member_id).select_related("user").first()
    if found is None:
        raise NotFound("There is no such member.")
    return found


def invitation_in(account_id: str, invitation_id: str) -> Invitation:
    """One invitation of the account. Raises NotFound for an unknown or foreign one alike."""
    found = Invitation.objects.filter(account_id=account_id, pk=invitation_id).first()
    if found is None:
        raise NotFound("There is no such invitation.")
    return found
