"""From which balance on the people of an account want to be warned."""

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.accounts.services import audit
from apps.common.errors import InvalidRequest
from apps.ledger.models import MOST_CENTS, Wallet


@transaction.atomic
def warn_below(*, account_id: str, environment: str, cents: int | None, actor: Actor) -> None:
    """Warn when less than `cents` is available; None: never. No money moves. What was so already is not written again.

    Raises InvalidRequest for an amount out of bounds, and where there is no wallet yet.
    """
    if cents is not None and not 1 <= cents <= MOST_CENTS:
        raise InvalidRequest.field("warnBelowCents", f"An amount is between 1 and {MOST_CENTS}.")
    wallets = Wallet.objects.select_for_update(no_key=True)
    wallet = wallets.filter(account_id=account_id, environment=environment).first()
    if wallet is None:
        raise InvalidRequest.field(
            "warnBelowCents", "There is no balance yet. It begins with the first top-up."
        )
    before = wallet.warn_below_cents
    if before == cents:
        return
    Wallet.objects.filter(pk=wallet.pk).update(warn_below_cents=cents)
    audit.record(
        account=account_id,
        environment=environment,
        action=AuditAction.BALANCE_WARNING_CHANGED,
        actor=actor,
        details={"before": before, "after": cents, "currency": wallet.currency},
    )
