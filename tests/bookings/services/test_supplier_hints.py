"""What a supplier's hint makes due, when it is followed, and what it never touches."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from apps.bookings import tasks
from apps.bookings.models import Booking, Operation
from apps.bookings.services.polling import poll_suppliers
from apps.bookings.services.recover import recover_due
from apps.bookings.services.supplier_hints import follow_hints, prune_hints
from apps.bookings.wakeups import wake
from apps.common import clock
from apps.esim.suppliers import registry
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.vendors import Webhooks
from apps.suppliers.webhooks.hints import Hint
from apps.suppliers.webhooks.models import SupplierEvent
from apps.suppliers.webhooks.signals import hint_stored
from apps.suppliers.webhooks.store import store
from tests.bookings.books import latest
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.django_db

OFFER = "off_0000Stub0001"


@pytest.fixture
def standing(shop: FlightShop) -> Booking:
    return Booking.objects.get(pk=shop.ordered()["id"])


@pytest.fixture
def unheard(shop: FlightShop, supplier: ScriptedFlights) -> Operation:
    """An order that the supplier accepted, though nobody here knows."""
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    assert shop.order(shop.offer()).status == 503
    return latest()


def hint(supplier: str = "simulator", **names: str) -> SupplierEvent:
    store(supplier, Hint(event_id=f"evt_{SupplierEvent.objects.count()}", kind="order.updated", **names))
    return SupplierEvent.objects.latest("pk")


def is_due(booking: Booking) -> bool:
    booking.refresh_from_db()
    return booking.next_news_at is not None and booking.next_news_at <= clock.now()


def test_a_hint_brings_the_news_forward(standing: Booking, supplier: ScriptedFlights) -> None:
    event = hint(supplier_reference=standing.supplier_reference)
    assert (poll_suppliers(), follow_hints()) == (0, 1)
    assert is_due(standing)
    event.refresh_from_db()
    assert event.handled_at is not None

    supplier.simulator.call_off(standing.supplier_reference)
    assert poll_suppliers() == 1
    standing.refresh_from_db()
    assert standing.status == "cancelled"


def test_a_hint_by_our_own_reference_brings_the_look_up_forward(unheard: Operation) -> None:
    hint(client_ref=unheard.client_ref)
    assert (recover_due(), follow_hints(), recover_due()) == (0, 1, 1)
    unheard.booking.refresh_from_db()
    assert unheard.booking.status == "ticketed"


def test_a_hint_by_the_offer_brings_the_look_up_forward(unheard: Operation) -> None:
    unheard.request["offer"]["supplier_data"]["offer_id"] = OFFER
    unheard.save(update_fields=["request"])
    hint(offer_id=OFFER[:-1])  # another offer, though its name is part of ours
    assert (follow_hints(), recover_due()) == (1, 0)
    hint(offer_id=OFFER)
    assert (follow_hints(), recover_due()) == (1, 1)


@pytest.mark.parametrize(
    "names",
    [
        {"supplier": "another", "supplier_reference": "of the booking"},
        {"supplier_reference": "unknown"},
        {"client_ref": "F-22222222"},
        {},
    ],
    ids=str,
)
def test_a_hint_that_names_nothing_of_this_supplier_makes_nothing_due(
    standing: Booking, names: dict[str, str]
) -> None:
    if names.get("supplier_reference") == "of the booking":
        names = {**names, "supplier_reference": standing.supplier_reference}
    hint(**names)
    assert follow_hints() == 1
    assert not is_due(standing)
    assert follow_hints() == 0


def test_a_booking_whose_journey_is_over_is_left_alone(standing: Booking) -> None:
    Booking.objects.filter(pk=standing.pk).update(next_news_at=None)
    hint(supplier_reference=standing.supplier_reference)
    follow_hints()
    assert not is_due(standing)


def test_an_operation_that_staff_decide_is_left_alone(unheard: Operation) -> None:
    Operation.objects.filter(pk=unheard.pk).update(state="review", next_attempt_at=None)
    hint(client_ref=unheard.client_ref)
    follow_hints()
    unheard.refresh_from_db()
    assert (unheard.state, unheard.next_attempt_at) == ("review", None)


class Refresher:
    """The product's own part; raises what it is given."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []
        self.error: Exception | None = None

    def __call__(self, supplier: str, hint: Hint) -> None:
        self.heard.append((supplier, hint.object_id))
        if self.error is not None:
            raise self.error


@pytest.fixture
def refresher(monkeypatch: pytest.MonkeyPatch) -> Refresher:
    refresher = Refresher()
    webhooks = Webhooks(lambda headers, body: None, refresher)
    simulator = replace(registry.VENDORS["simulator"], webhooks=webhooks)
    monkeypatch.setitem(registry.VENDORS, "simulator", simulator)
    return refresher


def test_the_products_own_part_is_called_once(refresher: Refresher) -> None:
    hint(object_id="8900000000000000001")
    assert (follow_hints(), follow_hints()) == (1, 0)
    assert refresher.heard == [("simulator", "8900000000000000001")]


def test_a_supplier_that_does_not_answer_is_asked_again_for_an_hour(
    refresher: Refresher, move_clock: Callable[..., None]
) -> None:
    refresher.error = Unavailable()
    hint()
    assert [follow_hints(), follow_hints()] == [1, 1]
    move_clock(hours=1, seconds=1)
    assert [follow_hints(), follow_hints()] == [1, 0]


def test_what_breaks_in_the_products_part_is_not_tried_again(
    refresher: Refresher, caplog: pytest.LogCaptureFixture
) -> None:
    refresher.error = KeyError("iccid")
    hint()
    assert [follow_hints(), follow_hints()] == [1, 0]
    assert "could not be followed" in caplog.text


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows with every message that would go to the broker."""
    sent: list[str] = []
    monkeypatch.setattr(tasks.follow_supplier_hints, "apply_async", lambda **options: sent.append("follow"))
    return sent


def test_a_new_hint_wakes_the_task_at_once(messages: list[str], standing: Booking) -> None:
    hint(supplier_reference=standing.supplier_reference)
    hint_stored.send_robust(sender=None)
    assert messages == ["follow"]
    tasks.follow_supplier_hints()
    assert is_due(standing)


def test_a_dead_broker_does_not_lose_a_hint(
    monkeypatch: pytest.MonkeyPatch, standing: Booking, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**options: object) -> None:
        raise ConnectionError("broker")

    monkeypatch.setattr(tasks.follow_supplier_hints, "apply_async", fail)
    hint(supplier_reference=standing.supplier_reference)
    wake()
    assert "the sweep will find it" in caplog.text
    assert not is_due(standing)
    tasks.follow_supplier_hints()  # as beat calls it
    assert is_due(standing)


def test_hints_are_forgotten_after_thirty_days() -> None:
    old, young = hint(), hint()
    for event, days in ((old, 30), (young, 29)):
        SupplierEvent.objects.filter(pk=event.pk).update(
            received_at=clock.now() - timedelta(days=days, minutes=1)
        )
    assert prune_hints() == 1
    assert list(SupplierEvent.objects.values_list("pk", flat=True)) == [young.pk]
