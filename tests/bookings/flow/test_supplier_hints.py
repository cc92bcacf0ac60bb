"""What a supplier's hint makes due, when it is followed, and what it never touches."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings import tasks
from apps.bookings.flow import supplier_hints
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking, Operation
from apps.bookings.receivers import wake
from apps.common import clock
from apps.esim.suppliers import registry
from apps.keys.models import ApiKey
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.models import SupplierEvent
from apps.suppliers.vendors import Hint, Webhooks
from apps.suppliers.webhooks import hint_stored, store
from tests.bookings.books import latest
from tests.factories.keys import issued_key
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


def test_a_supplier_that_does_not_answer_is_asked_again_for_an_hour(
    refresher: Refresher, move_clock: Callable[..., None]
) -> None:
    refresher.error = Unavailable()
    hint()
    assert [follow_hints(), follow_hints()] == [1, 1]
    move_clock(hours=1, seconds=1)
    assert [follow_hints(), follow_hints()] == [1, 0]


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


@pytest.fixture
def key(db: None) -> ApiKey:
    return issued_key()[0]


def test_hints_that_cannot_be_followed_yet_keep_no_newer_one_waiting(
    key: ApiKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = [hint() for _ in range(5)]
    same = clock.now() - timedelta(minutes=1)
    SupplierEvent.objects.filter(pk__in=[event.pk for event in events[1:4]]).update(received_at=same)
    broken = {event.pk for event in events[:4]}

    def refresh(event: SupplierEvent) -> None:
        if event.pk in broken:
            raise Unavailable

    monkeypatch.setattr(supplier_hints, "refresh", refresh)
    assert follow_hints(2) == 5
    assert set(SupplierEvent.objects.filter(handled_at=None).values_list("pk", flat=True)) == broken


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The options of every message that would go to the broker."""
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(tasks.follow_supplier_hints, "apply_async", lambda **options: sent.append(options))
    return sent


def test_a_hint_sends_one_message_that_waits_for_no_broker_and_leaves_no_result(
    messages: list[dict[str, Any]],
) -> None:
    hint_stored.send(sender=None)
    assert messages == [{"retry": False, "ignore_result": True}]
