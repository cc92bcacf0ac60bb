"""What Airalo is sent, and what is made of orders beyond the shared promise."""

import json

import pytest

from apps.esim.suppliers.airalo.adapter import AiraloEsim
from apps.esim.suppliers.airalo.vendor import VENDOR
from apps.esim.suppliers.base import OrderRequest
from apps.suppliers.errors import Missing, PriceChanged, Unavailable
from apps.suppliers.models import SupplierAlert
from tests.esim.suppliers.airalo.connected import adapter_for, client_for
from tests.esim.suppliers.airalo.stub import ORDER, AiraloStub
from tests.support.supplier_stub import refusal

pytestmark = pytest.mark.django_db

WANTED = OrderRequest("E-7KQ2M9XD", "stubtel-7days-1gb", 320)
TOKEN = "POST", "/token"


def the_alert() -> tuple[str, str]:
    alert = SupplierAlert.objects.get()
    return alert.kind, alert.detail


def test_an_order_says_what_and_for_whom(airalo: AiraloEsim, stub: AiraloStub) -> None:
    airalo.order(WANTED)
    (heard,) = stub.heard_by(*ORDER)
    assert json.loads(heard.body) == {
        "package_id": "stubtel-7days-1gb",
        "quantity": 1,
        "type": "sim",
        "description": "E-7KQ2M9XD",
    }


def test_one_token_serves_many_calls(airalo: AiraloEsim, stub: AiraloStub) -> None:
    airalo.prove()
    airalo.order(WANTED)
    airalo.find_order("E-7KQ2M9XD")
    assert len(stub.heard_by(*TOKEN)) == 1


def test_a_token_they_no_longer_take_is_renewed_once(airalo: AiraloEsim, stub: AiraloStub) -> None:
    airalo.prove()
    stub.books.tokens.clear()
    airalo.order(WANTED)
    assert len(stub.heard_by(*TOKEN)) == 2
    assert stub.store() == {"E-7KQ2M9XD": 1}


def test_credentials_they_do_not_know_are_told_to_staff(stub: AiraloStub) -> None:
    adapter = adapter_for(stub)
    adapter.client.client_id = "somebody-else"
    with pytest.raises(Unavailable):
        adapter.prove()
    assert the_alert() == ("credentials_refused", "Airalo answered status 401")


@pytest.mark.parametrize("status", [429, 500])
def test_without_a_token_certainly_nothing_is_ordered(
    airalo: AiraloEsim, stub: AiraloStub, status: int
) -> None:
    stub.trouble(*TOKEN, refusal(status, {}, Retry_After="60"))
    airalo.last_price = lambda plan: None
    with pytest.raises(Unavailable):
        airalo.order(WANTED)
    assert stub.heard_by(*ORDER) == []


def test_a_token_is_fetched_three_times_a_minute_at_most(airalo: AiraloEsim, stub: AiraloStub) -> None:
    for _ in range(3):
        airalo.prove()
        stub.books.tokens.clear()
    with pytest.raises(Unavailable):
        airalo.prove()
    assert len(stub.heard_by(*TOKEN)) == 3


def test_a_plan_that_costs_more_than_when_it_was_sold_is_not_ordered(
    airalo: AiraloEsim, stub: AiraloStub
) -> None:
    airalo.last_price = {"stubtel-7days-1gb": 321}.get
    with pytest.raises(PriceChanged) as raised:
        airalo.order(WANTED)
    assert raised.value.current_cents == 321
    assert stub.heard_by(*ORDER) == []


def test_what_they_charge_above_that_is_told_to_staff_and_the_order_stands(
    airalo: AiraloEsim, stub: AiraloStub
) -> None:
    airalo.last_price = {"stubtel-7days-1gb": 320}.get
    stub.percent = 110
    assert airalo.order(WANTED).price_cents == 352
    assert the_alert() == ("price_above_quote", "stubtel-7days-1gb: 352 USD charged, not 320 USD")


def test_what_they_charge_in_another_currency_is_told_to_staff(stub: AiraloStub) -> None:
    euros = AiraloEsim(client_for(stub), currency="EUR", last_price=lambda plan: None)
    euros.order(WANTED)
    assert the_alert() == ("price_above_quote", "stubtel-7days-1gb: 320 USD charged, not 320 EUR")


def test_a_cheaper_order_and_one_at_a_discount_are_nothing_to_tell(stub: AiraloStub) -> None:
    adapter = adapter_for(stub)
    stub.percent = 90
    adapter.order(WANTED)
    stub.percent, stub.discounted = 100, True
    assert adapter.order(WANTED).price_cents == 320
    assert SupplierAlert.objects.count() == 0


def test_only_the_very_reference_is_ours(airalo: AiraloEsim) -> None:
    for reference in ("E-7KQ2M9XD-2", "XE-7KQ2M9XD"):
        airalo.order(OrderRequest(reference, "stubtel-7days-1gb", 320))
    assert airalo.find_order("E-7KQ2M9XD") is None
    order = airalo.order(WANTED)
    assert airalo.find_order("E-7KQ2M9XD") == order


def test_an_order_that_failed_is_none(airalo: AiraloEsim, stub: AiraloStub) -> None:
    airalo.order(WANTED)
    stub.books.orders[0]["status"] = {"name": "Failed", "slug": "failed"}
    assert airalo.find_order("E-7KQ2M9XD") is None


def test_a_reference_ordered_twice_is_told_to_staff_and_is_the_first_one(airalo: AiraloEsim) -> None:
    """They have no idempotency: it must never happen, and if it does, somebody has to ask for a refund."""
    first, second = airalo.order(WANTED), airalo.order(WANTED)
    assert first != second
    assert airalo.find_order("E-7KQ2M9XD") == first
    kind, detail = the_alert()
    assert kind == "duplicate_reference"
    assert detail == f"E-7KQ2M9XD was ordered as {first.supplier_reference}, {second.supplier_reference}"


def test_a_refunded_order_reads_as_cancelled(airalo: AiraloEsim, stub: AiraloStub) -> None:
    order = airalo.order(WANTED)
    stub.refund("E-7KQ2M9XD")
    assert airalo.read_order(order.supplier_reference).cancelled is True


@pytest.mark.parametrize("reference", ["../token", "70001/../../token", "?x=1", "%2e%2e"])
def test_a_reference_never_leads_elsewhere(airalo: AiraloEsim, stub: AiraloStub, reference: str) -> None:
    for ask in (airalo.read_order, lambda iccid: airalo.usage("1", iccid)):
        with pytest.raises(Missing):
            ask(reference)
    assert {heard.path.split("/")[1] for heard in stub.heard} <= {"token", "orders", "sims"}


def test_look_ups_come_at_the_documented_times() -> None:
    lookups = VENDOR.lookups
    assert lookups is not None
    assert (lookups.at, lookups.give_up_after) == ((5, 30, 120, 600, 1_800), 3_600)
