"""What Airalo is sent, what its refusals mean, and what is made of orders beyond the shared promise."""

import pytest

from apps.esim.suppliers.airalo.adapter import AiraloEsim
from apps.esim.suppliers.base import OrderRequest
from apps.suppliers.errors import (
    Expired,
    Missing,
    OutcomeUnknown,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.models import SupplierAlert
from tests.esim.suppliers.airalo.stub import CLIENT_SECRET, ORDER, AiraloStub
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db

WANTED = OrderRequest("E-7KQ2M9XD", "stubtel-7days-1gb", 320)
TOKEN = "POST", "/token"

# code: what an order ends in, what a read ends in, and which alert staff get.


def alerts() -> list[str]:
    return list(SupplierAlert.objects.values_list("kind", flat=True))


def ends_in(ended: type[SupplierError], airalo: AiraloEsim) -> None:
    """The order ends so, and was sent once."""
    with pytest.raises(SupplierError) as raised:
        airalo.order(WANTED)
    assert type(raised.value) is ended


@pytest.mark.parametrize(
    ("body", "ended"),
    [
        ({"code": "34"}, Expired),
        ({"code": 34, "data": []}, Expired),
        ({"code": 9999}, Rejected),
        ({"code": None}, Rejected),
        ({"code": "٣٤"}, Rejected),
        ([], Rejected),
        ("34", Rejected),
        (b"<html>", Rejected),
    ],
)
def test_a_code_is_read_wherever_it_stands_and_nowhere_else(airalo, stub, body, ended):
    stub.trouble(*ORDER, refusal(422, body))
    ends_in(ended, airalo)


def test_an_order_that_is_not_ours_is_missing_and_no_fault_of_the_credentials(airalo, stub):
    """They refuse it with the status of a wrong token, however fresh ours is."""
    with pytest.raises(Missing):
        airalo.read_order("4711")
    assert [heard.headers["authorization"] for heard in stub.heard_by("GET", "/orders/{number}")] == [
        f"Bearer {token}" for token in sorted(stub.books.tokens)
    ]
    assert alerts() == []


def test_orders_that_are_not_ours_use_up_no_token_calls(airalo: AiraloEsim, stub: AiraloStub) -> None:
    """They allow three a minute. The profiles of a former account of ours are read all the time, and must stop no sale."""
    airalo.prove()
    for number in range(4711, 4716):
        with pytest.raises(Missing):
            airalo.read_order(str(number))
    assert airalo.order(WANTED).profile is not None
    # The first, and one because it might have been the token's fault.
    assert len(stub.heard_by("POST", "/token")) == 2


def test_what_went_wrong_is_told_without_what_was_said(airalo, stub, caplog):
    """Their reason, and an unreadable answer, may quote anything."""
    told = f"{CLIENT_SECRET} LPA:1$smdp.stub.example$STUB-MATCH"
    stub.trouble(*ORDER, refusal(422, {"code": 43, "reason": told}))
    ends_in(Rejected, airalo)
    stub.trouble(*ORDER, Trouble(status=200, body={"data": {"id": told}}))
    ends_in(OutcomeUnknown, airalo)
    assert SupplierAlert.objects.get().detail == "Airalo returned status 422, code 43"
    assert "LPA:1" not in caplog.text
    assert CLIENT_SECRET not in caplog.text


def test_a_token_they_no_longer_take_is_renewed_once(airalo: AiraloEsim, stub: AiraloStub) -> None:
    airalo.prove()
    stub.books.tokens.clear()
    airalo.order(WANTED)
    assert len(stub.heard_by(*TOKEN)) == 2
    assert stub.store() == {"E-7KQ2M9XD": 1}


@pytest.mark.parametrize("status", [429, 500])
def test_without_a_token_certainly_nothing_is_ordered(airalo, stub, status):
    stub.trouble(*TOKEN, refusal(status, {}, Retry_After="60"))
    airalo.last_price = lambda plan: None
    with pytest.raises(Unavailable):
        airalo.order(WANTED)
    assert stub.heard_by(*ORDER) == []


def test_only_the_very_reference_is_ours(airalo: AiraloEsim) -> None:
    for reference in ("E-7KQ2M9XD-2", "XE-7KQ2M9XD"):
        airalo.order(OrderRequest(reference, "stubtel-7days-1gb", 320))
    assert airalo.find_order("E-7KQ2M9XD") is None
    order = airalo.order(WANTED)
    assert airalo.find_order("E-7KQ2M9XD") == order


@pytest.mark.parametrize("reference", ["../token", "70001/../../token", "?x=1", "%2e%2e"])
def test_a_reference_never_leads_elsewhere(airalo: AiraloEsim, stub: AiraloStub, reference: str) -> None:
    for ask in (airalo.read_order, lambda iccid: airalo.usage("1", iccid)):
        with pytest.raises(Missing):
            ask(reference)
    assert {heard.path.split("/")[1] for heard in stub.heard} <= {"token", "orders", "sims"}
