"""A live key's eSIM at Airalo's stand-in: catalogue, order, profile, usage, their webhook, their refund; every cent and event."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from django.test import Client

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.supplier_hints import follow_hints
from apps.common import clock
from apps.esim.services.sync import sync_environment
from apps.keys.scopes import ENFORCED
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from apps.webhooks.models import Delivery, Event
from tests.esim.suppliers.airalo.connected import a_stub, credentials
from tests.esim.suppliers.airalo.stub import AiraloStub, signed
from tests.support.api import Api

BALANCE_CENTS = 500_000


@pytest.fixture
def stub() -> Iterator[AiraloStub]:
    with a_stub() as stub:
        yield stub


@pytest.fixture
def partner(stub: AiraloStub, settings, db: None) -> Onboarded:
    settings.SUPPLIERS = {**settings.SUPPLIERS, "esim": {"live": "airalo"}}
    settings.SUPPLIER_CREDENTIALS = {**settings.SUPPLIER_CREDENTIALS, "airalo": credentials(stub)}
    ExchangeRate.objects.create(base="USD", quote="EUR", rate="0.875", as_of=clock.today())
    forget_rates()
    sync_environment("live")
    return onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=BALANCE_CENTS, live=True, scopes=ENFORCED)
    )


@pytest.fixture
def api(partner: Onboarded) -> Api:
    assert partner.live_secret is not None
    return Api(partner.live_secret)


def balance(api: Api) -> tuple[int, int]:
    body = api.get("/v1/account/ledger").body
    return body["availableCents"], body["heldCents"]


def told() -> list[tuple[str, dict[str, Any]]]:
    events = [(event.type, orjson.loads(event.payload)) for event in Event.objects.all()]
    assert {payload["environment"] for _, payload in events} <= {"live"}
    return sorted((type, payload["data"]) for type, payload in events)


def test_an_esim_from_the_catalogue_to_the_refund(api: Api, stub: AiraloStub, move_clock) -> None:
    hooks = {
        "url": "http://127.0.0.1:9999/hooks",
        "events": ["esim.provisioned", "booking.cancelled", "payment.refunded"],
    }
    assert api.post("/v1/webhooks/endpoints", hooks).status == 201
    plan = api.get("/v1/esim/plans?country=PT&planType=data").body["data"][0]
    assert (plan["name"], plan["priceCents"]) == ("Portugal - 1 GB - 7 Days", 280)  # $3.20

    order = api.post("/v1/esim/orders", {"planId": plan["id"], "externalReference": "TRIP-1"}).body
    iccid = stub.iccid_of(order["reference"])
    assert (order["status"], order["totalCents"], order["iccid"]) == ("provisioned", 280, iccid)
    assert balance(api) == (BALANCE_CENTS - 280, 0)
    picture = Client().get(order["activation"]["qrSvgUrl"].removeprefix("http://127.0.0.1:8000"))
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/svg+xml")

    path = f"/v1/esim/orders/{order['id']}"
    assert api.get(f"{path}/usage").body["status"] == "not_installed"
    stub.books.usage[iccid] = {"status": "ACTIVE", "remaining": 100}
    raw, signature = signed({"iccid": iccid, "remaining_percentage": 10, "level": "90%"})
    address = "/suppliers/airalo/webhooks"
    hint = Client().post(address, raw, content_type="application/json", headers=signature)
    assert (hint.status_code, follow_hints()) == (200, 1)
    assert api.get(f"{path}/usage").body["dataRemainingMb"] == 100

    stub.refund(order["reference"])
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 0  # they are asked once a day
    move_clock(hours=23)
    assert poll_suppliers() == 1
    cancelled = api.get(path).body
    assert (cancelled["status"], cancelled["cancellation"]["refundCents"]) == ("cancelled", 280)
    assert balance(api) == (BALANCE_CENTS, 0)
    lines = api.get(f"/v1/account/ledger?bookingReference={order['reference']}").body["data"][::-1]
    assert [(line["type"], line["amountCents"], line["heldDeltaCents"]) for line in lines] == [
        ("hold", -280, 280),
        ("capture", 0, -280),
        ("refund", 280, 0),
    ]
    common = {
        "bookingType": "esim",
        "bookingId": order["id"],
        "bookingReference": order["reference"],
        "externalReference": "TRIP-1",
    }
    refunded = {**common, "refundCents": 280, "currency": "EUR"}
    provisioned = {"purchaseId": order["id"], "iccid": iccid, "status": "provisioned"}
    profile = {**common, "orderId": order["id"], "iccid": iccid}
    assert told() == [
        ("booking.cancelled", {**refunded, "refunded": True}),
        ("esim.data_low", {**profile, "percentUsed": 90, "daysLeft": None}),
        ("esim.provisioned", {**common, **provisioned, "planName": "Portugal - 1 GB - 7 Days"}),
        ("esim.status_changed", {**profile, "status": "active", "previousStatus": "not_installed"}),
        ("payment.refunded", refunded),
    ]
    assert Delivery.objects.filter(status="PENDING").count() == 3
    assert stub.store() == {order["reference"]: 1}
    assert check_ledger() == []
