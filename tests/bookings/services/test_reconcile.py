"""What the reconciliation worker owes is paid once, and told."""

import pytest

from apps.bookings.models import Settlement
from apps.bookings.services import reconcile
from apps.bookings.services.reconcile import settle, settle_owed
from apps.onboarding.services.onboard_partner import Onboarded
from apps.webhooks.models import Event
from tests.bookings.books import events, funds
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights


@pytest.fixture
def cheaper(shop: FlightShop, supplier: ScriptedFlights) -> dict[str, int | str]:
    """An order changed to a cheaper flight, whose difference is still owed."""
    order = shop.ordered()
    option = shop.options(order)[0]
    assert shop.change(order["id"], option).status == 200
    return {"id": order["id"], "total": option["newTotalCents"], "owed": -option["differenceCents"]}


def test_a_cheaper_change_is_credited_once_and_then_settled(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, cheaper: dict[str, int]
) -> None:
    before, _ = funds(onboarded)
    assert shop.read(str(cheaper["id"]))["changes"][0]["settled"] is False
    assert (settle_owed(), settle_owed()) == (1, 0)
    assert funds(onboarded) == (before + cheaper["owed"], 0) == (BALANCE_CENTS - cheaper["total"], 0)
    change = shop.read(str(cheaper["id"]))["changes"][0]
    assert change["settled"] is True
    assert change["settledAt"] >= change["createdAt"]
    assert events() == ["booking.confirmed", "payment.refunded"]
    assert f'"refundCents":{cheaper["owed"]}' in Event.objects.get(type="payment.refunded").payload
    assert violations(supplier.report()) == []


def test_a_settlement_that_another_worker_had_first_moves_nothing(
    onboarded: Onboarded, cheaper: dict[str, int]
) -> None:
    owed = Settlement.objects.get()
    assert settle(owed.pk) is True
    after = funds(onboarded)
    assert (settle(owed.pk), funds(onboarded), events().count("payment.refunded")) == (False, after, 1)


def test_a_settlement_that_fails_is_left_whole_and_tried_again(
    onboarded: Onboarded, cheaper: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = funds(onboarded)

    def crash(*args: object, **kwargs: object) -> None:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patched:
        patched.setattr(reconcile, "emit_events", crash)
        assert settle_owed() == 0
    assert (Settlement.objects.get().settled_at, funds(onboarded)) == (None, before)
    assert settle_owed() == 1
    assert funds(onboarded) == (before[0] + cheaper["owed"], 0)
