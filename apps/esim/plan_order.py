"""In which order the catalogue is listed, and where a plan stands in it: what a cursor holds.

Prices are stored in the supplier's currency and compared in the account's. A cursor holds the stored price, so that another
exchange rate between two pages moves no plan of that currency across it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Case, DecimalField, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce

from apps.esim.models import Plan
from apps.esim.selectors import conversions

Place = list[str | None]
"""Where a plan stands: what its order compares, as text."""

UNLIMITED = 2**31 - 1
"""More than any amount of data that a plan may have."""
RANKS: Mapping[str, Combinable] = {
    "price": Value(0),
    "data": -Coalesce(F("data_mb"), UNLIMITED),
    "days": -F("validity_days"),
}
SORTS = tuple(RANKS)
FINE = 10**9
"""So many minor units are converted to compare currencies: a price is then exact to well below a minor unit."""
PRICE = DecimalField(max_digits=60, decimal_places=0)


@dataclass(frozen=True, slots=True)
class ByName:
    """The plans of one country first, then the regional ones, each by name: an order that no sync changes."""

    def of(self, plans: QuerySet[Plan]) -> QuerySet[Plan]:
        return plans.order_by(F("region").asc(nulls_first=True), "name", "id")

    def behind(self, place: Place) -> Q:
        """What comes after a place in `of`, whether a plan still stands there or not. Raises ValueError for no place."""
        region, name, plan_id = place
        later = Q(name__gt=name) | Q(name=name, id__gt=plan_id)
        if region is None:
            return Q(region__isnull=False) | later
        return Q(region__gt=region) | Q(region=region) & later


@dataclass(frozen=True, slots=True)
class Sorted:
    """The cheapest, the largest or the longest first, the cheaper of two that are alike. `sort` is one of SORTS."""

    sort: str
    scales: Mapping[str, int]
    """What FINE minor units of each stored currency cost in the account's."""

    @classmethod
    def by(cls, sort: str, environment: str, currency: str) -> "Sorted":
        found = conversions(environment, currency)
        return cls(sort, {base: convert(FINE) for base, convert in found.items()})

    def of(self, plans: QuerySet[Plan]) -> QuerySet[Plan]:
        rank = Cast(RANKS[self.sort], IntegerField())
        # No price of the table is in another currency; a CASE has to have a branch.
        scale = Case(
            *(When(currency=base, then=Value(Decimal(scale))) for base, scale in self.scales.items()),
            default=Value(Decimal(FINE)),
            output_field=PRICE,
        )
        return plans.annotate(rank=rank, price=Cast("price_cents", PRICE) * scale).order_by(
            "rank", "price", "id"
        )

    def behind(self, place: Place) -> Q:
        """Raises ValueError for no place, and for a price in a currency that no plan has any more."""
        rank, cents, base, plan_id = place
        if base is None or base not in self.scales:
            raise ValueError("no such currency")
        at, price = int(rank or ""), Decimal(int(cents or "") * self.scales[base])
        later = Q(price__gt=price) | Q(price=price, id__gt=plan_id)
        return Q(rank__gt=at) | Q(rank=at) & later


PlanOrder = ByName | Sorted


def order_for(filters: Mapping[str, str], environment: str, currency: str) -> PlanOrder:
    """The order that `sort` among the filters asks for; the catalogue's own without it."""
    return Sorted.by(filters["sort"], environment, currency) if "sort" in filters else ByName()


def place_of(plan: Plan, filters: Mapping[str, str]) -> Place:
    """Where a plan stands that was read in the order of these filters."""
    if "sort" not in filters:
        return [plan.region, plan.name, plan.pk]
    rank: int = plan.rank  # type: ignore[attr-defined]
    return [str(rank), str(plan.price_cents), plan.currency, plan.pk]
