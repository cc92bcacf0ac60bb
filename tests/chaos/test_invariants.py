"""The checker of the crash runs finds what is planted in the books of each product, and nothing where nothing is."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.settle import emit_events
from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.statements import trace_of
from apps.common import clock
from apps.keys.scopes import ENFORCED
from apps.ledger.money import refund, release
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.suppliers.models import SimulatedWrite
from apps.webhooks.events import Fact
from apps.webhooks.models import Event
from tests.chaos.goods import CANCELLABLE, ESIM, FLIGHT, GOODS, HOTEL, TRANSFER, Good
from tests.support.api import Api
from tests.support.invariants import violations
from tests.support.stack import HttpApi

pytestmark = pytest.mark.django_db

Plant = Callable[[Operation, dict[str, Any]], object]


@pytest.fixture
def api(db: None) -> HttpApi:
    partner: Onboarded = onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=10**8, scopes=ENFORCED, rates={})
    )
    return cast("HttpApi", Api(partner.test_secret))


def sell(good: Good, api: HttpApi, *, cancelled: bool = False) -> Operation:
    """The operation of an order on the first terms there are, or of its cancellation."""
    reply = good.order(api, good.bodies(api)[0], f"planted-{good.name}")
    assert reply.status == 201, reply.body
    if cancelled:
        assert good.cancel(api, reply.body["id"], f"planted-end-{good.name}").status == 200
    return Operation.objects.select_related("booking").filter(booking_id=reply.body["id"]).latest("id")


def books() -> dict[str, Any]:
    """A judge's report of what the simulators in this process wrote down."""
    rows = SimulatedWrite.objects.order_by("id").values("kind", "client_ref", "reference", "sequence")
    writes = [{"clientRef": row.pop("client_ref"), **row} for row in rows]
    return {"writes": writes, "callsByRef": {}}


def kinds(report: dict[str, Any]) -> set[str]:
    return {text.partition(":")[0] for text in violations(report)}


@pytest.mark.parametrize("name", GOODS)
def test_an_order_is_sound_in_every_state(api: HttpApi, name: str) -> None:
    good = GOODS[name]
    sell(good, api)
    assert kinds(books()) == ({"unfinished"} if good.late or good is TRANSFER else set())
    settle_owed()
    assert kinds(books()) == ({"unfinished"} if good.late else set())


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("name", CANCELLABLE)
def test_a_cancellation_is_sound_whenever_it_comes_and_whatever_it_costs(
    api: HttpApi, name: str, captured: bool
) -> None:
    good = CANCELLABLE[name]
    for terms, body in enumerate(good.bodies(api)):
        reply = good.order(api, body, f"order-to-be-ended-{terms}")
        if captured:
            settle_owed()
        assert good.cancel(api, reply.body["id"], f"end-of-the-order-{terms}").status == 200
    assert violations(books()) == []


def lose(operation: Operation, report: dict[str, Any]) -> None:
    Operation.objects.filter(pk=operation.pk).update(state="failed")


def double(operation: Operation, report: dict[str, Any]) -> None:
    report["writes"].append({**report["writes"][0], "reference": "sim_another"})


def make_up(operation: Operation, report: dict[str, Any]) -> None:
    report["writes"].clear()


def confuse(operation: Operation, report: dict[str, Any]) -> None:
    Booking.objects.filter(pk=operation.booking_id).update(supplier_reference="sim_another")


def call_twice(operation: Operation, report: dict[str, Any]) -> None:
    report["callsByRef"][operation.client_ref] = {"order": 2}


def silence(operation: Operation, report: dict[str, Any]) -> None:
    Event.objects.filter(booking_id=operation.booking_id).delete()


def announce(operation: Operation, report: dict[str, Any]) -> None:
    emit_events(operation.booking, "", (Fact("booking.confirmed", {}),))


def forget_capture(operation: Operation, report: dict[str, Any]) -> None:
    Settlement.objects.update(settled_at=clock.now())


def free(operation: Operation, report: dict[str, Any]) -> None:
    Settlement.objects.update(settled_at=clock.now())
    release(hold_id=operation.hold_id, trace=trace_of(operation, "planted"))


def give_back(operation: Operation, report: dict[str, Any]) -> None:
    booking = operation.booking
    refund(
        account_id=booking.account_id,
        environment=booking.environment,
        amount_cents=1,
        currency=booking.currency,
        reference="planted",
        trace=trace_of(operation, "planted"),
    )


@pytest.mark.parametrize(
    ("good", "plant", "found"),
    [
        (HOTEL, lose, {"lost", "hold captured"}),
        (HOTEL, double, {"doubled"}),
        (ESIM, make_up, {"phantom"}),
        (TRANSFER, confuse, {"confused", "unfinished"}),
        (ESIM, call_twice, {"blind"}),
        (ESIM, silence, {"events"}),
        (ESIM, announce, {"events"}),
        (FLIGHT, give_back, {"money"}),
        (TRANSFER, forget_capture, {"hold open", "money"}),
        (TRANSFER, free, {"hold released", "released", "money"}),
    ],
)
def test_what_is_planted_in_an_order_is_found(
    api: HttpApi, good: Good, plant: Plant, found: set[str]
) -> None:
    operation, report = sell(good, api), books()
    plant(operation, report)
    assert kinds(report) == found


@pytest.mark.parametrize(
    ("plant", "found"),
    [(lose, {"lost"}), (make_up, {"phantom"}), (silence, {"events"})],
)
@pytest.mark.parametrize("name", CANCELLABLE)
def test_what_is_planted_in_a_cancellation_is_found(
    api: HttpApi, name: str, plant: Plant, found: set[str]
) -> None:
    operation, report = sell(CANCELLABLE[name], api, cancelled=True), books()
    plant(operation, report)
    assert kinds(report) == found
