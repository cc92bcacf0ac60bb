"""Airalo's packages in our words."""

from decimal import Decimal
from typing import Any

import pytest

from apps.esim.suppliers.airalo.adapter import AiraloEsim
from apps.esim.suppliers.airalo.mapping import Terms, count, plans_of, region_of
from apps.esim.suppliers.base import REGIONS as OURS
from apps.esim.suppliers.base import Coverage, SupplierPlan
from apps.suppliers.errors import Unavailable
from apps.suppliers.results import Withheld
from tests.esim.suppliers.airalo import goods
from tests.esim.suppliers.airalo.stub import AiraloStub
from tests.support.supplier_stub import Trouble, refusal


def page(*packages: dict[str, Any], **operator: Any) -> dict[str, Any]:
    """A page with one operator of Portugal."""
    sold_by = goods.operator(*packages, countries=("PT",), **operator)
    return {"data": [goods.country("portugal", "PT", sold_by)]}


def ids(plans: Any) -> list[str]:
    return [plan.supplier_plan_id for plan in plans]


def test_all_pages_of_both_kinds_are_read(airalo: AiraloEsim, stub: AiraloStub) -> None:
    plans = airalo.plans()
    assert sorted(ids(plans)) == sorted(
        [
            *("stubtel-7days-1gb", "stubtel-30days-5gb", "stubtel-unlimited", "stubtel-es-voice"),
            *("europe-30days-3gb", "world-talk"),
            *goods.SANDBOX,
        ]
    )
    asked = [
        (heard.query["filter[type]"], heard.query["page"]) for heard in stub.heard_by("GET", "/packages")
    ]
    assert asked == [("local", "1"), ("local", "2"), ("global", "1"), ("global", "2")]


def test_a_plan_of_one_country(airalo: AiraloEsim) -> None:
    plan = next(plan for plan in airalo.plans() if plan.supplier_plan_id == "stubtel-7days-1gb")
    assert plan == SupplierPlan(
        supplier_plan_id="stubtel-7days-1gb",
        name="Portugal - 1 GB - 7 Days",
        plan_type="data",
        countries=("PT",),
        region=None,
        data_mb=1024,
        validity_days=7,
        voice_minutes=0,
        sms_count=0,
        price_cents=320,
        currency="USD",
        coverage=(Coverage("PT", ("Stubnet PT",)),),
        activation="first_use",
    )


@pytest.mark.parametrize(
    ("slug", "region"),
    [
        ("europe", "europe"),
        ("eu-plus-uk", "europe"),
        ("africa-safari", "africa"),
        ("north-africa", "africa"),
        ("south-east-asia", "asia"),
        ("middle-east-and-north-africa", "middle-east"),
        ("north-america", "north-america"),
        ("latin-america-plus", "latin-america"),
        ("caribbean-islands", "caribbean"),
        ("world", "global"),
        ("the-moon", None),
        ("eurasia", None),
        ("None", None),
        ("", None),
    ],
)
def test_the_region_of_a_slug(slug: str, region: str | None) -> None:
    assert region_of(slug) == region
    assert region is None or region in OURS


def test_top_ups_are_no_plans_and_what_wants_a_passport_is_withheld() -> None:
    packages = goods.package("a", "1"), goods.package("b", "1", type="topup")
    sold = plans_of(page(*packages), "local", "USD")
    assert (ids(sold), sold.withheld) == (["a"], Withheld())
    sold = plans_of(page(*packages, is_kyc_verify=True), "local", "USD")
    assert (ids(sold), sold.withheld) == ([], Withheld(documents_required=1))


def test_what_cannot_be_read_takes_only_itself_out(caplog: pytest.LogCaptureFixture) -> None:
    whole = goods.package("b", "1")
    broken = [
        *(whole | {"day": day} for day in (None, 0, -7)),
        *(whole | {"amount": amount} for amount in ("much", -1, 2**31, None, 0)),
        *(whole | {"id": id} for id in (None, "", [], {"a": 1}, 7, "b" * 256)),
        *(whole | {"title": title} for title in (None, "", 7)),
        "nonsense",
    ]
    sold = plans_of(page(goods.package("a", "1"), *broken, goods.package("d", "1")), "local", "USD")
    assert (ids(sold), sold.withheld) == (["a", "d"], Withheld(unreadable=len(broken)))
    assert len(caplog.records) == len(broken)


