"""All limits of the account on one page: of its keys, of approvals, of calls and searches."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import Account
from apps.common import clock
from apps.gateway import search_quota
from apps.keys.models import ApiKey
from apps.keys.selectors import PAGE, keys_of
from apps.ledger.models import SpendLimit
from apps.portal.base import PortalView
from apps.portal.context import FINANCE, OWNERS

CLASSES = {
    "SEARCH": ("Search", "searches and prices"),
    "BOOKING": ("Book", "bookings, changes, cancellations"),
    "READ": ("Read", "everything else"),
}


@dataclass(frozen=True, slots=True)
class KeyLimits:
    """`day_cents` and `month_cents`: held today and this month. None without limits, as nothing is counted then."""

    key: ApiKey
    limits: SpendLimit | None
    day_cents: int | None = None
    month_cents: int | None = None


class LimitsView(PortalView):
    section = "limits"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, today = self.portal, clock.now_here().date()
        cursor = request.GET.get("cursor") or ""
        keys = keys_of(*portal.stored).filter(revoked_at=None).select_related("spend_limit")
        found = list((keys.filter(pk__lt=cursor) if cursor else keys)[: PAGE + 1])
        rows = []
        for key in found[:PAGE]:
            limits: SpendLimit | None = getattr(key, "spend_limit", None)
            if limits is None:
                rows.append(KeyLimits(key, None))
                continue
            same_month = (limits.day.year, limits.day.month) == (today.year, today.month)
            held_today = limits.day_cents if limits.day == today else 0
            rows.append(KeyLimits(key, limits, held_today, limits.month_cents if same_month else 0))
        shown = {
            "rows": rows,
            "older": found[PAGE - 1].pk if len(found) > PAGE else "",
            "cursor": cursor,
            "rates": rates_of(portal.account),
            "quota": search_quota.read_for(portal.account, portal.environment, today, portal.account_id),
            "may_limit": portal.has_role(FINANCE),
            "may_require": portal.has_role(OWNERS),
        }
        return self.render("portal/limits/index.html", shown)


def rates_of(account: Account) -> list[tuple[str, str, int]]:
    """The name of each class of calls, what is in it, and how many calls a key makes in a minute."""
    own = {"SEARCH": account.rate_search, "BOOKING": account.rate_booking, "READ": account.rate_read}
    rates = settings.RATE_LIMITS | {name: most for name, most in own.items() if most is not None}
    return [(label, note, rates[name]) for name, (label, note) in CLASSES.items()]
