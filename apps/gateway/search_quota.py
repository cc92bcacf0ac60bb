"""The daily search quota of an account and environment (contract §2, step 16), and the billable searches.

PostgreSQL decides. One conditional statement takes a unit before the supplier is asked. A search that fails gives the unit back.
A search that succeeds becomes billable in the transaction that stores its answer. A replay takes no unit.

Each search that has taken a unit has a row (SearchUnit), which is deleted when the search is billed or the unit is given back. An
operation that counts as several searches takes all of its units in one row, or none. If the process dies, the row stays. It
lapses together with the claim on the key, 45 s after that was taken. Then it is given back: by the sweep, or at once where the
quota is used up. A slow search whose unit has lapsed takes another one when it is billed.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import Account
from apps.common import clock, sql
from apps.common.errors import RateLimitExceeded
from apps.common.sql import RELAX
from apps.gateway.models import SearchQuotaDay, SearchUnit, SearchUsage
from apps.keys.partner import Partner

# The units, if so many are left: they are counted for the day (`taken`) and have a row (`told`). {cause} has a row where they are
# to be taken.
TAKEN = """
taken AS (
    INSERT INTO gateway_searchquotaday AS quota (account_id, environment, day, used)
    SELECT %(account)s, %(environment)s, %(day)s, %(units)s::int FROM {cause} WHERE %(units)s::int <= %(limit)s::int
    ON CONFLICT (account_id, environment, day) DO UPDATE SET used = quota.used + EXCLUDED.used
    WHERE quota.used + EXCLUDED.used <= %(limit)s::int
    RETURNING id, used
), told AS (
    INSERT INTO gateway_searchunit (id, quota_day_id, lapses_at, units)
    SELECT %(unit)s, id, %(lapses_at)s, %(units)s FROM taken
)
"""
TAKE = f"WITH {TAKEN.format(cause='(SELECT) call')} SELECT used FROM taken"  # noqa: S608
TAKE_RELAXED = f"WITH {TAKEN.format(cause='(SELECT) call')} SELECT used, {RELAX} FROM taken"  # noqa: S608

USED = "SELECT used FROM gateway_searchquotaday WHERE account_id = %s AND environment = %s AND day = %s"

GIVE_BACK = """
WITH unit AS (DELETE FROM gateway_searchunit WHERE id = %(unit)s RETURNING quota_day_id, units)
UPDATE gateway_searchquotaday AS quota SET used = GREATEST(0, quota.used - unit.units)
FROM unit WHERE quota.id = unit.quota_day_id
"""

# The row of the day is locked first: of two calls that need a unit at once, the second waits for what the first gives back.
# A call that bills or gives back such a unit has locked the unit's row; the statement skips it and does not wait.
GIVE_BACK_LAPSED = """
WITH quota_day AS MATERIALIZED (
    SELECT id FROM gateway_searchquotaday WHERE id = %(quota_day)s FOR UPDATE
), lapsed AS (
    DELETE FROM gateway_searchunit WHERE id IN (
        SELECT id FROM gateway_searchunit
        WHERE quota_day_id = (SELECT id FROM quota_day) AND lapses_at <= %(now)s
        FOR UPDATE SKIP LOCKED
    ) RETURNING units
), counted AS (SELECT count(*)::int AS searches, COALESCE(sum(units), 0)::int AS units FROM lapsed)
UPDATE gateway_searchquotaday AS quota SET used = GREATEST(0, quota.used - counted.units)
FROM counted WHERE quota.id = %(quota_day)s AND counted.searches > 0
RETURNING counted.searches
"""

BILLED = """
INSERT INTO gateway_searchusage AS usage (account_id, environment, day, product, key_id, billable)
SELECT %(account)s, %(environment)s, %(day)s, %(product)s, %(key)s, unit.units FROM unit
ON CONFLICT (account_id, environment, day, product, key_id) DO UPDATE SET billable = usage.billable + EXCLUDED.billable
"""
BILL = f"WITH unit AS (DELETE FROM gateway_searchunit WHERE id = %(unit)s RETURNING units) {BILLED}"  # noqa: S608


@dataclass(frozen=True, slots=True)
class Quota:
    """The day's quota, as the X-Search-Quota-* headers show it. `unit`: the row with the `units` that the search has taken."""

    limit: int
    used: int
    day: date
    unit: UUID | None = None
    units: int = 1

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def resets_at(self) -> datetime:
        """The next UTC midnight."""
        return _midnight_after(self.day)

    @property
    def headers(self) -> dict[str, str]:
        return {
            "X-Search-Quota-Limit": str(self.limit),
            "X-Search-Quota-Remaining": str(self.remaining),
            "X-Search-Quota-Reset": str(int(self.resets_at.timestamp())),
        }


@lru_cache(8)
def _midnight_after(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC)


def limit_of(partner: Partner) -> int:
    """Searches a UTC day: the account's own limit, else the deployment's."""
    return settings.SEARCH_QUOTA_PER_DAY if partner.search_quota is None else partner.search_quota


def read(partner: Partner) -> Quota:
    day = clock.today(partner)
    return Quota(limit_of(partner), used_on(day, partner.account_id, partner.environment), day)


