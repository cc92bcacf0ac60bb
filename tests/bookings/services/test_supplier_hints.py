"""What a supplier's hint makes due, when it is followed, and what it never touches."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.bookings import tasks
from apps.bookings.flow import supplier_hints
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints, make_due, named_by, open_operations, prune_hints
from apps.bookings.models import Booking, Operation
from apps.bookings.receivers import wake
from apps.common import clock
from apps.esim.suppliers import registry
from apps.gateway.periodic import Tally
from apps.keys.models import ApiKey
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.models import SupplierEvent
from apps.suppliers.vendors import Hint, Webhooks
from apps.suppliers.webhooks import hint_stored, store
from tests.bookings.books import latest
from tests.bookings.rows import a_booking, an_operation
from tests.factories.keys import issued_key
from tests.support.flight_shop import FlightShop
from tests.support.plans import read_as_the_table_lies
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


@pytest.mark.parametrize(
    ("error", "answered", "failures"),
    [
        (None, True, {}),
        (Unavailable(), False, {"simulator": "Unavailable"}),
        (KeyError("iccid"), False, {"simulator": "KeyError: 'iccid'"}),
    ],
)
def test_who_answered_is_told(
    refresher: Refresher, error: Exception | None, answered: bool, failures: dict[str, str]
) -> None:
    refresher.error = error
    hint()
    tally = Tally()
    follow_hints(tally=tally)
    assert ("simulator" in tally.outcome.answered, dict(tally.outcome.failures)) == (answered, failures)


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


NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)


@pytest.fixture
def key(db: None) -> ApiKey:
    return issued_key()[0]


def test_a_hint_names_bookings_of_its_supplier_in_each_of_its_ways(key: ApiKey) -> None:
    booking = a_booking(key, supplier_reference="their-7", supplier_name="acme")
    an_operation(booking, kind="cancel", client_ref="F-7-X7", state="failed", request={"offer": OFFER})
    asked = a_booking(key, supplier_name="acme")
    an_operation(asked, state="uncertain", request={"offer": {"id": OFFER}})
    elsewhere = a_booking(key, supplier_reference="their-7")
    an_operation(elsewhere, state="uncertain", request={"offer": {"id": OFFER}}, client_ref="F-8-X7")
    named = {
        "supplier_reference": ("their-7", booking),
        "client_ref": (booking.reference, booking),
        "offer_id": (OFFER, asked),
    }
    for way, (name, meant) in named.items():
        assert set(named_by(hint("acme", **{way: name}))) == {meant.pk}
    assert set(named_by(hint("acme", client_ref="F-7-X7"))) == {booking.pk}
    assert set(named_by(hint("acme", client_ref="F-8-X7"))) == set()
    assert set(named_by(hint("acme"))) == set()


def test_open_are_the_operations_that_are_looked_up_at_the_hints_supplier(key: ApiKey) -> None:
    states = ("held", "calling", "uncertain", "review", "confirmed", "failed")
    made = {state: an_operation(a_booking(key, supplier_name="acme"), state=state) for state in states}
    an_operation(a_booking(key), state="uncertain")
    assert list(open_operations(hint("acme"))) == [made["uncertain"]]


def test_what_is_due_before_keeps_its_place_in_the_line(key: ApiKey) -> None:
    overdue = clock.now() - timedelta(hours=1)
    booking = a_booking(key, supplier_reference="their-7", next_news_at=overdue)
    an_operation(booking, state="uncertain", next_attempt_at=overdue)
    make_due(hint(supplier_reference="their-7"))
    assert Booking.objects.get().next_news_at == Operation.objects.get().next_attempt_at == overdue


def test_hints_are_followed_oldest_first_and_one_by_one(key: ApiKey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supplier_hints, "RUN_SECONDS", 0.0)
    events = [hint() for _ in range(3)]
    for event, age in zip(events, (1, 3, 2), strict=True):
        SupplierEvent.objects.filter(pk=event.pk).update(received_at=clock.now() - timedelta(minutes=age))
    read_as_the_table_lies()
    left = []
    for _ in events:
        assert follow_hints(1) == 1
        left.append(set(SupplierEvent.objects.filter(handled_at=None).values_list("pk", flat=True)))
    assert left == [{events[0].pk, events[2].pk}, {events[0].pk}, set()]


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


@pytest.mark.parametrize(("hints", "looks"), [(1, 1), (2, 2), (3, 2)])
def test_more_hints_are_looked_for_only_after_a_full_batch(key: ApiKey, hints: int, looks: int) -> None:
    for _ in range(hints):
        hint()
    with CaptureQueriesContext(connection) as statements:
        assert follow_hints(2) == hints
    read = f'FROM "{SupplierEvent._meta.db_table}"'
    assert sum(read in statement["sql"] for statement in statements) == looks


@pytest.mark.parametrize(("ago", "again"), [(timedelta(hours=1) - TICK, True), (timedelta(hours=1), False)])
def test_a_silent_supplier_is_asked_for_an_hour_to_the_instant(
    refresher: Refresher, monkeypatch: pytest.MonkeyPatch, ago: timedelta, again: bool
) -> None:
    refresher.error = Unavailable()
    hint()
    SupplierEvent.objects.update(received_at=NOON - ago)
    monkeypatch.setattr(clock, "_database_now", lambda: NOON)
    assert [follow_hints(), follow_hints()] == [1, int(again)]


@pytest.mark.parametrize("webhooks", [None, Webhooks(lambda headers, body: None)], ids=["none", "no part"])
def test_a_product_without_a_part_of_its_own_has_nothing_to_do(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, key: ApiKey, webhooks: Webhooks | None
) -> None:
    vendor = replace(registry.VENDORS["simulator"], webhooks=webhooks)
    monkeypatch.setitem(registry.VENDORS, "simulator", vendor)
    hint()
    assert [follow_hints(), follow_hints()] == [1, 0]
    assert "could not be followed" not in caplog.text


@pytest.mark.parametrize(("ago", "pruned"), [(timedelta(days=30), 0), (timedelta(days=30) + TICK, 1)])
def test_hints_are_kept_for_thirty_days_to_the_instant(
    monkeypatch: pytest.MonkeyPatch, key: ApiKey, ago: timedelta, pruned: int
) -> None:
    hint()
    SupplierEvent.objects.update(received_at=NOON - ago)
    monkeypatch.setattr(clock, "_database_now", lambda: NOON)
    assert prune_hints() == pruned