@pytest.mark.parametrize(
    "broken",
    [
        {"coverages": [{"name": "PT", "code": "PT", "networks": [{"types": ["4G"]}]}]},
        {"coverages": [7]},
        {"packages": 7},
    ],
)
def test_an_operator_that_cannot_be_read_takes_only_itself_out(caplog, broken):
    readable, other = (goods.operator(goods.package(id, "1"), countries=("PT",)) for id in ("a", "b"))
    sold = plans_of({"data": [goods.country("portugal", "PT", other | broken, readable)]}, "local", "USD")
    assert (ids(sold), sold.withheld) == (["a"], Withheld(unreadable=1))
    assert len(caplog.records) == 1


@pytest.mark.parametrize("told", [Decimal("1e5000"), "1e5000", Decimal("-1e5000"), 2**31])
def test_a_count_beyond_all_sense_is_refused_before_it_is_written_out(told: object) -> None:
    """Its digits would take the process minutes."""
    with pytest.raises(ValueError, match="of anything"):
        count(told)


def test_countries_that_nobody_knows_are_left_out() -> None:
    sold_by = goods.operator(goods.package("a", "1"), countries=("PT", "XX"))
    (plan,) = plans_of({"data": [goods.region("europe", sold_by)]}, "global", "USD")
    assert plan.countries == ("PT",)
    nowhere = goods.operator(goods.package("a", "1"), countries=("XX",))
    for entry in (goods.region("europe", nowhere), goods.region("the-moon", sold_by)):
        sold = plans_of({"data": [entry]}, "global", "USD")
        assert (sold, sold.withheld) == ([], Withheld(unreadable=1))


PACKAGE = {
    "price": Decimal("4.5"),
    "net_price": Decimal("3.245"),
    "prices": {
        "net_price": {"USD": Decimal("3.245"), "EUR": Decimal("2.95"), "JPY": Decimal("480")},
        "recommended_retail_price": {"USD": Decimal("4.5"), "EUR": Decimal("4.15")},
    },
}


@pytest.mark.parametrize(
    ("currency", "pricing", "cents"),
    [
        ("USD", {"model": "net_pricing"}, 325),  # half a cent up
        ("EUR", {"model": "net_pricing", "discount_percentage": 0}, 295),
        ("JPY", {"model": "net_pricing"}, 480),
        ("CHF", {"model": "net_pricing"}, None),
        ("USD", {}, 325),
        ("USD", {"model": "discount_pricing", "discount_percentage": 15}, 383),  # 3.825
        ("EUR", {"model": "discount_pricing", "discount_percentage": "12.5"}, 363),
        ("JPY", {"model": "discount_pricing", "discount_percentage": 10}, None),
    ],
)
def test_what_an_order_will_cost_us(currency: str, pricing: dict[str, Any], cents: int | None) -> None:
    assert Terms.of({"pricing": pricing}, currency).cost_of(PACKAGE) == cents


def test_what_has_no_price_is_not_sold() -> None:
    prices = (None, -1, 10**12, "free")
    worthless = [goods.package("b", "1") | {"net_price": None}] + [
        goods.package("c", "1") | {"net_price": price, "prices": None} for price in prices
    ]
    sold = page(goods.package("a", "0"), *worthless)
    found = plans_of(sold, "local", "USD")
    assert (found, found.withheld) == ([], Withheld(unreadable=1 + len(worthless)))


def test_a_catalogue_that_breaks_half_way_is_no_catalogue(airalo: AiraloEsim, stub: AiraloStub) -> None:
    whole = len(airalo.plans())
    stub.trouble("GET", "/packages", refusal(500))
    with pytest.raises(Unavailable):
        airalo.plans()
    stub.trouble("GET", "/packages", Trouble(status=200, body={"data": None}))
    with pytest.raises(Unavailable):
        airalo.plans()
    assert len(airalo.plans()) == whole


@pytest.mark.parametrize(
    ("policy", "activation"),
    [("first-usage", "first_use"), ("fist-usage", "first_use"), ("installation", "installation"),
     ("instalation", "installation"), ("other", None), (None, None), (["first-usage"], None)],
)  # fmt: skip
def test_when_a_plan_begins_is_read_in_both_spellings(policy: Any, activation: str | None) -> None:
    (plan,) = plans_of(page(goods.package("a", "3"), activation_policy=policy), "local", "USD")
    assert plan.activation == activation


def test_the_suppliers_own_words_are_kept_where_they_are_words() -> None:
    words = {"fair_usage_policy": " 1 Mbps after 3 GB. "}
    terms = {"warning": "No calls.", "other_info": 7, "install_window_days": "365"}
    plans = plans_of(page(goods.package("a", "3", **words), goods.package("b", "3"), **terms), "local", "USD")
    assert [(plan.fair_usage_policy, plan.notes, plan.install_within_days) for plan in plans] == [
        ("1 Mbps after 3 GB.", ("No calls.",), 365),
        (None, ("No calls.",), 365),
    ]
