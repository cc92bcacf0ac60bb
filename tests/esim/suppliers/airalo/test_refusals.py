"""Each refusal that Airalo documents, what our partner then reads, and what staff do: one row each, for an order and a top-up."""

from dataclasses import dataclass

import pytest

from apps.bookings.models import Booking
from apps.esim.models import Plan
from apps.ledger.consistency import check_ledger
from apps.ledger.selectors import balance_of
from apps.suppliers.models import SupplierAlert
from tests.esim.shop import BALANCE_CENTS, an_order, top_up_plans
from tests.esim.suppliers.airalo.documented import (
    MINUTE,
    NO_SUCH_PACKAGE,
    NOT_FOUND,
    NOT_YOURS,
    TOO_MANY,
    refused_fields,
    refused_with,
)
from tests.esim.suppliers.airalo.stub import ORDER, TOP_UP, AiraloStub
from tests.support.api import Api, Reply
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db(transaction=True)

ORDERS, PLANS = "/v1/esim/orders", "/v1/esim/plans"
PRICE = 256


@dataclass(frozen=True)
class Row:
    """`alert` is what staff get; `certain`: nothing was bought, so the funds are free; `withdrawn`: off the catalogue at once."""

    refused: Trouble
    status: int
    error: str
    alert: str = ""
    certain: bool = True
    withdrawn: bool = False


DOCUMENTED = {
    "11 our credit": Row(refused_with(11), 503, "upstream_unavailable", "wallet_empty"),
    "13 maintenance": Row(refused_with(13), 503, "upstream_unavailable"),
    "14 checksum": Row(refused_with(14), 502, "upstream_error", "request_refused"),
    "23 top-ups off": Row(refused_with(23), 409, "conflict"),
    "33 too few left": Row(refused_with(33), 502, "upstream_error"),
    "34 no such package": Row(refused_with(34), 410, "offer_expired", withdrawn=True),
    "43 bad request": Row(refused_with(43), 502, "upstream_error", "request_refused"),
    "53 unexpected": Row(refused_with(53), 503, "upstream_unavailable", certain=False),
    "73 recycled": Row(refused_with(73), 409, "conflict"),
    "89 address": Row(refused_with(89, status=403), 503, "upstream_unavailable", "credentials_refused"),
    "422 package": Row(refused_fields(package_id=NO_SUCH_PACKAGE), 410, "offer_expired", withdrawn=True),
    "422 iccid": Row(refused_fields(iccid="The selected iccid is invalid."), 409, "conflict"),
    "422 quantity": Row(refused_fields(quantity="is wrong"), 502, "upstream_error", "request_refused"),
    "401 token": Row(refusal(401, NOT_YOURS, times=2), 503, "upstream_unavailable", "credentials_refused"),
    "403": Row(refusal(403, {}), 503, "upstream_unavailable", "credentials_refused"),
    "404": Row(refusal(404, NOT_FOUND), 410, "offer_expired"),
    "429": Row(refusal(429, TOO_MANY, **MINUTE), 503, "upstream_unavailable"),
    "500": Row(refusal(500, {}), 503, "upstream_unavailable", certain=False),
    "502": Row(refusal(502, b"<html>"), 503, "upstream_unavailable", certain=False),
    "503": Row(refusal(503, {}), 503, "upstream_unavailable", certain=False),
    "504": Row(refusal(504, {}), 503, "upstream_unavailable", certain=False),
}


def judged(row: Row, reply: Reply, partner, paid_before: int) -> None:
    """What the partner reads, what staff get, and the money."""
    assert (reply.status, reply.error_type) == (row.status, row.error)
    assert b"iral" not in reply.content
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == [row.alert] * bool(row.alert)
    balance = balance_of(partner.account.id, "live")
    available = BALANCE_CENTS - paid_before
    assert balance.held_cents + balance.available_cents == available
    assert (balance.available_cents == available) is row.certain
    assert Booking.objects.latest("created_at").status == ("failed" if row.certain else "pending")
    assert check_ledger() == []


@pytest.mark.parametrize("name", DOCUMENTED)
def test_an_order(api: Api, partner, plan: Plan, stub: AiraloStub, name: str) -> None:
    row = DOCUMENTED[name]
    stub.trouble(*ORDER, row.refused)
    judged(row, api.post(ORDERS, {"planId": plan.id}), partner, paid_before=0)
    assert api.get(f"{PLANS}/{plan.id}").status == (404 if row.withdrawn else 200)
    assert stub.store() == {}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_top_up(api: Api, partner, plan: Plan, stub: AiraloStub, name: str) -> None:
    row = DOCUMENTED[name]
    order = an_order(api, plan)
    chosen = top_up_plans(api, order)[0]
    stub.trouble(*TOP_UP, row.refused)
    reply = api.post(f"{ORDERS}/{order['id']}/topups", {"planId": chosen["id"]})
    judged(row, reply, partner, paid_before=PRICE)
    assert stub.store() == {order["reference"]: 1}


@pytest.mark.parametrize(
    ("refused", "status", "error"),
    [
        (refused_with(23), 409, "conflict"),
        (refused_with(73), 409, "conflict"),
        (refused_with(13), 503, "upstream_unavailable"),
        (refusal(401, NOT_YOURS, times=2), 409, "conflict"),
        (refusal(404, NOT_FOUND), 409, "conflict"),
        (refusal(429, TOO_MANY, times=-1), 503, "upstream_unavailable"),
        (refusal(500, {}, times=-1), 503, "upstream_unavailable"),
        (Trouble(status=200, body={"data": None}), 503, "upstream_unavailable"),
    ],
    ids=["23", "73", "13", "401", "404", "429", "500", "unreadable"],
)
def test_a_profile_that_takes_no_top_up_is_refused_before_money_is_held(
    api: Api, partner, plan: Plan, stub: AiraloStub, refused: Trouble, status: int, error: str
) -> None:
    order = an_order(api, plan)
    chosen = top_up_plans(api, order)[0]
    stub.trouble("GET", "/sims/{iccid}/topups", refused)
    reply = api.post(f"{ORDERS}/{order['id']}/topups", {"planId": chosen["id"]})
    assert (reply.status, reply.error_type) == (status, error)
    assert Booking.objects.count() == 1
    assert balance_of(partner.account.id, "live").held_cents == 0
    assert stub.heard_by(*TOP_UP) == []
    assert SupplierAlert.objects.count() == 0
