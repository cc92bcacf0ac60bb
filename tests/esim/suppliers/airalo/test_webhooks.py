"""Airalo's webhooks, as they arrive at our address."""

import json
from typing import Any

import pytest
from django.test import Client

from apps.bookings.flow.supplier_hints import follow_hints
from apps.esim.models import LastUsage, Plan
from apps.suppliers.alerts import alert as staff_must_know
from apps.suppliers.health import open_alerts
from apps.suppliers.models import SupplierAlert, SupplierEvent
from apps.webhooks.models import Event
from tests.esim.shop import an_order, events
from tests.esim.suppliers.airalo.documented import TOO_MANY
from tests.esim.suppliers.airalo.stub import AiraloStub, signature_over, signed
from tests.support.api import Api
from tests.support.supplier_stub import refusal

pytestmark = pytest.mark.django_db

ADDRESS = "/suppliers/airalo/webhooks"
USAGE = "/sims/{iccid}/usage"
LOW_CREDIT = {"level": "10%", "note": "crédit faible: https://stub.example/credit"}


def deliver(body: dict[str, Any], *, over: str = "bytes", **changed: str) -> int:
    raw, headers = signed(body, over=over)
    return post(raw, {**headers, **changed})


def post(raw: bytes, headers: dict[str, str]) -> int:
    answer = Client().post(ADDRESS, raw, content_type="application/json", headers=headers)
    return answer.status_code


def low_data(order: dict[str, Any]) -> dict[str, Any]:
    return {"iccid": order["iccid"], "remaining_percentage": 25, "level": "75%"}


@pytest.mark.parametrize("over", ["bytes", "meaning"])
def test_either_signature_is_taken(live, over: str) -> None:
    assert deliver(LOW_CREDIT, over=over) == 200
    assert SupplierEvent.objects.get().kind == "credit_limit"


def test_little_data_left_refreshes_the_usage(api: Api, plan: Plan, stub: AiraloStub, move_clock) -> None:
    order = an_order(api, plan)
    path = f"/v1/esim/orders/{order['id']}/usage"
    assert api.get(path).body["dataUsedMb"] == 0
    stub.books.usage[order["iccid"]] = {"status": "ACTIVE", "remaining": 256}
    assert api.get(path).body["dataUsedMb"] == 0  # asked a moment ago
    assert deliver(low_data(order)) == 200
    assert follow_hints() == 1
    assert LastUsage.objects.get().used_mb == 768
    answer = api.get(path).body
    assert (answer["status"], answer["dataUsedMb"]) == ("active", 768)
    assert len(stub.heard_by("GET", USAGE)) == 2


def levels_told(order: dict[str, Any]) -> list[tuple[int | None, int | None]]:
    return [
        (data["percentUsed"], data["daysLeft"])
        for kind, data in events(order["id"])
        if kind == "esim.data_low"
    ]


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        (["75%"], [(75, None)]),
        (["75%", "75%", "90%", "75%", "90%"], [(75, None), (90, None)]),
        (["3days", "1days", "3days"], [(None, 3), (None, 1)]),
        (["1days", "90%"], [(None, 1), (90, None)]),
        (["80%", None, 75, ["75%"], {}, "75", "-1days"], []),
    ],
)
def test_a_level_is_one_event_at_once_whatever_the_usage_answers(api, plan, stub, move_clock, levels, told):
    """Doubled and late ones say nothing. The second of two alike comes an hour later, as one that was lost on its way to us."""
    order = an_order(api, plan)
    stub.trouble("GET", USAGE, refusal(429, TOO_MANY, times=-1))
    for level in levels:
        move_clock(hours=1)
        assert deliver({**low_data(order), "level": level, "package_name": "1 GB - 7 Days"}) == 200
        follow_hints()
    assert levels_told(order) == told
    move_clock(hours=2)
    follow_hints()
    assert SupplierEvent.objects.filter(handled_at=None).count() == 0
    assert levels_told(order) == told


def test_the_same_text_within_the_hour_is_stored_once(api: Api, plan: Plan) -> None:
    order = an_order(api, plan)
    assert [deliver(low_data(order)) for _ in range(3)] == [200] * 3
    assert SupplierEvent.objects.count() == 1


def test_a_level_of_somebody_elses_profile_is_left(live) -> None:
    assert deliver({"iccid": "8900000000000000001", "level": "90%"}) == 200
    follow_hints()
    assert Event.objects.count() == 0


def test_the_address_answers_a_head_with_200(live) -> None:
    assert Client().head(ADDRESS).status_code == 200


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"level": "90%"}, "90% of our credit at Airalo is used"),
        ({"level": 50}, "50% of our credit at Airalo is used"),
        ({"level": None}, "little credit left"),
        ({"level": "LPA:1$x"}, "little credit left"),
        ({"message": "Surpassed 80% of the credit limit balance"}, "80% of our credit at Airalo is used"),
        ({"message": "Surpassed 12345% of the credit limit balance"}, "little credit left"),
    ],
)
def test_credit_that_runs_low_is_a_warning_and_no_empty_wallet(live, caplog, body, said):
    deliver({"remaining": 120.5, **body})
    follow_hints()
    (alert,) = SupplierAlert.objects.all()
    assert (alert.supplier, alert.kind, alert.detail) == ("airalo", "credit_low", said)
    assert [record.levelname for record in caplog.records if "credit_low" in record.message] == ["WARNING"]
    assert "120.5" not in json.dumps(list(SupplierEvent.objects.values()), default=str)
    assert open_alerts()["status"] == "ok"
    staff_must_know("airalo", "wallet_empty", "code 11")
    assert open_alerts()["status"] == "degraded"


@pytest.mark.parametrize(
    "body", [{"request_id": "stubRequest00000000000001", "reason": "stub"}, {"sims": [{"iccid": "8900"}]}]
)
def test_what_concerns_orders_that_we_do_not_make_is_answered_and_left(live, body: dict[str, Any]) -> None:
    assert deliver(body) == 200
    assert SupplierEvent.objects.count() == 0


@pytest.mark.parametrize("signature", ["", "00", "é", "a" * 128])
def test_what_they_did_not_sign_is_refused(live, signature: str) -> None:
    assert deliver(LOW_CREDIT, **{"airalo-signature": signature}) == 401
    raw, headers = signed(LOW_CREDIT)
    assert post(raw + b" ", headers) == 401
    assert post(raw, {}) == 401
    assert SupplierEvent.objects.count() == 0


@pytest.mark.parametrize("body", [b"[]", b"null", b"{", b"", b'"8900"'])
def test_what_they_signed_and_cannot_be_read_is_refused(live, body: bytes) -> None:
    assert post(body, signature_over(body)) == 400
