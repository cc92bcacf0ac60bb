"""GET /v1/esim/plans: a page of the catalogue."""

from apps.bookings.refusals import translated
from apps.esim.models import Plan
from apps.esim.selectors import Place, PlanFilters, filtered_plans, plans_behind, plans_on_sale
from apps.esim.services.sync import sync_environment
from apps.suppliers.registry import SIMULATOR, supplier_name


def list_plans(
    environment: str, currency: str, filters: PlanFilters, page: int, page_size: int
) -> tuple[list[Plan], int]:
    """The plans of a page (the first is 1), and how many there are on all pages. Raises UpstreamUnavailable for a sandbox that
    cannot be filled.
    """
    plans = filtered_plans(environment, currency, filters)
    total = plans.count()
    if total == 0 and fill_empty_sandbox(environment):
        total = plans.count()
    first = (page - 1) * page_size
    return list(plans[first : first + page_size]) if first < total else [], total


def list_plans_behind(
    environment: str, currency: str, filters: PlanFilters, place: Place, limit: int
) -> tuple[list[Plan], int, int]:
    """The plans after a place of the catalogue, how many stand before them, and how many there are in all.

    There are `limit` plans at most and, where more follow, one of those.
    """
    plans = filtered_plans(environment, currency, filters)
    behind = plans_behind(plans, place)
    total = plans.count()
    return list(behind[: limit + 1]), max(total - behind.count(), 0), total


def fill_empty_sandbox(environment: str) -> bool:
    """Sync now if the simulator's catalogue was never synced, so that a new deployment need not wait an hour for its first plans.

    Only the periodic task ever asks a real supplier.
    """
    if supplier_name("esim", environment) != SIMULATOR or plans_on_sale(environment).exists():
        return False
    with translated():
        sync_environment(environment)
    return True