def read_for(account: Account, environment: str, day: date, account_id: str = "") -> Quota:
    """The quota of a day for a page, where no key is calling. `account_id` is the row of a sandbox that has one of its own."""
    limit = settings.SEARCH_QUOTA_PER_DAY if account.search_quota is None else account.search_quota
    return Quota(limit, used_on(day, account_id or account.pk, environment), day)


def used_on(day: date, account_id: str, environment: str) -> int:
    row = sql.one_row(USED, [account_id, environment, day])
    return row[0] if row else 0


def take(
    partner: Partner, lapses_at: datetime | None = None, *, durably: bool = False, units: int = 1
) -> Quota:
    """Take so many units. Raises RateLimitExceeded without Retry-After when the day's quota has not so many left.

    `lapses_at` is the end of the caller's claim. So a call that takes the key over finds the unit of the dead call given back.
    `durably`: in the transaction that stores the answer, whose commit must reach the disk.
    """
    day, limit = clock.today(partner), limit_of(partner)
    lapses_at = lapses_at or clock.now() + timedelta(seconds=settings.IDEMPOTENCY_LEASE_SECONDS)
    statement = TAKE if durably else TAKE_RELAXED
    taken = _take(partner, day, limit, lapses_at, statement, units)
    if taken is None:
        _give_back_lapsed_of(partner, day)
        taken = _take(partner, day, limit, lapses_at, statement, units)
    if taken is None:
        raise _exceeded(limit, units)
    return taken


def _exceeded(limit: int, units: int) -> RateLimitExceeded:
    if units == 1:
        return RateLimitExceeded(
            f"The daily search quota of {limit} is used up; it resets at midnight UTC.",
            ours=True,
            why=f"The day's {limit} searches of the account were used up.",
        )
    return RateLimitExceeded(
        f"This request counts as {units} searches: more than are left of the daily search quota of {limit}, which resets at"
        " midnight UTC.",
        ours=True,
        why=f"The request counts as {units} searches, and fewer were left of the account's {limit} of the day.",
    )


def _take(
    partner: Partner, day: date, limit: int, lapses_at: datetime, statement: str, units: int
) -> Quota | None:
    unit = uuid4()
    row = sql.one_row(
        statement,
        {
            "account": partner.account_id,
            "environment": partner.environment,
            "day": day,
            "limit": limit,
            "unit": unit,
            "units": units,
            "lapses_at": lapses_at,
        },
    )
    return None if row is None else Quota(limit, row[0], day, unit, units)


def give_back(quota: Quota) -> Quota:
    """Return what a search that failed has taken. What has lapsed is not returned twice."""
    sql.rows_changed(GIVE_BACK, {"unit": quota.unit})
    return replace(quota, used=max(0, quota.used - quota.units), unit=None)


def bill(partner: Partner, quota: Quota, product: str) -> Quota:
    """Count what a search of `product` has taken as billable for the calling key, in the transaction that stores its answer.

    Takes as many units of today again where the first have lapsed, and raises RateLimitExceeded if there are too few. Returns the
    quota as it then stands.
    """
    with transaction.atomic(savepoint=False):  # no other call sees another unit before it is billed
        if _bill(partner, quota, product):
            return quota
        another = take(partner, durably=True, units=quota.units)
        _bill(partner, another, product)
        return another


def _bill(partner: Partner, quota: Quota, product: str) -> bool:
    return sql.rows_changed(BILL, bill_parameters(partner, quota, product)) == 1


def bill_parameters(partner: Partner, quota: Quota, product: str) -> dict[str, object]:
    return {
        "unit": quota.unit,
        "account": partner.account_id,
        "environment": partner.environment,
        "day": quota.day,
        "product": product,
        "key": partner.key_id,
    }


def give_back_lapsed() -> int:
    """The sweep: give the lapsed units of dead searches back. Returns of how many searches."""
    lapsed = SearchUnit.objects.filter(lapses_at__lte=clock.now())
    days = list(lapsed.order_by("quota_day_id").values_list("quota_day_id", flat=True).distinct())
    return sum(_give_back_lapsed(quota_day) for quota_day in days)


def _give_back_lapsed_of(partner: Partner, day: date) -> None:
    days = SearchQuotaDay.objects.filter(
        account_id=partner.account_id, environment=partner.environment, day=day
    )
    for quota_day in days.values_list("id", flat=True):
        _give_back_lapsed(quota_day)


def _give_back_lapsed(quota_day: int) -> int:
    row = sql.one_row(GIVE_BACK_LAPSED, {"quota_day": quota_day, "now": clock.now()})
    return 0 if row is None else int(row[0])


def usage_since(account_id: str, environment: str, first: date) -> QuerySet[SearchUsage]:
    """Billable searches since `first` with the names of their keys, by day, product and key, the newest day first."""
    days = SearchUsage.objects.filter(account_id=account_id, environment=environment, day__gte=first)
    shown = days.select_related("key").only("day", "product", "billable", "key__name")
    return shown.order_by("-day", "key__name", "key_id", "product")
