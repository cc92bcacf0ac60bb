"""Saves, finds and removes the views of a list."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F, Q, QuerySet

from apps.accounts.models import Membership, Role
from apps.accounts.services.members import lock_own
from apps.common.errors import Conflict, NotFound
from apps.portal.saved_views.models import SavedView

MOST = 20
"""Views of one list that a member has; as many again are shared."""
SHARING = frozenset({Role.OWNER, Role.DEVELOPER, Role.FINANCE})
"""Who shares a view with the account, and may remove a shared one."""


def views_of(membership: Membership, environment: str, list_name: str) -> Sequence[SavedView]:
    """The member's own, and then those that are shared, by name. One query."""
    views = _seen_by(membership).filter(environment=environment, list=list_name)
    return list(views.order_by(F("membership").asc(nulls_last=True), "name"))


@transaction.atomic
def save_view(
    *, membership: Membership, environment: str, list_name: str, name: str, query: str, shared: bool
) -> SavedView:
    """Raises Conflict where the name is taken, or where there are as many views as there may be.

    Raises PermissionDenied for a member who has just been removed.
    """
    lock_own(membership)
    owner = None if shared else membership
    alike = SavedView.objects.filter(
        account_id=membership.account_id, membership=owner, environment=environment, list=list_name
    )
    if alike.filter(name=name).exists():
        raise Conflict("There is a view of this name already. Choose another one, or remove that first.")
    if alike.count() >= MOST:
        whose = "are shared" if shared else "are yours"
        raise Conflict(f"{MOST} views of this list {whose} already. Remove one first.")
    view, made = SavedView.objects.get_or_create(
        account_id=membership.account_id,
        membership=owner,
        environment=environment,
        list=list_name,
        name=name,
        defaults={"query": query},
    )
    if not made:  # another member shared one of this name at the same moment
        raise Conflict("There is a view of this name already. Choose another one, or remove that first.")
    return view


def remove_view(*, membership: Membership, view_id: int) -> SavedView:
    """Raises NotFound for what this member may not remove."""
    view = _seen_by(membership).filter(pk=view_id).first()
    if view is None or (view.is_shared and membership.role not in SHARING):
        raise NotFound
    SavedView.objects.filter(pk=view.pk).delete()
    return view


def _seen_by(membership: Membership) -> QuerySet[SavedView]:
    return SavedView.objects.filter(
        Q(membership=membership) | Q(membership=None), account_id=membership.account_id
    )
