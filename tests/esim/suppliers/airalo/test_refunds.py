"""Refund requests at Airalo: what is sent, each refusal, and who decides."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.accounts.models import AccountAuditEntry
from apps.bookings.flow.polling import poll_suppliers
from apps.esim.models import Plan, RefundRequest
from apps.esim.suppliers.airalo.mapping import REFUND_REASONS
from apps.esim.suppliers.base import REFUND_REASONS as OURS
from apps.ledger.consistency import check_ledger
from apps.ledger.selectors import balance_of
from apps.suppliers.models import SupplierAlert
from tests.esim.shop import BALANCE_CENTS, an_order, events
from tests.esim.suppliers.airalo import rules
from tests.esim.suppliers.airalo.documented import MINUTE, TOO_MANY, refused_fields, refused_with
from tests.esim.suppliers.airalo.stub import REFUND, AiraloStub
from tests.support.api import Api, Reply
from tests.support.back_office import Desk, faults_of, told
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db(transaction=True)

PRICE = 256
LIST = "/admin/esim/refundrequest/"
MoveClock = Callable[..., None]


def ask(api: Api, order: dict[str, Any], key: str | None = None, **body: str) -> Reply:
    path = f"/v1/esim/orders/{order['id']}/refund-requests"
    return api.post(path, {"reason": "trip_cancelled", **body}, key=key)


def state(api: Api, order: dict[str, Any]) -> tuple[str, str | None, int | None]:
    body = api.get(f"/v1/esim/orders/{order['id']}").body
    asked = body["refundRequest"]
    return body["status"], asked and asked["status"], asked and asked["refundedCents"]


def available(partner: Any) -> int:
    return balance_of(partner.account.id, "live").available_cents


def decisions(order: dict[str, Any]) -> list[tuple[str, int]]:
    told = [data for kind, data in events(order["id"]) if kind == "esim.refund_decided"]
    return [(data["decision"], data["refundedCents"]) for data in told]


@pytest.fixture
def order(api: Api, plan: Plan) -> dict[str, Any]:
    return an_order(api, plan)


def test_each_reason_of_ours_is_one_of_theirs() -> None:
    assert tuple(REFUND_REASONS) == OURS
    assert set(REFUND_REASONS.values()) <= rules.REFUND_REASONS


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ({"reason": "qr_problem"}, {"reason": "QR_ISSUE_PARTNERS"}),
        ({"reason": "other", "notes": "Größe & 100 %"}, {"reason": "OTHERS", "notes": "Größe & 100 %"}),
    ],
)
def test_a_form_names_the_profile_and_the_reason(api, order, stub: AiraloStub, asked, sent) -> None:
    assert ask(api, order, **asked).status == 202
    assert stub.books.refunds == [{"iccids[]": order["iccid"], **sent}]
    request = RefundRequest.objects.get()
    assert (request.supplier_reference, request.is_certain) == ("00001", True)


REFUSALS: dict[str, tuple[Trouble, int, str]] = {
    "not ours": (
        refusal(422, {"data": [], "meta": {"message": "The following ICCIDs do not belong to your company: 1"}}),
        502,
        "request_refused",
    ),
    "reason": (refused_fields(reason="The selected reason is invalid."), 502, "request_refused"),
    "recycled": (refused_with(73), 409, ""),
    "429": (refusal(429, TOO_MANY, **MINUTE), 503, ""),
    "403": (refusal(403, {}), 503, "credentials_refused"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_leaves_nothing_open(api, order, stub: AiraloStub, name: str) -> None:
    refused, status, alert = REFUSALS[name]
    stub.trouble(*REFUND, refused)
    reply = ask(api, order, "refund-1")
    assert (reply.status, b"iral" in reply.content) == (status, False)
    assert state(api, order) == ("provisioned", None, None)
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == [alert] * bool(alert)
    again = ask(api, order, "refund-1" if status >= 500 else None)
    assert (again.status, len(stub.books.refunds)) == (202, 1)


LOST = {
    "500": refusal(500, {}),
    "code 53": refused_with(53),
    "no JSON": Trouble(status=202, body=b"<html>"),
    "no id": Trouble(status=202, body={"data": {}}),
}


@pytest.mark.parametrize("name", LOST)
def test_a_lost_answer_is_a_request_that_staff_look_at(api, order, stub, move_clock, name: str) -> None:
    stub.trouble(*REFUND, LOST[name])
    assert ask(api, order, "refund-1").status == 202
    assert ask(api, order, "refund-1").headers["Idempotent-Replayed"] == "true"
    assert state(api, order) == ("provisioned", "requested", None)
    move_clock(days=3)
    poll_suppliers()
    assert len(stub.heard_by(*REFUND)) == 1
    (alert,) = SupplierAlert.objects.all()
    assert (alert.kind, alert.count) == ("refund_open", 1)
    assert alert.detail.endswith("its response was lost")
    office = Desk()
    rows = office.get(f"{LIST}?standing=alerted").context["cl"].result_list
    assert [row.booking_id for row in rows] == [order["id"]]
    assert "Its response was lost" in office.get(f"{LIST}{order['id']}/change/").content.decode()


def test_an_order_that_they_refunded_is_paid_back_and_the_request_granted(
    api, partner, order, stub: AiraloStub, move_clock
) -> None:
    ask(api, order)
    stub.refund(order["reference"])
    for _ in range(2):
        move_clock(days=1, minutes=1)
        poll_suppliers()
    assert state(api, order) == ("cancelled", "granted", PRICE)
    assert (available(partner), decisions(order)) == (BALANCE_CENTS, [("granted", PRICE)])
    assert check_ledger() == []


def test_a_part_that_they_refunded_is_for_staff_to_record(
    api, partner, order, stub: AiraloStub, move_clock: MoveClock
) -> None:
    ask(api, order)
    stub.refund(order["reference"], slug="partially_refunded")
    for _ in range(3):
        move_clock(days=1, minutes=1)
        poll_suppliers()
    assert state(api, order) == ("provisioned", "requested", None)
    (alert,) = SupplierAlert.objects.all()
    assert (alert.kind, alert.count) == ("refund_open", 1)
    office, page = Desk(), f"{LIST}{order['id']}/change/"
    assert "partially_refunded" in office.get(page).content.decode()
    assert faults_of(office, page) == faults_of(office, LIST) == []
    for wrong in ("0", "2.57", "-1", "x"):
        office.decide(page, "granted", amount=wrong, reason="They called back")
    assert (state(api, order)[1], available(partner)) == ("requested", BALANCE_CENTS - PRICE)
    said = told(office.decide(page, "granted", amount="1.28", reason="They called back"))
    assert said == ["Recorded: granted."]
    assert state(api, order) == ("provisioned", "granted", 128)
    assert (available(partner), decisions(order)) == (BALANCE_CENTS - 128, [("granted", 128)])
    assert told(office.decide(page, "granted", amount="1.28", reason="Again")) == [
        "That cannot be decided any more, or not by you."
    ]
    (entry,) = AccountAuditEntry.objects.filter(action="bookings.refund_decided")
    assert (entry.subject_id, entry.details["refundCents"], entry.details["reason"]) == (
        order["id"],
        128,
        "They called back",
    )
    assert check_ledger() == []


DECIDED: list[tuple[str, tuple[str, str, int]]] = [
    ("granted", ("cancelled", "granted", PRICE)),
    ("declined", ("provisioned", "declined", 0)),
]


@pytest.mark.parametrize(("verdict", "end"), DECIDED)
def test_what_they_do_not_decide_is_asked_about_after_two_weeks(
    api, partner, order, move_clock, verdict: str, end: tuple[str, str, int]
) -> None:
    ask(api, order)
    move_clock(days=13)
    poll_suppliers()
    assert SupplierAlert.objects.count() == 0
    for _ in range(3):
        move_clock(days=1, minutes=1)
        poll_suppliers()
    (alert,) = SupplierAlert.objects.all()
    assert (alert.kind, alert.count) == ("refund_open", 1)
    given = {"amount": "2.56"} if verdict == "granted" else {}
    Desk().decide(f"{LIST}{order['id']}/change/", verdict, reason="They called back", **given)
    assert (state(api, order), decisions(order)) == (end, [(verdict, end[2])])
    assert available(partner) == BALANCE_CENTS - PRICE + end[2]
    assert check_ledger() == []


def test_who_may_only_look_decides_nothing(api, order) -> None:
    ask(api, order)
    page = f"{LIST}{order['id']}/change/"
    reader = Desk("esim.view_refundrequest")
    assert reader.get(page).context["ways"] == []
    reader.decide(page, "declined", reason="They called back")
    assert state(api, order)[1] == "requested"
