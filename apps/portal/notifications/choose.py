"""Changes what a member is mailed."""

from collections.abc import Sequence

from django.db import transaction

from apps.accounts.models import Membership
from apps.common import clock
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications.kinds import Kind


@transaction.atomic
def choose(
    *, membership: Membership, environment: str, kinds: Sequence[str], balance_below_cents: int | None
) -> None:
    """What was told already is not told again, unless its kind was chosen anew or the amount changed."""
    choice, _ = NotificationChoice.objects.select_for_update().get_or_create(
        membership=membership, environment=environment
    )
    kept = set(kinds) & set(choice.kinds)
    if choice.balance_below_cents != balance_below_cents:
        kept.discard(Kind.LOW_BALANCE)
    ToldTrouble.objects.filter(choice=choice).exclude(kind__in=kept).delete()
    choice.kinds, choice.balance_below_cents, choice.changed_at = (
        list(kinds),
        balance_below_cents,
        clock.now(),
    )
    choice.save()
