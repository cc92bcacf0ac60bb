"""POST /sandbox/bookings/{id}/simulate, for the four products, and the trigger that leaves a booking pending."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation, OperationState
from apps.common import clock
from apps.gateway import faults
from apps.gateway.requests import PartnerRequest
from apps.keys.scopes import GRANTABLE
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold, Wallet
from apps.webhooks.models import Event
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api, Reply

pytestmark = pytest.mark.django_db

MADE = {
    "hotel": "createHotelBooking",
    "flight": "createFlightOrder",
    "transfer": "createTransferOrder",
    "esim": "createEsimOrder",
}
PATHS = {
    "hotel": "/v1/hotels/bookings",
    "flight": "/v1/flights/orders",
    "transfer": "/v1/transfers/orders",
    "esim": "/v1/esim/orders",
}
STANDING = {"hotel": "confirmed", "flight": "ticketed", "transfer": "confirmed", "esim": "provisioned"}
CENTS = 1_000_000


@pytest.fixture
def goods() -> Goods:
    return Goods(api_of_new_partner(cents=CENTS, scopes=GRANTABLE))


@pytest.fixture
def api(goods: Goods) -> Api:
    return goods.api


def made(goods: Goods, product: str, **headers: str) -> dict[str, Any]:
    reply = goods.call(MADE[product], **headers)
    assert reply.status == 201, reply.body
    return dict(reply.body)


def pending(goods: Goods, product: str) -> dict[str, Any]:
    booking = made(goods, product, X_Partner_Customer_Ref="sbx_pending")
    assert booking["status"] == "pending"
    return booking


def simulated(api: Api, booking: dict[str, Any], what: str) -> Reply:
    return api.post(f"/sandbox/bookings/{booking['id']}/simulate", {"what": what})


def shown(api: Api, product: str, booking: dict[str, Any]) -> dict[str, Any]:
    return dict(api.get(f"{PATHS[product]}/{booking['id']}").body)


def events(booking: dict[str, Any]) -> list[str]:
    return list(Event.objects.filter(booking_id=booking["id"]).order_by("id").values_list("type", flat=True))


def wallet() -> tuple[int, int]:
    return Wallet.objects.values_list("balance_cents", "held_cents").get()


@pytest.mark.parametrize("product", MADE)
def test_a_supplier_cancels_and_all_money_comes_back(goods: Goods, api: Api, product: str):
    booking = made(goods, product)

    reply = simulated(api, booking, "supplier_cancels")

    assert (reply.status, reply.body) == (
        200,
        {
            "simulated": "supplier_cancels",
            "booking": {
                "bookingType": product,
                "id": booking["id"],
                "reference": booking["reference"],
                "status": "cancelled",
            },
        },
    )
    assert shown(api, product, booking)["status"] == "cancelled"
    assert {"booking.cancelled", "payment.refunded"} <= set(events(booking))
    assert (wallet(), check_ledger()) == ((CENTS, 0), [])


def test_an_operator_refunds_a_top_up_and_leaves_the_esim(goods: Goods, api: Api):
    order = made(goods, "esim")
    top_up = goods.make("createEsimTopUp")

    reply = simulated(api, top_up, "supplier_cancels")

    assert reply.body["booking"]["status"] == "cancelled"
    assert shown(api, "esim", order)["status"] == "provisioned"
    assert check_ledger() == []


def test_an_airline_moves_a_flight_and_says_so(goods: Goods, api: Api):
    order = made(goods, "flight")

    reply = simulated(api, order, "airline_moves")

    assert reply.body["booking"]["status"] == "ticketed"
    after = shown(api, "flight", order)
    assert len(after["scheduleChanges"]) == 1
    assert after["slices"][0]["departureAt"] != order["slices"][0]["departureAt"]
    assert events(order)[-1] == "booking.schedule_changed"


def test_a_call_that_stood_still_beyond_its_claim_moves_no_second_flight(
    goods: Goods, api: Api, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
):
    order = made(goods, "flight")
    path, body, key = f"/sandbox/bookings/{order['id']}/simulate", {"what": "airline_moves"}, "the-same-key"
    replies: list[Reply] = []
    plan = faults.plan

    def paused(request: PartnerRequest) -> None:
        monkeypatch.setattr(faults, "plan", plan)
        move_clock(seconds=46)
        replies.append(api.post(path, body, key=key))
        plan(request)

    monkeypatch.setattr(faults, "plan", paused)
    late = api.post(path, body, key=key)

    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert api.post(path, body, key=key).content == replies[0].content
    assert len(shown(api, "flight", order)["scheduleChanges"]) == 1


@pytest.mark.parametrize("product", ["hotel", "transfer"])
def test_a_supplier_alters_a_fact_and_says_so(goods: Goods, api: Api, product: str):
    booking = made(goods, product)

    assert simulated(api, booking, "supplier_changes").status == 200
    assert events(booking)[-1] == "booking.supplier_changed"


def test_a_transfers_funds_are_captured_now_and_once(goods: Goods, api: Api):
    order = made(goods, "transfer")
    assert wallet() == (CENTS, order["totalCents"])

    assert simulated(api, order, "settles").status == 200

    settlement = shown(api, "transfer", order)["settlement"]
    assert (settlement["funds"], settlement["amountCents"]) == ("captured", order["totalCents"])
    assert wallet() == (CENTS - order["totalCents"], 0)
    refused = simulated(api, order, "settles")
    assert (refused.status, refused.error["message"]) == (
        409,
        "Nothing of this booking is open: neither its outcome nor its funds.",
    )
    assert check_ledger() == []


@pytest.mark.parametrize("product", MADE)
def test_a_pending_booking_holds_its_funds_and_settles_as_its_supplier_delivers(
    goods: Goods, api: Api, product: str
):
    booking = pending(goods, product)
    assert wallet()[1] == booking["totalCents"]
    assert events(booking) == []

    reply = simulated(api, booking, "settles")

    assert (reply.status, reply.body["booking"]["status"]) == (200, STANDING[product])
    assert shown(api, product, booking)["supplier"]["reference"]
    assert events(booking) == ["esim.provisioned" if product == "esim" else "booking.confirmed"]
    assert check_ledger() == []
    assert simulated(api, booking, "supplier_cancels").body["booking"]["status"] == "cancelled"


@pytest.mark.parametrize("product", MADE)
def test_a_pending_booking_turns_out_not_to_exist_and_its_hold_is_released(
    goods: Goods, api: Api, product: str
):
    booking = pending(goods, product)

    reply = simulated(api, booking, "not_made")

    assert (reply.status, reply.body["booking"]["status"]) == (200, "failed")
    assert events(booking) == ["booking.rejected"]
    assert (wallet(), Hold.objects.get().status) == ((CENTS, 0), "released")
    assert check_ledger() == []
    assert simulated(api, booking, "not_made").status == 409


def test_the_trigger_is_confirmed_and_its_replay_is_pending_still(goods: Goods):
    headers = {"Idempotency_Key": "left-pending", "X_Partner_Customer_Ref": "sbx_pending"}
    first, again = (goods.call("createHotelBooking", **headers) for _ in range(2))

    assert (first.status, first.headers["X-Sandbox-Trigger"]) == (201, "sbx_pending")
    assert (again.body, again.headers["Idempotent-Replayed"]) == (first.body, "true")
    assert Booking.objects.count() == 1


def test_what_the_supplier_has_can_only_settle(goods: Goods, api: Api):
    """Its answer was lost, and not the booking."""
    booking = made(goods, "hotel")
    Operation.objects.update(
        state=OperationState.UNCERTAIN, resolved_at=None, next_attempt_at=clock.now(), lease_until=clock.now()
    )
    Booking.objects.update(status="pending")

    refused = simulated(api, booking, "not_made")

    assert (refused.status, refused.error["message"]) == (
        409,
        ("Its supplier has it: it can only be settled."),
    )
    assert Operation.objects.get().state == OperationState.UNCERTAIN


def test_a_call_that_is_under_way_is_not_ended_by_hand(goods: Goods, api: Api):
    booking = pending(goods, "hotel")
    Operation.objects.update(lease_until=clock.now() + timedelta(minutes=1))

    for what in ("settles", "not_made"):
        assert (
            simulated(api, booking, what).error["message"]
            == "Its call is still in progress; try again in a moment."
        )
    assert Booking.objects.get().status == "pending"


@pytest.mark.parametrize(
    ("product", "what"),
    [
        ("hotel", "airline_moves"),
        ("transfer", "airline_moves"),
        ("esim", "airline_moves"),
        ("flight", "supplier_changes"),
        ("esim", "supplier_changes"),
        ("hotel", "explodes"),
        ("hotel", None),
    ],
)
def test_what_cannot_happen_to_the_product_is_refused_by_its_field(
    goods: Goods, api: Api, product: str, what: str | None
):
    booking = made(goods, product)
    before = events(booking)

    refused = api.post(f"/sandbox/bookings/{booking['id']}/simulate", {"what": what})

    assert (refused.status, refused.error["details"][0]["field"]) == (400, "what")
    assert events(booking) == before


@pytest.mark.parametrize("what", ["supplier_cancels", "supplier_changes", "settles", "not_made"])
def test_what_cannot_happen_to_a_cancelled_booking_is_a_conflict(goods: Goods, api: Api, what: str):
    booking = made(goods, "hotel")
    simulated(api, booking, "supplier_cancels")
    before = events(booking)

    refused = simulated(api, booking, what)

    assert (refused.status, refused.error_type) == (409, "conflict")
    assert (events(booking), wallet()) == (before, (CENTS, 0))


def test_nothing_happens_to_a_standing_booking_while_it_is_being_altered(goods: Goods, api: Api):
    booking = made(goods, "hotel")
    Operation.objects.update(state=OperationState.CALLING)

    refused = simulated(api, booking, "supplier_cancels")

    assert (refused.status, refused.error["message"]) == (
        409,
        "A change or a cancellation of the booking is in progress.",
    )


def test_bookings_of_others_of_live_and_of_nobody_are_unknown(goods: Goods, api: Api):
    booking = made(goods, "hotel")
    stranger = api_of_new_partner()
    live = Goods(api_of_new_partner(cents=CENTS, environment="live"))

    assert simulated(stranger, booking, "supplier_cancels").status == 404
    assert simulated(api, {"id": "hbk_nobody"}, "supplier_cancels").status == 404
    assert simulated(api, made(live, "hotel"), "supplier_cancels").status == 404
    refused = simulated(live.api, booking, "supplier_cancels")
    assert (refused.status, refused.error_type) == (403, "wrong_environment")
    assert shown(api, "hotel", booking)["status"] == "confirmed"


def test_a_repetition_with_the_same_key_lets_it_happen_once(goods: Goods, api: Api):
    order = made(goods, "flight")
    path = f"/sandbox/bookings/{order['id']}/simulate"
    first, again = (api.post(path, {"what": "airline_moves"}, key="moved-once") for _ in range(2))

    assert (again.body, again.headers["Idempotent-Replayed"]) == (first.body, "true")
    assert len(shown(api, "flight", order)["scheduleChanges"]) == 1
