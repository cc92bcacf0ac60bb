"""The catalogue is read by page number, as in 1.0, or by cursor, as other lists are; an empty sandbox fills itself."""

from typing import Any
from urllib.parse import quote

import pytest
from django.db.models import F

from apps.accounts.models import Account
from apps.common.environments import Environment
from apps.esim.models import Plan
from apps.esim.plan_pages import BY_CURSOR, BY_NUMBER, list_plans
from apps.esim.suppliers.simulator import catalogue
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import approved_account
from tests.support.api import Api

PLANS = "/v1/esim/plans"
ALL = 36


def walk(api: Api, limit: int, filters: str = "") -> list[dict[str, Any]]:
    """Every page, by cursors."""
    pages, query = [], f"?limit={limit}{filters}"
    while True:
        body = api.get(PLANS + query).body
        pages.append(body)
        assert body["hasMore"] is (body["nextCursor"] is not None)
        if not body["hasMore"]:
            return pages
        query = f"?limit={limit}{filters}&cursor={quote(body['nextCursor'])}"


def ids(*pages: dict[str, Any]) -> list[str]:
    return [plan["id"] for page in pages for plan in page["data"]]


def told(reply: Any) -> list[tuple[str, str]]:
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    return [(detail["field"], detail["message"]) for detail in reply.error["details"]]


@pytest.fixture
def whole(api: Api, catalogue) -> list[str]:
    """All ids in the order of the catalogue."""
    found = ids(api.get(f"{PLANS}?pageSize=100").body)
    assert len(found) == ALL
    return found


@pytest.mark.parametrize(
    ("limit", "sizes"), [(36, [36]), (35, [35, 1]), (10, [10, 10, 10, 6]), (1, [1] * ALL)]
)
def test_cursors_lead_through_the_whole_catalogue_in_its_order(api, whole, limit, sizes):
    pages = walk(api, limit)
    assert ids(*pages) == whole
    assert [len(page["data"]) for page in pages] == sizes
    assert [(page["page"], page["pageSize"], page["total"]) for page in pages] == [
        (number, limit, ALL) for number in range(1, len(sizes) + 1)
    ]


def test_who_asks_for_nothing_may_go_on_either_way(api: Api, whole: list[str]) -> None:
    first = api.get(PLANS).body
    by_number = api.get(f"{PLANS}?page=2").body
    by_cursor = api.get(f"{PLANS}?cursor={quote(first['nextCursor'])}").body
    assert (first["page"], first["pageSize"], first["total"], first["hasMore"]) == (1, 20, ALL, True)
    assert by_number == by_cursor == {
        "data": by_number["data"], "page": 2, "pageSize": 20, "total": ALL, "hasMore": False, "nextCursor": None,
        "withheld": {"identityCheck": 0, "unreadable": 0},
    }  # fmt: skip
    assert ids(first, by_number) == whole


def test_a_sync_between_two_pages_shifts_nothing(api: Api, whole: list[str]) -> None:
    """Plans before the cursor come and go, the cursor's own too; the rest is read once each."""
    first = api.get(f"{PLANS}?limit=10").body
    Plan.objects.filter(pk__in=[whole[2], whole[9], whole[20]]).delete()
    late = Plan.objects.get(pk=whole[0])
    late.pk, late.supplier_plan_id, late.name = "plan_" + "0" * 26, "sim-late", " before all others"
    late.save(force_insert=True)
    rest = api.get(f"{PLANS}?limit=100&cursor={quote(first['nextCursor'])}").body
    assert ids(rest) == [plan for plan in whole[10:] if plan != whole[20]]
    assert rest["total"] == ALL - 3 + 1


@pytest.mark.parametrize("number", ["page=1", "pageSize=5", "page=2&pageSize=5", "page=x"])
@pytest.mark.parametrize("cursor", ["limit=5", "cursor=x", "limit=5&cursor=x", "cursor="])
def test_both_kinds_together_are_refused_by_name(api: Api, number: str, cursor: str) -> None:
    expected = [
        (name, f"must not be sent with {' or '.join(others)}")
        for query, names, others in ((number, BY_NUMBER, BY_CURSOR), (cursor, BY_CURSOR, BY_NUMBER))
        for name in names
        if f"{name}=" in query
    ]
    assert len(expected) >= 2
    assert told(api.get(f"{PLANS}?{cursor}&{number}")) == expected


def cursor_of(api: Api, query: str = "") -> str:
    return quote(api.get(f"{PLANS}?limit=1{query}").body["nextCursor"])


def test_a_cursor_is_good_for_its_account_environment_listing_and_filters_alone(api: Api, whole) -> None:
    refused = [("cursor", "was not issued for this listing and these filters")]
    cursor, of_country = cursor_of(api), cursor_of(api, "&country=PT")
    other = api_of_new_partner()
    live = api_of_new_partner(account=approved_account(), environment=Environment.LIVE)
    assert Account.objects.count() == 3
    assert api.get(f"{PLANS}?cursor={cursor}").status == 200
    assert api.get(f"{PLANS}?country=PT&cursor={of_country}").status == 200
    for asked in (
        api.get(f"{PLANS}?country=PT&cursor={cursor}"),
        api.get(f"{PLANS}?cursor={of_country}"),
        api.get(f"{PLANS}?country=ES&cursor={of_country}"),
        api.get(f"{PLANS}?country=PT&region=europe&cursor={of_country}"),
        other.get(f"{PLANS}?cursor={cursor}"),
        live.get(f"{PLANS}?cursor={cursor}"),
        api.get(f"/v1/esim/orders?cursor={cursor}"),
        api.get(f"{PLANS}?cursor={cursor[:-1]}"),
        api.get(f"{PLANS}?cursor=x"),
        api.get(f"{PLANS}?cursor="),
    ):
        assert told(asked) == refused


