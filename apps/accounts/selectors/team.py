"""The members of an account, and those who are invited to it."""

from django.db.models import QuerySet
from django.db.models.expressions import BaseExpression

from apps.accounts.models import Invitation, Membership
from apps.common.errors import NotFound

MOST = 500


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
