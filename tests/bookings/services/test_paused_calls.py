"""A call that stood still for longer than its claim: another one has its key by then, and the late one does nothing more."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow import claim
from apps.bookings.models import Booking, Operation
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Rejected
from tests.bookings.books import funds
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.api import Reply
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

KEY = "order-of-monday-1"
Pause = Callable[..., list[Reply]]


@pytest.fixture
def pause(monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]) -> Pause:
    """`pause(meanwhile)`: the next call stands still as it looks for what its key began, and `meanwhile` is what its successor
    sends, whose reply is in the list. With `having_looked` it has seen that there was nothing yet.
    """
    look = claim.begun_by

    def arm(meanwhile: Callable[[], Reply], *, having_looked: bool = False) -> list[Reply]:
        replies: list[Reply] = []

        def paused(caller: Any) -> Operation | None:
            seen = look(caller)
            monkeypatch.setattr(claim, "begun_by", look)
            move_clock(seconds=46)
            replies.append(meanwhile())
            return seen if having_looked else look(caller)

        monkeypatch.setattr(claim, "begun_by", paused)
        return replies

    return arm


def test_it_does_not_book_beside_its_successor(
    shop: FlightShop, supplier: ScriptedFlights, pause: Pause
) -> None:
    offer = shop.offer()
    replies = pause(lambda: shop.order(offer, KEY), having_looked=True)
    late = shop.order(offer, KEY)
    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert [reply.status for reply in replies] == [201]
    assert shop.order(offer, KEY).body == replies[0].body
    assert (supplier.calls("book"), Booking.objects.count()) == (1, 1)
    assert violations(supplier.report()) == []


def test_it_does_not_book_what_its_successor_was_refused(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, pause: Pause
) -> None:
    offer = shop.offer()
    supplier.spoil("book", Rejected())
    replies = pause(lambda: shop.order(offer, KEY))
    late = shop.order(offer, KEY)
    assert [reply.status for reply in replies] == [502]
    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert (supplier.calls("book"), funds(onboarded)) == (1, (BALANCE_CENTS, 0))


def test_it_does_not_cancel_what_its_successor_was_refused(
    shop: FlightShop, supplier: ScriptedFlights, pause: Pause
) -> None:
    order = shop.ordered()
    supplier.spoil("cancel", Rejected())
    replies = pause(lambda: shop.cancel(order["id"], KEY))
    late = shop.cancel(order["id"], KEY)
    assert [reply.status for reply in replies] == [502]
    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert (supplier.calls("cancel"), shop.read(order["id"])["status"]) == (1, "ticketed")
