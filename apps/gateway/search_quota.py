"""The daily search quota of an account and environment (contract §2, step 16) and the billable searches it leads to.

PostgreSQL decides: one conditional statement takes a unit before the supplier is asked, a search that fails gives it back, and a
search that succeeds becomes billable together with its stored answer. A replay takes nothing.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from apps.accounts.models import Account
from apps.common import clock
from apps.common.commits import RELAX
from apps.gateway.errors import RateLimitExceeded
from apps.gateway.models import SearchQuotaDay, SearchUsage
from apps.keys.partner import Partner

TAKE = f"""
INSERT INTO gateway_searchquotaday AS quota (account_id, environment, day, used)
SELECT %(account)s, %(environment)s, %(day)s, 1 WHERE %(limit)s::int > 0
ON CONFLICT (account_id, environment, day) DO UPDATE SET used = quota.used + 1 WHERE quota.used < %(limit)s::int
RETURNING used, {RELAX}
"""

BILL = """
INSERT INTO gateway_searchusage AS usage (account_id, environment, day, product, key_id, billable)
VALUES (%s, %s, %s, %s, %s, 1)
ON CONFLICT (account_id, environment, day, product, key_id) DO UPDATE SET billable = usage.billable + 1
"""


@dataclass(frozen=True, slots=True)
class Quota:
    """The day's quota as X-Search-Quota-* tell it."""

    limit: int
    used: int
    day: date

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def resets_at(self) -> datetime:
        """The next UTC midnight."""
        return datetime.combine(self.day + timedelta(days=1), time(), UTC)

    @property
    def headers(self) -> dict[str, str]:
        return {
            "X-Search-Quota-Limit": str(self.limit),
            "X-Search-Quota-Remaining": str(self.remaining),
            "X-Search-Quota-Reset": str(int(self.resets_at.timestamp())),
        }


def limit_of(partner: Partner) -> int:
    """Searches a UTC day: the account's override, else the deployment's."""
    return settings.SEARCH_QUOTA_PER_DAY if partner.search_quota is None else partner.search_quota


def read(partner: Partner) -> Quota:
    """The quota as it stands."""
    day = clock.today(partner)
    return Quota(limit_of(partner), used_on(day, partner.account_id, partner.environment), day)


def read_for(account: Account, environment: str) -> Quota:
    """The same for a page, where no key is calling."""
    day = clock.today()
    limit = settings.SEARCH_QUOTA_PER_DAY if account.search_quota is None else account.search_quota
    return Quota(limit, used_on(day, account.pk, environment), day)


def used_on(day: date, account_id: str, environment: str) -> int:
    days = SearchQuotaDay.objects.filter(account_id=account_id, environment=environment, day=day)
    return days.values_list("used", flat=True).first() or 0


def take(partner: Partner) -> Quota:
    """Take one unit. Raises RateLimitExceeded without Retry-After when the day's quota is used up."""
    day, limit = clock.today(partner), limit_of(partner)
    with connection.cursor() as cursor:
        cursor.execute(
            TAKE,
            {
                "account": partner.account_id,
                "environment": partner.environment,
                "day": day,
                "limit": limit,
            },
        )
        row = cursor.fetchone()
    if row is None:
        raise RateLimitExceeded(
            f"The daily search quota of {limit} is used up; it starts anew at midnight UTC."
        )
    return Quota(limit, row[0], day)


def give_back(partner: Partner, quota: Quota) -> Quota:
    """Return the unit of a search that failed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE gateway_searchquotaday SET used = used - 1"
            " WHERE account_id = %s AND environment = %s AND day = %s AND used > 0",
            [partner.account_id, partner.environment, quota.day],
        )
    return replace(quota, used=max(0, quota.used - 1))


def bill(partner: Partner, quota: Quota, product: str) -> None:
    """Count one billable search of `product` for the calling key; in the transaction that stores its answer."""
    with connection.cursor() as cursor:
        cursor.execute(BILL, [partner.account_id, partner.environment, quota.day, product, partner.key_id])


def usage_since(account_id: str, environment: str, first: date) -> QuerySet[SearchUsage]:
    """Billable searches from a day on, by day, product and key, the newest first."""
    days = SearchUsage.objects.filter(account_id=account_id, environment=environment, day__gte=first)
    return days.select_related("key").order_by("-day", "key__name", "key_id", "product")
