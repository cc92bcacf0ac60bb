"""The data of GET /v1/account, read by one statement, because partners call it often: to check a key, and to poll the balance."""

from dataclasses import dataclass
from datetime import datetime

from apps.accounts.sandboxes import STATUS_THERE
from apps.common import clock, sql
from apps.gateway.search_quota import Quota, limit_of
from apps.keys.partner import Partner
from apps.keys.secrets import digest

OVERVIEW = f"""
SELECT account.name, {STATUS_THERE}, account.live_requested_at, account.live_approved_until,
       COALESCE(wallet.balance_cents - wallet.held_cents, 0), COALESCE(wallet.held_cents, 0), wallet.warn_below_cents,
       key.name, key.settlement_mode, key.last_used_at, key.created_at, secret.prefix,
       LEAST(secret.expires_at, key.expires_at),
       spend.per_booking_cents, spend.per_day_cents, spend.per_month_cents, spend.approval_above_cents,
       COALESCE(quota.used, 0)
FROM keys_keysecret secret
JOIN keys_apikey key ON key.id = secret.key_id
JOIN accounts_account holder ON holder.id = key.account_id
JOIN accounts_account account ON account.id = COALESCE(holder.sandbox_of_id, holder.id)
LEFT JOIN accounts_sandbox sandbox ON sandbox.account_id = holder.id AND key.environment = 'test'
LEFT JOIN ledger_wallet wallet ON wallet.account_id = holder.id AND wallet.environment = key.environment
LEFT JOIN ledger_spendlimit spend ON spend.key_id = key.id
LEFT JOIN gateway_searchquotaday quota
       ON quota.account_id = holder.id AND quota.environment = key.environment AND quota.day = %s
WHERE secret.digest = %s
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Overview:
    quota: Quota
    name: str
    status: str
    live_requested_at: datetime | None
    live_approved_until: datetime | None
    available_cents: int
    held_cents: int
    warn_below_cents: int | None
    key_name: str
    settlement_mode: str
    last_used_at: datetime | None
    key_created_at: datetime
    secret_prefix: str
    secret_expires_at: datetime | None
    per_booking_cents: int | None
    per_day_cents: int | None
    per_month_cents: int | None
    approval_above_cents: int | None


def overview_of(partner: Partner, secret: str) -> Overview:
    """The account, its wallet, the calling key and secret, and the day's quota, all at one instant."""
    day = clock.today(partner)
    row = sql.one_row(OVERVIEW, [day, digest(secret)])
    assert row is not None
    *columns, used = row
    return Overview(Quota(limit_of(partner), used, day), *columns)