def listed(api: Api, filters: str) -> list[dict[str, Any]]:
    return api.get(f"{PLANS}?pageSize=100&{filters}").body["data"]


def amount(plan: dict[str, Any]) -> float:
    return float("inf") if plan["dataMb"] is None else plan["dataMb"]


@pytest.mark.parametrize(
    ("filters", "passes"),
    [
        ("minDataMb=5120", lambda plan: amount(plan) >= 5120),
        ("minDataMb=999999999", lambda plan: plan["dataMb"] is None),
        ("minDays=30", lambda plan: plan["validityDays"] >= 30),
        ("maxPriceCents=1000", lambda plan: plan["priceCents"] <= 1000),
        ("maxPriceCents=1", lambda plan: False),
        (
            "minDataMb=2000&minDays=10&maxPriceCents=3000&country=PT&planType=data",
            lambda plan: (
                plan["planType"] == "data"
                and "PT" in plan["countries"]
                and amount(plan) >= 2000
                and plan["validityDays"] >= 10
                and plan["priceCents"] <= 3000
            ),
        ),
    ],
)
def test_plans_are_filtered_by_what_they_hold_and_cost(api: Api, whole, filters: str, passes) -> None:
    everything = listed(api, "")
    assert listed(api, filters) == [plan for plan in everything if passes(plan)]


@pytest.mark.parametrize("cents", [403, 404, 405])
def test_the_highest_price_is_one_of_the_accounts_currency(api: Api, whole, cents: int) -> None:
    """The cheapest Portuguese plan is sold for 404 cents, whatever it is stored as."""
    cheapest = min(plan["priceCents"] for plan in listed(api, "country=PT"))
    found = listed(api, f"country=PT&maxPriceCents={cheapest - 404 + cents}")
    assert [plan["priceCents"] for plan in found] == [cheapest] * (cents >= 404)


KEYS = {
    "price": lambda plan: (plan["priceCents"],),
    "data": lambda plan: (-amount(plan), plan["priceCents"]),
    "days": lambda plan: (-plan["validityDays"], plan["priceCents"]),
}


@pytest.mark.parametrize("sort", KEYS)
@pytest.mark.parametrize("limit", [1, 7, 100])
def test_cursors_lead_through_every_order(api: Api, whole, sort: str, limit: int) -> None:
    pages = walk(api, limit, f"&sort={sort}")
    found = [plan for page in pages for plan in page["data"]]
    assert sorted(plan["id"] for plan in found) == sorted(whole)
    assert [KEYS[sort](plan) for plan in found] == sorted(KEYS[sort](plan) for plan in found)
    assert ids(api.get(f"{PLANS}?pageSize=100&sort={sort}").body) == [plan["id"] for plan in found]


def test_prices_of_two_currencies_are_compared_in_the_accounts(api: Api, whole) -> None:
    Plan.objects.filter(pk__in=whole[::2]).update(currency="JPY", price_cents=F("price_cents") * 2)
    pages = walk(api, 5, "&sort=price&maxPriceCents=4000")
    prices = [plan["priceCents"] for page in pages for plan in page["data"]]
    assert len(prices) > 20
    assert prices == sorted(prices)


def test_a_sync_between_two_sorted_pages_shifts_nothing(api: Api, whole) -> None:
    order = ids(*walk(api, 100, "&sort=price"))
    first = api.get(f"{PLANS}?limit=10&sort=price").body
    Plan.objects.filter(pk__in=[order[2], order[9], order[20]]).delete()
    rest = api.get(f"{PLANS}?limit=100&sort=price&cursor={quote(first['nextCursor'])}").body
    assert ids(rest) == [plan for plan in order[10:] if plan != order[20]]


@pytest.mark.parametrize(("issued", "sent"), [("&sort=price", ""), ("", "&sort=price"), ("&sort=price", "&sort=data"),
                                              ("&minDays=2", "&minDays=3")])  # fmt: skip
def test_a_cursor_of_another_order_or_bound_is_refused(api: Api, whole, issued: str, sent: str) -> None:
    reply = api.get(f"{PLANS}?limit=1{sent}&cursor={cursor_of(api, issued)}")
    assert told(reply) == [("cursor", "was not issued for this listing and these filters")]


@pytest.mark.parametrize("name", ["minDataMb", "minDays", "maxPriceCents"])
@pytest.mark.parametrize("value", ["0", "-1", "1.5", "x", "", "1000000000", "%D9%A1"])
def test_a_bound_is_a_whole_number(api: Api, name: str, value: str) -> None:
    assert told(api.get(f"{PLANS}?{name}={value}")) == [(name, "must be a whole number from 1 to 999999999")]


def test_an_unknown_order_is_refused(api: Api) -> None:
    assert told(api.get(f"{PLANS}?sort=name")) == [("sort", "must be one of price, data, days")]


pytestmark = pytest.mark.django_db

ANY: dict[str, str] = {}


def test_a_sandbox_that_was_never_synced_is_filled_by_the_first_reader() -> None:
    plans, total = list_plans("test", "EUR", ANY, 1, 5)
    assert (len(plans), total) == (5, len(catalogue.plans()))


def test_a_real_supplier_is_not_asked_by_a_reader(settings) -> None:
    settings.SUPPLIERS = {"esim": {"live": "vendor"}}
    assert list_plans("live", "EUR", ANY, 1, 20) == ([], 0)
