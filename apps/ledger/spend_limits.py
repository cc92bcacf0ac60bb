"""The spend limits of a key: what its holds may come to. `statements` has how they are kept."""

from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from itertools import pairwise

from django.db import transaction

from apps.accounts import clocks
from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction
from apps.common import sql
from apps.common.errors import InvalidRequest
from apps.keys.models import ApiKey
from apps.keys.services import lock_active_key, record
from apps.ledger.models import MOST_CENTS, SpendLimit, Wallet

# What was held and not released, by the line that held it: a release of an earlier month's hold gives nothing back.
_SPENT = """
WITH holds AS (
    SELECT hold_id, created_at, held_delta_cents AS cents FROM ledger_transaction
     WHERE account_id = {account} AND environment = {environment} AND type = 'hold' AND key_id = {key}
       AND created_at >= {month}
), released AS (
    SELECT h.created_at, h.id, -sum(t.held_delta_cents) AS cents
      FROM ledger_transaction t JOIN ledger_hold h ON h.id = t.hold_id
     WHERE t.account_id = {account} AND t.environment = {environment} AND t.type = 'release'
       AND t.created_at >= {month} AND h.created_at >= {month}
       AND h.id IN (SELECT hold_id FROM holds)
     GROUP BY h.id
)
SELECT coalesce((SELECT sum(cents) FILTER (WHERE created_at >= {day}) FROM holds), 0)
       - coalesce((SELECT sum(cents) FILTER (WHERE created_at >= {day}) FROM released), 0) AS day_cents,
       coalesce((SELECT sum(cents) FROM holds), 0) - coalesce((SELECT sum(cents) FROM released), 0) AS month_cents
"""
SPENT_SINCE = _SPENT.format(
    **{name: f"%({name})s" for name in ("account", "environment", "key", "day", "month")}
)

# The same for the row of each key, as of its latest day (`consistency`).
DIFFERING = f"""
SELECT w.account_id, w.environment, 'spend limits of ' || s.key_id || ', ' || figure.name, figure.stored, figure.derived
  FROM ledger_spendlimit s JOIN ledger_wallet w ON w.id = s.wallet_id
       CROSS JOIN LATERAL ({
    _SPENT.format(
        account="w.account_id",
        environment="w.environment",
        key="s.key_id",
        day="s.day::timestamp AT TIME ZONE 'UTC'",
        month="date_trunc('month', s.day::timestamp) AT TIME ZONE 'UTC'",
    )
}) AS derived
       CROSS JOIN LATERAL (VALUES
           ('day', s.day_cents, derived.day_cents), ('month', s.month_cents, derived.month_cents)
       ) AS figure (name, stored, derived)
 WHERE figure.stored <> figure.derived
 ORDER BY s.key_id, figure.name
"""  # noqa: S608


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """In minor units of the account's currency; None: no limit."""

    per_booking_cents: int | None = None
    """Of one hold: a booking, a change of it, services added to it, or its payment."""
    per_day_cents: int | None = None
    per_month_cents: int | None = None
    approval_above_cents: int | None = None
    """A booking, or the payment of an order on hold, above it awaits approval. Any other hold above it is refused."""

    def refuse_impossible(self) -> None:
        """Raises InvalidRequest for a limit out of bounds, and for one above that of a longer span, which would never apply."""
        named = {
            "approvalAboveCents": self.approval_above_cents,
            "perBookingCents": self.per_booking_cents,
            "perDayCents": self.per_day_cents,
            "perMonthCents": self.per_month_cents,
        }
        for name, cents in named.items():
            if cents is not None and not 0 <= cents <= MOST_CENTS:
                raise InvalidRequest.field(name, f"A limit is between 0 and {MOST_CENTS}.")
        given = [(name, cents) for name, cents in named.items() if cents is not None]
        for (shorter, less), (longer, more) in pairwise(given):
            if less > more:
                raise InvalidRequest.field(shorter, f"It is above {longer}, so it would never apply.")


NO_LIMITS = Limits()


def limits_of(key: ApiKey) -> Limits:
    found = SpendLimit.objects.filter(key=key).values(*(each.name for each in fields(Limits))).first()
    return Limits(**found) if found is not None else NO_LIMITS


@transaction.atomic
def set_spend_limits(*, key: ApiKey, limits: Limits, actor: Actor = SUPPORT) -> None:
    """Replace the limits of the key, in force with the next hold. What it has held today and this month counts from the start.
    The limits that it has already are not written again.

    Raises InvalidRequest for limits that cannot be, and where there is no wallet yet; Conflict for a revoked key.
    """
    limits.refuse_impossible()
    key = lock_active_key(key)
    before = limits_of(key)
    if before == limits:
        return
    wallets = Wallet.objects.select_for_update(no_key=True)
    wallet = wallets.filter(account=key.account_id, environment=key.environment).first()
    if wallet is None:
        raise InvalidRequest.field(
            "perBookingCents", "There is no balance yet. It begins with the first top-up."
        )
    now = clocks.now_in(key.account_id, key.environment)
    # With the wallet locked, no hold is under way unseen; one that waits for it notices by `limits_at` and looks again.
    changed_at = max(now, wallet.limits_at + timedelta(microseconds=1)) if wallet.limits_at else now
    Wallet.objects.filter(pk=wallet.pk).update(limits_at=changed_at)
    if limits == NO_LIMITS:
        SpendLimit.objects.filter(key=key).delete()
    else:
        day = max(now, wallet.moved_at).replace(hour=0, minute=0, second=0, microsecond=0)
        spent = sql.one_row(
            SPENT_SINCE,
            {
                "account": key.account_id,
                "environment": key.environment,
                "key": key.pk,
                "day": day,
                "month": day.replace(day=1),
            },
        )
        assert spent is not None
        counted = {"wallet": wallet, "day": day.date(), "day_cents": spent[0], "month_cents": spent[1]}
        SpendLimit.objects.update_or_create(key=key, defaults={**asdict(limits), **counted})
    record(
        key,
        AuditAction.KEY_SPEND_LIMITS_CHANGED,
        actor,
        before=asdict(before),
        after=asdict(limits),
        currency=wallet.currency,
    )


def move_limits(account_id: str, to_account_id: str, environment: str) -> None:
    """The limits of keys that have moved to another account row, whose wallet begins with nothing spent."""
    wallet = Wallet.objects.get(account=to_account_id, environment=environment)
    now = clocks.now_in(to_account_id, environment)
    SpendLimit.objects.filter(wallet__account=account_id, wallet__environment=environment).update(
        wallet=wallet, day=now.date(), day_cents=0, month_cents=0
    )
