"""GET /v1/esim/plans: pages of the catalogue by number, as in 1.0, or by cursor, as other lists have them (contract §1)."""

from collections.abc import Mapping
from dataclasses import replace

from apps.bookings.refusals import translated
from apps.common.errors import InvalidRequest
from apps.esim import presenters
from apps.esim.models import Plan
from apps.esim.plan_order import SORTS, order_for, place_of
from apps.esim.selectors import filtered_plans, plans_on_sale, plans_withheld
from apps.esim.services.sync import sync_environment
from apps.gateway.operations import QueryParameter
from apps.gateway.pagination import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    PAGE_PARAMETERS,
    binding_of,
    not_issued_here,
    read_cursor,
    read_filters,
    read_limit,
    read_number,
    write_cursor,
)
from apps.gateway.requests import PartnerRequest
from apps.suppliers.registry import SIMULATOR, supplier_name


def list_plans(
    environment: str, currency: str, filters: Mapping[str, str], page: int, page_size: int
) -> tuple[list[Plan], int]:
    """The plans of a page (the first is 1), and how many there are on all pages. Raises UpstreamUnavailable for a sandbox that
    cannot be filled.
    """
    plans = filtered_plans(environment, currency, filters)
    total = plans.count()
    if total == 0 and fill_empty_sandbox(environment):
        plans = filtered_plans(environment, currency, filters)
        total = plans.count()
    first = (page - 1) * page_size
    if first >= total:
        return [], total
    ordered = order_for(filters, environment, currency).of(plans)
    return list(ordered[first : first + page_size]), total


def fill_empty_sandbox(environment: str) -> bool:
    """Sync now if the simulator's catalogue was never synced, so that a new deployment need not wait an hour for its first plans.

    Only the periodic task ever asks a real supplier.
    """
    if supplier_name("esim", environment) != SIMULATOR or plans_on_sale(environment).exists():
        return False
    with translated():
        sync_environment(environment)
    return True


MAX_PAGE = 1_000_000
MOST = 999_999_999
"""Of a filter that is a number."""
BOUNDS = ("minDataMb", "minDays", "maxPriceCents")
BY_NUMBER, BY_CURSOR = ("page", "pageSize"), ("limit", "cursor")
_limit, _cursor = PAGE_PARAMETERS
PARAMETERS = (
    QueryParameter(
        "page",
        {"type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 1},
        "Which page to read; the first is 1. A page after the last is empty.",
    ),
    QueryParameter(
        "pageSize",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
        "How many plans a page has.",
    ),
    # Without a default: clients that send every default would send both kinds.
    replace(
        _limit,
        schema={"type": "integer", "minimum": 1, "maximum": MAX_LIMIT},
        description=f"How many plans the page may have; {DEFAULT_LIMIT} where left out. Not together with `page` and `pageSize`.",
        since="1.2",
    ),
    QueryParameter(
        "minDataMb",
        {"type": "integer", "minimum": 1, "maximum": MOST},
        "Only plans with at least so much data, in megabytes. A plan without a limit has more than any other.",
        since="1.3",
    ),
    QueryParameter(
        "minDays",
        {"type": "integer", "minimum": 1, "maximum": MOST},
        "Only plans that can be used for at least so many days.",
        since="1.3",
    ),
    QueryParameter(
        "maxPriceCents",
        {"type": "integer", "minimum": 1, "maximum": MOST},
        "Only plans that cost you no more than this, in minor units of your account's currency.",
        since="1.3",
    ),
    QueryParameter(
        "sort",
        {"type": "string", "enum": list(SORTS)},
        "`price`: the cheapest first. `data`: the most data first, plans without a limit before all others. `days`: the "
        "longest first. Ties are broken by price, the cheapest first. Left out: single-country plans, then regional ones, "
        "each by name.",
        since="1.3",
    ),
    replace(
        _cursor, description=f"{_cursor.description} Not together with `page` and `pageSize`.", since="1.2"
    ),
)


def plan_page(request: PartnerRequest, filters: Mapping[str, str]) -> dict[str, object]:
    """The page that the query asks for. Whatever it asks by, the answer has the members of both kinds.

    Raises InvalidRequest for parameters of both kinds, and for a number or a cursor that is wrong.
    """
    refuse_both_kinds(request)
    partner = request.partner
    environment, currency = partner.environment, partner.currency
    binding = binding_of(request, "esimPlans", filters)
    cursor = request.query_params.get("cursor")
    if cursor is None:
        number, size = numbered(request)
        plans, total = list_plans(environment, currency, filters, number, size)
        more = bool(plans) and number * size < total
    else:
        size = read_limit(request)
        order = order_for(filters, environment, currency)
        found = order.of(filtered_plans(environment, currency, filters))
        try:
            behind = found.filter(order.behind(read_cursor(cursor, binding)))
        except ValueError:
            raise not_issued_here() from None
        total = found.count()
        before = max(total - behind.count(), 0)  # a sync may add plans between the two
        plans = list(behind[: size + 1])
        number, more, plans = before // size + 1, len(plans) > size, plans[:size]
    return {
        "data": [presenters.plan_json(plan, partner) for plan in plans],
        "page": number,
        "pageSize": size,
        "total": total,
        "hasMore": more,
        "nextCursor": write_cursor(place_of(plans[-1], filters), binding) if more else None,
        "withheld": presenters.withheld_json(**plans_withheld(environment, currency)),
    }


def read_bounds(request: PartnerRequest) -> dict[str, str]:
    """The filters that are numbers, each written in one way, and the order. Raises InvalidRequest."""
    sent = [name for name in BOUNDS if name in request.query_params]
    bounds = {name: str(read_number(request, name, default=1, maximum=MOST)) for name in sent}
    return {**bounds, **read_filters(request, {"sort": SORTS})}


def refuse_both_kinds(request: PartnerRequest) -> None:
    sent = request.query_params
    numbers, cursors = ([name for name in names if name in sent] for names in (BY_NUMBER, BY_CURSOR))
    if numbers and cursors:
        details = [
            {"field": name, "message": f"must not be sent with {' or '.join(others)}"}
            for names, others in ((numbers, BY_CURSOR), (cursors, BY_NUMBER))
            for name in names
        ]
        raise InvalidRequest(details=details)


def numbered(request: PartnerRequest) -> tuple[int, int]:
    """Number and size of the page; a `limit` without a cursor is the size of the first one."""
    if "limit" in request.query_params:
        return 1, read_limit(request)
    number = read_number(request, "page", default=1, maximum=MAX_PAGE)
    return number, read_number(request, "pageSize", default=DEFAULT_LIMIT, maximum=MAX_LIMIT)
