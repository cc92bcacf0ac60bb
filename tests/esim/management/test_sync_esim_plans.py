from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.esim.models import Plan
from apps.esim.suppliers.registry import VENDORS
from apps.esim.suppliers.simulator.catalogue import plans
from apps.suppliers.errors import Unavailable
from apps.suppliers.results import Found
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Shop
from tests.support.interrupting import interrupt

pytestmark = pytest.mark.django_db


class Away(Shop):
    def plans(self) -> Found:
        raise Unavailable("no answer")


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Shop:
    shop = Shop(plans()["sim-pt-1gb-7d"], plans()["sim-es-1gb-7d"])
    monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", lambda: shop))
    return shop


def run() -> list[str]:
    out = StringIO()
    call_command("sync_esim_plans", stdout=out)
    return out.getvalue().splitlines()


def test_it_says_what_each_environment_gained_and_lost(shop: Shop) -> None:
    first = "2 added, 0 changed, 0 withdrawn, 0 unchanged"
    assert run() == [f"test: {first}", f"live: {first}"]
    del shop.sold[0]
    second = "0 added, 0 changed, 1 withdrawn, 1 unchanged"
    assert run() == [f"test: {second}", f"live: {second}"]


def test_a_silent_supplier_is_an_error_that_leaves_the_catalogue_alone(shop, monkeypatch):
    run()
    monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", lambda: Away()))
    with pytest.raises(CommandError, match="The supplier did not answer: test, live"):
        run()
    assert Plan.objects.filter(withdrawn_at=None).count() == 4


def test_interrupted_between_two_environments_it_syncs_the_other_next(shop: Shop) -> None:
    interrupt("sync_esim_plans")
    assert set(Plan.objects.values_list("environment", flat=True)) == {"test"}
    assert run() == [
        "test: 0 added, 0 changed, 0 withdrawn, 2 unchanged",
        "live: 2 added, 0 changed, 0 withdrawn, 0 unchanged",
    ]
