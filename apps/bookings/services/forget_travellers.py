"""The sweep that forgets travellers once their time is over: some days after the last service, as the account has it.

It goes along the table of their keys, in which erased bookings have no row any more: ids sort by time, so the oldest come first.
Each batch is a transaction of its own. What is open, or locked by somebody else, is left to the next run.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Min

from apps.accounts import clocks
from apps.accounts.actors import AUTOMATIC
from apps.accounts.models import Account, AuditAction
from apps.accounts.services.audit import record
from apps.accounts.services.move_clock import FURTHEST
from apps.bookings.models import Booking, TravellerKey
from apps.bookings.services.erase import forget, is_open, last_service
from apps.bookings.services.reserve import ID_PREFIXES
from apps.bookings.travellers.declared import products_with_travellers
from apps.bookings.travellers.rest import with_keys
from apps.common import clock
from apps.common.ids import earliest_id

BATCH = 200
SECONDS = 1_800.0


def forget_travellers(*, batch: int = BATCH, seconds: float = SECONDS) -> int:
    """Returns of how many bookings the travellers were forgotten."""
    ends_at, forgotten = time.monotonic() + seconds, 0
    for ids in old_ids(batch):
        forgotten += forget_due(ids)
        if time.monotonic() >= ends_at:
            break
    return forgotten


def old_ids(batch: int) -> Iterator[Sequence[str]]:
    """The bookings that have a key and were made long enough ago, in batches, along the primary key."""
    made_before = clock.now() - timedelta(days=shortest_retention())
    if clocks.any_moved():
        made_before += FURTHEST
    for product in sorted(products_with_travellers()):
        prefix = ID_PREFIXES[product]
        last, end = f"{prefix}_", earliest_id(prefix, made_before)
        while True:
            keys = TravellerKey.objects.filter(pk__gt=last, pk__lt=end).order_by("pk")
            ids = list(keys.values_list("pk", flat=True)[:batch])
            if ids:
                yield ids
                last = ids[-1]
            if len(ids) < batch:
                break


def shortest_retention() -> int:
    """In days, of all accounts."""
    own: int | None = Account.objects.aggregate(least=Min("traveller_retention_days"))["least"]
    default: int = settings.TRAVELLER_RETENTION_DAYS
    return default if own is None else min(default, own)


def forget_due(ids: Sequence[str]) -> int:
    """Forget the travellers of those of these bookings whose time is over, with one entry in the audit of each account."""
    told: dict[tuple[str, str], int] = defaultdict(int)
    with transaction.atomic():
        locked = Booking.objects.select_for_update(skip_locked=True, of=("self",)).select_related(
            "account__sandbox_of"
        )
        for booking in with_keys(locked).filter(pk__in=ids, erased_at=None).order_by("pk"):
            with clocks.working_for(booking.account_id, booking.environment):
                if is_due(booking, booking.now()):
                    forget(booking)
                    told[booking.account_id, booking.environment] += 1
        for (account_id, environment), bookings in told.items():
            record(
                account=account_id,
                environment=environment,
                action=AuditAction.TRAVELLERS_FORGOTTEN,
                actor=AUTOMATIC,
                details={"bookings": bookings},
            )
    return sum(told.values())


def is_due(booking: Booking, now: datetime) -> bool:
    kept = timedelta(days=retention_days(booking.account))
    return last_service(booking) + kept <= now and not is_open(booking)


def retention_days(account: Account) -> int:
    """The account's own, that of its partner where it is a sandbox, or the deployment's."""
    for one in (account, account.sandbox_of):
        if one is not None and one.traveller_retention_days is not None:
            return one.traveller_retention_days
    days: int = settings.TRAVELLER_RETENTION_DAYS
    return days
