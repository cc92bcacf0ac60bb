"""Where one begins: the day in numbers, the money, the way to live, and what needs somebody to look."""

from django.http import HttpRequest, HttpResponse

from apps.common import clock
from apps.gateway import search_quota
from apps.ledger.selectors import balance_of
from apps.portal.attention import matters_of
from apps.portal.charts import ring
from apps.portal.day import day_of
from apps.portal.go_live import next_step, steps_of
from apps.portal.place import PortalView


class Home(PortalView):
    section = "home"

    def get(self, request: HttpRequest) -> HttpResponse:
        place, now = self.place, clock.now()
        balance = balance_of(place.account.pk, place.environment)
        quota = search_quota.read_for(place.account, place.environment)
        steps = steps_of(place.account, now)
        used = min(quota.used, quota.limit)
        return self.render(
            "portal/home/index.html",
            {
                "day": day_of(place.account.pk, place.environment, now),
                "balance": balance,
                "quota": quota,
                "quota_ring": ring(
                    used, quota.limit, says=f"{used:,} of {quota.limit:,} searches used today"
                ),
                "steps": steps,
                "next_step": next_step(steps),
                "matters": matters_of(place, balance=balance, quota=quota, now=now),
            },
        )
