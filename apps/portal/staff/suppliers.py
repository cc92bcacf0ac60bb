"""The back office's page about all suppliers: how they answer, what they last alerted us of, and what searches withheld."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.common.metrics import samples_of_host
from apps.portal.staff import withheld
from apps.suppliers.models import SupplierAlert
from apps.suppliers.vendors import vendors_of

RIGHT = "suppliers.view_supplieralert"
PACKAGES = ("hotels", "flights", "transfers", "esim")
CALLS, SECONDS = "travel_partner_supplier_calls_total", "travel_partner_supplier_call_seconds_bucket"


@dataclass(slots=True)
class Calls:
    """The HTTP calls to one supplier that this host has counted since its metrics began."""

    all: int = 0
    succeeded: int = 0
    buckets: dict[float, float] = field(default_factory=lambda: defaultdict(float))
    """By the upper bound in seconds, how many calls took no longer."""

    @property
    def success(self) -> str:
        """Rounded down, so that 100% means that none failed."""
        return f"{self.succeeded * 1000 // self.all / 10:.1f}%" if self.all else ""

    @property
    def p95(self) -> str:
        """The bucket in which it lies: `under 250 ms`, `over 60 s`."""
        if not self.buckets:
            return ""
        bounds = sorted(self.buckets)
        needed = self.buckets[bounds[-1]] * 0.95
        bound = next(each for each in bounds if self.buckets[each] >= needed)
        if bound == float("inf"):
            return f"over {seconds_words(bounds[-2])}"
        return f"under {seconds_words(bound)}"


@dataclass(frozen=True, slots=True)
class Row:
    supplier: str
    calls: Calls
    alert: Any
    """The newest one, open or cleared."""
    open_alerts: int
    searches: int | None
    withheld: int | None


@require_safe
def suppliers_view(request: HttpRequest) -> HttpResponse:
    if not request.user.has_perm(RIGHT):
        raise PermissionDenied
    products = [name for name, (_, right) in withheld.TABLES.items() if request.user.has_perm(right)]
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": "Suppliers",
        "rows": rows_of(products),
        "sees_searches": bool(products),
    }
    return TemplateResponse(request, "admin/suppliers.html", context)


def rows_of(products: list[str]) -> list[Row]:
    """Every supplier that we have a connector for, and any other that left a trace. A statement a product, and two."""
    calls, searched = calls_by_supplier(), searched_since(products)
    open_ = SupplierAlert.objects.filter(cleared_at__isnull=True).values_list("supplier")
    waiting = dict(open_.annotate(Count("pk")))
    rank = Window(RowNumber(), partition_by=F("supplier"), order_by=[F("last_at").desc(), F("pk").desc()])
    newest = {each.supplier: each for each in SupplierAlert.objects.annotate(rank=rank).filter(rank=1)}
    known = {name for package in PACKAGES for name in vendors_of(package)}
    return [
        Row(
            name,
            calls.get(name, Calls()),
            newest.get(name),
            waiting.get(name, 0),
            *searched.get(name, (None, None)),
        )
        for name in sorted(known | set(calls) | set(newest) | set(searched))
    ]


def calls_by_supplier(samples: Iterable[Any] | None = None) -> dict[str, Calls]:
    found: dict[str, Calls] = defaultdict(Calls)
    for sample in samples_of_host() if samples is None else samples:
        if sample.name == CALLS:
            each, count = found[sample.labels["supplier"]], int(sample.value)
            each.all += count
            each.succeeded += count if succeeded(sample.labels["outcome"]) else 0
        elif sample.name == SECONDS:
            found[sample.labels["supplier"]].buckets[float(sample.labels["le"])] += sample.value
    return {name: calls for name, calls in found.items() if calls.all}


def succeeded(outcome: str) -> bool:
    """A refusal such as 404 or 422 is an answer. Without success: no answer, not sent, 401, 403, 408, 429 and 5xx."""
    return outcome.isdigit() and int(outcome) < 500 and outcome not in ("401", "403", "408", "429")


def searched_since(products: list[str]) -> Mapping[str, tuple[int, int]]:
    """Searches of the last day and the offers that they withheld, by supplier."""
    found: dict[str, tuple[int, int]] = {}
    for row in withheld.counted(products, clock.now() - timedelta(days=1)):
        searches, offers = found.get(row.supplier, (0, 0))
        found[row.supplier] = (searches + row.searches, offers + sum(row.counts))
    return found


def seconds_words(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:g} s"
