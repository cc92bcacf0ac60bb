"""The back office's page about what searches withheld: how many offers, by supplier and reason."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from apps.common import clock, sql
from apps.esim.models import CatalogueGap

HOURS = (1, 24)
"""How far back one may look. Searches are kept for a day."""
MOST_SEARCHES = 20_000
"""Of each product, the newest: however many there are, the page reads no more."""
TABLES = {
    "Hotels": ("hotels_hotelsearch", "hotels.view_hotelsearch"),
    "Flights": ("flights_flightsearch", "flights.view_flightsearch"),
    "Transfers": ("transfers_transfersearch", "transfers.view_transfersearch"),
}
PLANS = "esim.view_cataloguegap"
REASONS = {
    "documents_required": "Identity documents",
    "no_longer_sold": "No longer sold",
    "unsupported": "Unsupported",
    "unreadable": "Unreadable",
}
"""The fields of `apps.suppliers.results.Withheld`."""

# Of one product: by environment and supplier the searches, those that withheld anything, and the offers by reason.
COUNTED = """
SELECT environment, supplier_name, count(*), count(*) FILTER (WHERE {any} > 0), {sums}
FROM (SELECT environment, supplier_name, {reasons}
        FROM {table} WHERE created_at > %s ORDER BY created_at DESC LIMIT %s) newest
GROUP BY 1, 2 ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Row:
    """`searches`: so many were counted, of which `affected` withheld anything; `counts`: offers, in the order of REASONS."""

    product: str
    environment: str
    supplier: str
    searches: int
    affected: int
    counts: tuple[int, ...]

    @property
    def share(self) -> str:
        return f"{self.affected / self.searches:.0%}" if self.searches else ""


@require_safe
def withheld_view(request: HttpRequest) -> HttpResponse:
    """Raises PermissionDenied for who may see the searches of no product."""
    products = [name for name, (_, right) in TABLES.items() if request.user.has_perm(right)]
    sees_plans = request.user.has_perm(PLANS)
    if not products and not sees_plans:
        raise PermissionDenied
    hours = next((each for each in HOURS if str(each) == request.GET.get("hours")), HOURS[-1])
    rows = list(counted(products, clock.now() - timedelta(hours=hours)))
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": "Withheld",
        "rows": rows,
        "reasons": list(REASONS.values()),
        "hours": hours,
        "choices": HOURS,
        "most": MOST_SEARCHES if any(read_in_part(rows, product) for product in products) else 0,
        "plans": CatalogueGap.objects.order_by("environment", "supplier_name") if sees_plans else (),
    }
    return TemplateResponse(request, "admin/withheld.html", context)


def counted(products: list[str], since: datetime) -> Iterator[Row]:
    """What searches of these products have withheld since then; a sandbox counts by its own clock."""
    for product in products:
        for environment, supplier, searches, affected, *counts in sql.all_rows(
            statement_for(TABLES[product][0]), [since, MOST_SEARCHES]
        ):
            yield Row(product, environment, supplier, searches, affected, tuple(counts))


def statement_for(table: str) -> str:
    """A search of an older release may lack a reason."""
    return COUNTED.format(
        table=table,
        any=" + ".join(REASONS),
        sums=", ".join(f"sum({reason})" for reason in REASONS),
        reasons=", ".join(f"coalesce((withheld ->> '{reason}')::int, 0) AS {reason}" for reason in REASONS),
    )


def read_in_part(rows: list[Row], product: str) -> bool:
    return sum(row.searches for row in rows if row.product == product) >= MOST_SEARCHES
