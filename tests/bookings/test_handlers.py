"""What the flow asks of a product's handlers: whether a supplier is a real one, how often it is polled, what was undone."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings import handlers
from apps.bookings.handlers import (
    Accepted,
    Outcome,
    cancel_handler_for,
    handler_for,
    lookups_of,
    polling_pause,
    register,
    unless_undone,
)
from apps.bookings.models import Booking, Operation
from apps.suppliers.vendors import Lookups, PollingPace, Vendor

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
LOOKUPS = Lookups(at=(30,), give_up_after=60)
PACE = PollingPace(usual=timedelta(days=1), close=timedelta(hours=1), close_from=timedelta(days=7))
BY_DEFAULT = timedelta(minutes=30)


class Balloons:
    """A product of two suppliers: one declares everything, the other nothing."""

    product, kind = "balloon", "cancel"
    vendors: Mapping[str, Vendor[Any]] = {
        "real": Vendor("real", object, lookups=LOOKUPS, polling=PACE),
        "simulator": Vendor("simulator", object),
    }

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        return now + timedelta(hours=2)


@pytest.fixture
def balloons(monkeypatch: pytest.MonkeyPatch) -> Balloons:
    monkeypatch.setattr(handlers, "_handlers", {})
    register(handler := Balloons())  # type: ignore[arg-type]
    return handler


def ride(supplier: str = "real", product: str = "balloon") -> Booking:
    return Booking(product=product, supplier_name=supplier)


def test_a_handler_is_found_by_its_product_and_kind(balloons: Balloons) -> None:
    assert handler_for(Operation(booking=ride(), kind="cancel")) is balloons  # type: ignore[comparison-overlap]
    assert cancel_handler_for(ride()) is balloons  # type: ignore[comparison-overlap]
    assert cancel_handler_for(ride(product="hotel")) is None
    with pytest.raises(KeyError):
        handler_for(Operation(booking=ride(), kind="book"))


@pytest.mark.parametrize(("supplier", "lookups"), [("real", LOOKUPS), ("simulator", None), ("gone", None)])
def test_look_ups_are_the_suppliers_own_where_it_declares_any(
    balloons: Balloons, supplier: str, lookups: Lookups | None
) -> None:
    assert lookups_of(Operation(booking=ride(supplier), kind="cancel")) == lookups


@pytest.mark.parametrize(
    ("supplier", "product", "pause"),
    [
        ("real", "balloon", timedelta(hours=1)),
        ("simulator", "balloon", BY_DEFAULT),
        ("gone", "balloon", BY_DEFAULT),
        ("real", "hotel", BY_DEFAULT),
    ],
)
def test_polls_are_as_far_apart_as_the_supplier_declares(
    balloons: Balloons, settings: Any, supplier: str, product: str, pause: timedelta
) -> None:
    settings.SUPPLIER_NEWS_SECONDS = BY_DEFAULT.total_seconds()
    assert polling_pause(ride(supplier, product), NOW) == pause


@pytest.mark.parametrize(
    ("found", "penalty", "booked"),
    [
        (None, 0, None),
        (None, 5, None),
        ("a stay", None, "a stay"),
        ("a stay", 0, None),
        ("a stay", 1, "a stay"),
        ("a stay", -1, "a stay"),
    ],
)
def test_what_was_cancelled_at_no_cost_was_never_booked(
    found: str | None, penalty: int | None, booked: str | None
) -> None:
    def penalty_of(what: str) -> int | None:
        assert what == "a stay"  # nothing is asked of nothing
        return penalty

    assert unless_undone(found, penalty_of) == booked


def test_what_a_supplier_accepted_has_a_reference_and_says_so() -> None:
    accepted = Accepted("their-7")
    assert (accepted.supplier_reference, str(accepted)) == ("their-7", "their-7")


def test_an_outcome_moves_no_money_that_it_does_not_name() -> None:
    outcome = Outcome("confirmed", {}, 1_000, "their-7")
    assert (outcome.capture_cents, outcome.refund_cents, outcome.credit_later_cents) == (None, 0, 0)
    assert (outcome.release_hold_id, outcome.release_keeps_cents, outcome.capture_later) == ("", 0, False)
    assert (outcome.cancellation, outcome.watched_until, outcome.events) == (None, None, ())


@pytest.mark.parametrize(
    ("columns", "more"),
    [
        ({}, False),
        ({"capture_cents": 5}, False),
        ({"refund_cents": 5}, True),
        ({"release_hold_id": "hold_1"}, True),
        ({"credit_later_cents": 5}, True),
        ({"capture_later": True}, True),
    ],
)
def test_an_outcome_moves_more_than_its_own_hold(columns: dict[str, Any], more: bool) -> None:
    assert Outcome("confirmed", {}, 1_000, "their-7", **columns).moves_more is more
