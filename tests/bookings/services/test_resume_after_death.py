"""A retry of a call whose process died: one booking, never a second blind call."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow import call, claim
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Operation
from apps.gateway.models import IdempotencyRecord
from tests.bookings.books import latest
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")

KEY = "order-of-monday-1"


class Died(BaseException):
    """The process ends here: nothing below this frame is answered, released or written down."""


@pytest.fixture
def die_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`die_in(module, "name")`: the next call of it ends the process, `after` it or before."""

    def arm(module: Any, name: str, *, after: bool = False) -> None:
        real = getattr(module, name)

        def dying(*args: Any, **kwargs: Any) -> Any:
            monkeypatch.setattr(module, name, real)
            if after:
                real(*args, **kwargs)
            raise Died

        monkeypatch.setattr(module, name, dying)

    return arm


def dies(shop: FlightShop, offer: dict[str, Any]) -> None:
    with pytest.raises(Died):
        shop.order(offer, KEY)


def test_a_process_that_died_holding_funds_is_continued(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(claim, "perform")
    dies(shop, offer)
    assert (latest().state, supplier.calls("book")) == ("held", 0)
    assert shop.order(offer, KEY).error_type == "idempotency_key_in_progress"
    move_clock(seconds=46)
    reply = shop.order(offer, KEY)
    assert (reply.status, Operation.objects.count()) == (201, 1)
    assert violations(supplier.report()) == []


@pytest.mark.parametrize(("name", "after"), [("call_supplier", True), ("record", False)])
def test_a_process_that_died_after_the_supplier_accepted_is_looked_up(
    shop: FlightShop,
    supplier: ScriptedFlights,
    die_in: Callable[..., None],
    move_clock: Callable[..., None],
    name: str,
    after: bool,
) -> None:
    offer = shop.offer()
    die_in(call, name, after=after)
    dies(shop, offer)
    assert (latest().state, supplier.calls("book")) == ("calling", 1)
    move_clock(seconds=46)
    reply = shop.order(offer, KEY)
    assert (reply.status, reply.body["status"], supplier.calls("book")) == (201, "ticketed", 1)
    assert violations(supplier.report()) == []


def test_a_process_that_died_before_it_could_call_is_not_called_again_blindly(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(call, "mark_calling", after=True)
    dies(shop, offer)
    move_clock(seconds=46)
    assert shop.order(offer, KEY).status == 503  # the supplier knows nothing of it, and is not believed yet
    move_clock(seconds=120)
    assert shop.order(offer, KEY).status == 503
    move_clock(seconds=60)
    assert shop.order(offer, KEY).status == 503  # given up; a new attempt may begin
    assert (latest().state, latest().failure) == ("failed", "NotFoundAtSupplier")
    assert shop.order(offer, KEY).status == 201
    assert [op.state for op in Operation.objects.order_by("id")] == ["failed", "confirmed"]
    assert violations(supplier.report()) == []


def test_a_process_that_died_after_recording_left_its_answer(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(call, "record", after=True)
    dies(shop, offer)
    reply = shop.order(offer, KEY)
    assert (reply.status, reply.headers["Idempotent-Replayed"]) == (201, "true")
    assert reply.body == shop.read(reply.body["id"])
    assert violations(supplier.report()) == []


def test_an_operation_still_in_other_hands_is_in_progress_and_that_is_not_stored(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    """The key was claimed before the operation's lease began, so the key is free a moment earlier."""
    offer = shop.offer()
    supplier.meanwhile("reprice", lambda: move_clock(seconds=20))
    die_in(call, "call_supplier", after=True)
    dies(shop, offer)
    move_clock(seconds=26)
    early = shop.order(offer, KEY)
    assert (early.status, early.error_type) == (409, "idempotency_key_in_progress")
    assert IdempotencyRecord.objects.get(key=KEY).state == "released"
    move_clock(seconds=20)
    reply = shop.order(offer, KEY)
    assert (reply.status, supplier.calls("book")) == (201, 1)
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("dies_in", ["mark_calling", "call_supplier"])
def test_a_key_is_free_a_minute_after_the_death_however_slow_the_price_was(
    shop: FlightShop,
    supplier: ScriptedFlights,
    die_in: Callable[..., None],
    move_clock: Callable[..., None],
    dies_in: str,
) -> None:
    """Although its call began forty seconds late, and with a lease of its own."""
    offer = shop.offer()
    supplier.meanwhile("reprice", lambda: move_clock(seconds=40))
    die_in(call, dies_in, after=True)
    dies(shop, offer)
    move_clock(seconds=44)
    assert shop.order(offer, KEY).error_type == "idempotency_key_in_progress"
    move_clock(seconds=2)
    assert shop.order(offer, KEY).status == (201 if dies_in == "call_supplier" else 503)
    assert supplier.calls("find_order") == 1


def test_a_dead_call_is_not_in_progress_while_recovery_waits_for_the_supplier(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(call, "call_supplier", after=True)
    dies(shop, offer)
    move_clock(seconds=46)
    replies = []
    supplier.meanwhile("find_order", lambda: replies.append(shop.order(offer, KEY)))
    assert recover_due() == 1
    assert [(reply.status, reply.error_type) for reply in replies] == [(503, "upstream_unavailable")]
    assert (shop.order(offer, KEY).status, supplier.calls("find_order")) == (201, 1)
    assert violations(supplier.report()) == []
