"""The catalogue kept like the supplier's."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common import clock
from apps.common.environments import Environment
from apps.esim.models import Plan
from apps.esim.selectors import plans_on_sale, plans_sold_in, plans_withheld
from apps.esim.services.sync import Synced, plan_id, sync_environment, sync_plans
from apps.esim.suppliers.base import Coverage, SupplierPlan
from apps.esim.suppliers.registry import VENDORS
from apps.keys.scopes import OFF
from apps.suppliers.models import ExchangeRate, SupplierAlert
from apps.suppliers.results import Withheld
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Shop, a_partner

pytestmark = pytest.mark.django_db

PORTUGAL = SupplierPlan(
    supplier_plan_id="pt-1",
    name="Portugal 1 GB",
    plan_type="data",
    countries=("PT",),
    region=None,
    data_mb=1024,
    validity_days=7,
    voice_minutes=0,
    sms_count=0,
    price_cents=500,
    currency="USD",
    coverage=(Coverage("PT", ("Portugal Mobile",)),),
)
IBERIA = replace(
    PORTUGAL,
    supplier_plan_id="iberia-1",
    name="Iberia, all one can talk",
    plan_type="voice_sms",
    countries=("ES", "PT"),
    region="europe",
    voice_minutes=60,
    coverage=(Coverage("ES", ("Movi Spain",)), Coverage("PT", ("Portugal Mobile",))),
)


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Shop:
    shop = Shop(PORTUGAL, IBERIA)
    monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", lambda: shop))
    return shop


def on_sale() -> dict[str, int]:
    return {plan.supplier_plan_id: plan.price_cents for plan in plans_on_sale("test")}


def test_the_first_sync_writes_what_the_supplier_sells(shop: Shop) -> None:
    assert sync_environment("test") == Synced(added=2)
    plan = Plan.objects.get(supplier_plan_id="iberia-1")
    assert (plan.environment, plan.supplier_name, plan.name, plan.plan_type, plan.countries, plan.region) == (
        "test",
        "simulator",
        "Iberia, all one can talk",
        "voice_sms",
        ["ES", "PT"],
        "europe",
    )
    assert (plan.data_mb, plan.validity_days, plan.voice_minutes, plan.sms_count) == (1024, 7, 60, 0)
    assert (plan.price_cents, plan.currency, plan.withdrawn_at) == (500, "USD", None)
    assert plan.coverage == [
        {"country": "ES", "networks": ["Movi Spain"]},
        {"country": "PT", "networks": ["Portugal Mobile"]},
    ]


def test_a_second_sync_changes_nothing_and_writes_nothing(shop: Shop) -> None:
    sync_environment("test")
    before = list(Plan.objects.order_by("id").values())
    with CaptureQueriesContext(connection) as queries:
        assert sync_environment("test") == Synced(unchanged=2)
    assert list(Plan.objects.order_by("id").values()) == before
    assert not any(query["sql"].startswith("INSERT") for query in queries)


def test_a_price_change_reaches_the_same_plan(shop: Shop) -> None:
    sync_environment("test")
    ids = {plan.supplier_plan_id: plan.id for plan in Plan.objects.all()}
    shop.raise_prices(120)
    assert sync_environment("test") == Synced(changed=2)
    assert on_sale() == {"pt-1": 600, "iberia-1": 600}
    assert {plan.supplier_plan_id: plan.id for plan in Plan.objects.all()} == ids


def test_a_plan_that_is_no_longer_sold_is_withdrawn_and_comes_back_as_itself(shop: Shop) -> None:
    sync_environment("test")
    plan = Plan.objects.get(supplier_plan_id="pt-1")
    shop.sold = [IBERIA]
    assert sync_environment("test") == Synced(withdrawn=1, unchanged=1)
    assert on_sale() == {"iberia-1": 500}
    assert Plan.objects.get(pk=plan.pk).withdrawn_at is not None
    assert sync_environment("test") == Synced(unchanged=1)
    shop.sold = [IBERIA, PORTUGAL]
    assert sync_environment("test") == Synced(changed=1, unchanged=1)
    assert Plan.objects.get(pk=plan.pk).withdrawn_at is None
    assert on_sale() == {"iberia-1": 500, "pt-1": 500}


def test_a_supplier_that_sells_nothing_at_all_is_not_believed(shop: Shop) -> None:
    sync_environment("test")
    shop.sold = []
    assert sync_environment("test") == Synced()
    assert on_sale() == {"pt-1": 500, "iberia-1": 500}


def test_each_environment_has_plans_of_its_own(shop: Shop) -> None:
    assert sync_plans() == {"test": Synced(added=2), "live": Synced(added=2)}
    ids = {
        environment: {plan.id for plan in plans_on_sale(environment)} for environment in Environment.values
    }
    assert ids["test"].isdisjoint(ids["live"])
    assert {plan.environment for plan in plans_on_sale("live")} == {"live"}


def test_an_id_stays_the_same_from_release_to_release() -> None:
    """Partners keep them."""
    assert plan_id("test", "simulator", "sim-pt-1gb-7d") == "plan_10hn6x56c663b7w0as04awbh77"


def test_a_sync_tells_staff_of_a_rate_that_is_too_old_for_a_partners_currency(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
) -> None:
    """Who lists plans is not shown those without a rate: nobody else would ask for it."""
    settings.SUPPLIERS = {**settings.SUPPLIERS, "esim": {"live": "vendor"}}
    monkeypatch.setitem(VENDORS, "vendor", Vendor("vendor", lambda: Shop(PORTUGAL)))
    for quote in ("EUR", "GBP"):
        ExchangeRate.objects.create(base="USD", quote=quote, rate="0.9", as_of=clock.today())
    a_partner(currency="EUR")
    move_clock(days=8)
    sync_environment("live")
    assert plans_sold_in("live", "EUR").count() == 0
    assert plans_withheld("live", "EUR") == {"identity_check": 0, "unreadable": plans_on_sale("live").count()}
    alerted = SupplierAlert.objects.get()
    assert (alerted.kind, alerted.detail.partition(" is as of ")[0]) == ("exchange_rate_old", "USD to EUR")


def test_an_environment_to_which_no_esims_are_sold_is_not_synced(shop: Shop, settings: LazySettings) -> None:
    settings.SIMULATE_LIVE_KEYS = False
    assert sync_plans() == {"test": Synced(added=2)}
    settings.SUPPLIERS = {"esim": {"live": OFF}}
    assert sync_plans() == {}


def test_what_the_catalogue_lacks_is_counted_until_another_sync_says_otherwise(shop, settings):
    nothing = {"identity_check": 0, "unreadable": 0}
    assert plans_withheld("test", "EUR") == nothing
    shop.withheld = Withheld(documents_required=2, unreadable=1)
    sync_plans()
    assert plans_withheld("test", "EUR") == {"identity_check": 2, "unreadable": 1}
    shop.withheld = Withheld()
    sync_environment("test")
    assert plans_withheld("test", "EUR") == nothing
