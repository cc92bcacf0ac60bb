"""GET /v1/esim/plans: a page of the catalogue."""

from apps.bookings.refusals import translated
from apps.esim.models import Plan
from apps.esim.selectors import PlanFilters, filtered_plans, plans_on_sale
from apps.esim.services.sync import sync_environment
from apps.suppliers.choice import SIMULATOR, supplier_name


def list_plans(
    environment: str, currency: str, filters: PlanFilters, page: int, page_size: int
) -> tuple[list[Plan], int]:
    """The plans of a page (from 1), and how many there are on all of them. 503 for a sandbox that cannot be filled."""
    plans = filtered_plans(environment, currency, filters)
    total = plans.count()
    if total == 0 and fill_empty_sandbox(environment):
        total = plans.count()
    first = (page - 1) * page_size
    return list(plans[first : first + page_size]) if first < total else [], total


def fill_empty_sandbox(environment: str) -> bool:
    """Sync now where the simulator's catalogue was never synced: a fresh deployment need not wait an hour for its first plans.

    A real supplier is only ever asked by the periodic task.
    """
    if supplier_name("esim", environment) != SIMULATOR or plans_on_sale(environment).exists():
        return False
    with translated():
        sync_environment(environment)
    return True
