"""`balance.low`: sent once when less is available than the account warns at, and again after it was not.

Found by a sweep once a minute, so that no hold or capture reads the threshold. A balance that falls and rises between two sweeps
is not reported. One that rises and falls is, if a top-up or an adjustment raised it: a released hold is no reason for a second
event within a minute.
"""

import logging

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from apps.common.environments import Environment
from apps.gateway.periodic import ITSELF, Tally
from apps.ledger.models import LedgerTransaction, TransactionType, Wallet
from apps.webhooks.events import BALANCE_LOW, Fact, emit_many

logger = logging.getLogger(__name__)

IS_LOW = Q(warn_below_cents__gt=F("balance_cents") - F("held_cents"))
REFILLED = Exists(
    LedgerTransaction.objects.filter(
        account=OuterRef("account"),
        environment=OuterRef("environment"),
        type__in=[TransactionType.TOP_UP, TransactionType.ADJUSTMENT],
        created_at__gt=OuterRef("low_since"),
        available_after_cents__gte=OuterRef("warn_below_cents"),
    )
)
UNREPORTED = IS_LOW & (Q(low_since=None) | REFILLED)
# The row of a sandbox that was reset may be the partner's own, which has the live wallet too.
IN_USE = Q(environment=Environment.LIVE) | Q(account__sandbox__retired_at=None)

REPORTED = IN_USE & Q(low_since__isnull=False)
"""Wallets that are low, since the event was written and until a sweep finds that they no longer are."""


def report_low_balances(*, tally: Tally) -> int:
    """Returns how many events were written. What fails for one wallet is tried again by the next sweep."""
    over = Wallet.objects.exclude(low_since=None)
    over.filter(
        Q(warn_below_cents=None) | Q(warn_below_cents__lte=F("balance_cents") - F("held_cents"))
    ).update(low_since=None)
    reported = 0
    for wallet_id in list(Wallet.objects.filter(IN_USE, UNREPORTED).values_list("pk", flat=True)):
        try:
            reported += report(wallet_id)
        except Exception as error:
            logger.exception("The low balance of wallet %s could not be reported", wallet_id)
            tally.failed(ITSELF, error)
    return reported


@transaction.atomic
def report(wallet_id: int) -> bool:
    """Whether the event was written: of two sweeps at once, one writes it."""
    wallet = Wallet.objects.select_for_update(no_key=True).filter(UNREPORTED, pk=wallet_id).first()
    if wallet is None:
        return False
    # Not the time of now: whatever moves next is later than `moved_at`, also if it waits for this lock.
    Wallet.objects.filter(pk=wallet_id).update(low_since=F("moved_at"))
    data = {
        "availableCents": wallet.available_cents,
        "thresholdCents": wallet.warn_below_cents,
        "currency": wallet.currency,
    }
    emit_many(account_id=wallet.account_id, environment=wallet.environment, facts=[Fact(BALANCE_LOW, data)])
    return True
