"""Bookings and stuck operations in the back office."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.handlers import handler_for
from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.selectors import held_long, stuck_operations, waiting_operations
from apps.bookings.travellers import opened
from apps.common import clock
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from tests.bookings.books import funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.back_office import Desk, faults_of, told
from tests.support.flight_shop import PASSENGER, FlightShop
from tests.support.scripted_flights import ScriptedFlights

MoveClock = Callable[..., None]
LIST = "/admin/bookings/operation/"
BOOKINGS = "/admin/bookings/booking/"


@pytest.fixture
def review(shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock) -> Callable[[bool], Operation]:
    """An order that a silent airline has (`accepted`) or has not, handed over to staff."""

    def make(accepted: bool) -> Operation:
        supplier.spoil("book", OutcomeUnknown(), accepted=accepted)
        shop.order(shop.offer(), externalReference="PO-7")
        supplier.spoil("find_order", Unavailable())
        move_clock(hours=25)
        recover_due()
        return latest()

    return make


def page_of(operation: Operation) -> str:
    return f"{LIST}{operation.pk}/change/"


def shown(desk: Desk, path: str) -> list[object]:
    return list(desk.get(path).context["cl"].result_list)


def test_the_list_begins_with_what_is_stuck(review, shop: FlightShop) -> None:
    shop.ordered()
    finished = latest()
    stuck = review(False)
    desk = Desk()
    assert shown(desk, LIST) == [stuck]
    assert shown(desk, f"{LIST}?standing=review") == [stuck]
    assert shown(desk, f"{LIST}?standing=all") == [stuck, finished]
    assert shown(desk, f"{LIST}?q={finished.client_ref}") == [finished]


def test_money_held_for_over_a_day_is_stuck_whatever_the_operation(
    shop: FlightShop, move_clock: MoveClock
) -> None:
    shop.ordered()
    operation = latest()
    Settlement.objects.create(
        operation=operation,
        booking=operation.booking,
        action="capture",
        amount_cents=1,
        hold_id=operation.hold_id,
    )
    assert list(stuck_operations(clock.now())) == []
    move_clock(hours=25)
    assert list(stuck_operations(clock.now())) == list(held_long(clock.now())) == [operation]
    Settlement.objects.update(settled_at=clock.now())
    assert list(stuck_operations(clock.now())) == []


def test_what_waits_is_counted(review) -> None:
    review(False)
    counted = waiting_operations(clock.now())
    assert (counted.with_staff, counted.uncertain_for_long) == (1, 0)
    Operation.objects.update(state="uncertain", next_attempt_at=clock.now())
    counted = waiting_operations(clock.now())
    assert (counted.with_staff, counted.uncertain_for_long) == (0, 1)


def test_staff_look_up_from_the_list(review) -> None:
    operation = review(True)
    desk = Desk()
    answer = desk.act(LIST, "look_up", operation)
    assert told(answer) == [f"{operation.client_ref}: The supplier has it: it is done."]
    assert latest().state == "confirmed"


def test_one_click_looks_up_a_few_at_most(review, supplier: ScriptedFlights) -> None:
    rows = [review(False)]
    for number in range(5):
        copy = Operation.objects.get(pk=rows[0].pk)
        copy.pk, copy.client_ref, copy.state, copy.idempotency_record_id = None, f"F-{number}", "failed", None
        copy.save(force_insert=True)
        rows.append(copy)
    asked = supplier.calls("find_order")
    assert told(Desk().act(f"{LIST}?standing=all", "look_up", *rows)) == ["At most 5 at once."]
    assert supplier.calls("find_order") == asked


def test_staff_take_the_suppliers_word(review) -> None:
    operation = review(True)
    reference = handler_for(operation).find(operation).supplier_reference
    desk = Desk()
    wrong = desk.decide(page_of(operation), "has_it", supplier_reference="made up")
    assert "It stays with you." in told(wrong)[0]
    right = desk.decide(page_of(operation), "has_it", supplier_reference=reference)
    assert told(right) == ["Confirmed with the supplier's answer."]
    assert latest().state == "confirmed"
    history = desk.get(f"{LIST}{operation.pk}/history/").content.decode()
    assert f"supplier_reference: {reference}" in history


def test_staff_give_up_with_the_reference_and_a_reason(review, onboarded) -> None:
    operation = review(False)
    desk = Desk()
    mistyped = desk.decide(page_of(operation), "lacks_it", client_ref="F-1", reason="They never got it")
    assert told(mistyped) == ["That is not its reference."]
    empty = desk.decide(page_of(operation), "lacks_it", client_ref=operation.client_ref, reason="")
    [problem] = re.findall(r'href="#id_lacks_it-reason">(.*?)</a>', empty.content.decode())
    assert problem.endswith(": This field is required.")
    assert re.search(r"<title>\s*Error: ", empty.content.decode())
    done = desk.decide(
        page_of(operation), "lacks_it", client_ref=operation.client_ref, reason="They never got it"
    )
    assert told(done) == ["Given up; its funds are free."]
    assert (latest().failure, funds(onboarded)) == ("GivenUpByStaff", (BALANCE_CENTS, 0))
    assert "They never got it" in desk.get(f"{LIST}{operation.pk}/history/").content.decode()
    late = desk.decide(page_of(operation), "look_up")
    assert told(late) == ["That cannot be decided any more, or not by you."]


@pytest.mark.parametrize("verdict", ["", "delete", "\x00", "look_up' OR 1=1", "has_it"])
def test_a_hostile_post_changes_nothing(review, verdict: str) -> None:
    operation = review(False)
    answer = Desk().post(page_of(operation), {"verdict": verdict, "has_it-supplier_reference": "\x00" * 300})
    assert answer.status_code == 200
    assert latest().state == "review"


def test_who_may_only_look_is_offered_no_end(review) -> None:
    operation = review(True)
    desk = Desk("bookings.view_operation")
    assert "verdict" not in desk.get(page_of(operation)).content.decode()
    desk.decide(page_of(operation), "look_up")
    desk.act(LIST, "look_up", operation)
    assert latest().state == "review"
    assert [Desk("bookings.view_booking").get(path).status_code for path in (LIST, page_of(operation))] == [
        403,
        403,
    ]


@pytest.mark.parametrize("field", ["id", "reference", "external_reference", "supplier_reference"])
def test_a_booking_is_found_by_each_of_its_references(review, shop: FlightShop, field: str) -> None:
    shop.ordered()
    review(True)
    Desk().act(LIST, "look_up", latest())
    booking = latest().booking
    assert shown(Desk(), f"{BOOKINGS}?q={getattr(booking, field)}") == [booking]


def test_no_traveller_is_shown(review, shop: FlightShop) -> None:
    review(True)
    booking = latest().booking
    assert PASSENGER["lastName"] in str(opened(booking))
    desk = Desk()
    for path in (BOOKINGS, f"{BOOKINGS}{booking.pk}/change/", LIST, page_of(latest())):
        page = desk.get(path).content.decode()
        assert booking.reference in page
        assert PASSENGER["lastName"] not in page


def test_bookings_are_read_and_not_edited(shop: FlightShop) -> None:
    page = f"{BOOKINGS}{shop.ordered()['id']}/change/"
    desk = Desk()
    assert desk.post(page, {"status": "cancelled"}).status_code == 403
    assert desk.post(f"{page[:-7]}delete/", {"post": "yes"}).status_code == 403
    assert desk.get(f"{BOOKINGS}add/").status_code == 403
    assert Booking.objects.get().status == "ticketed"


def test_the_pages_are_lean_and_obey_the_policy(review, shop: FlightShop) -> None:
    offer = shop.offer()
    for _ in range(12):
        shop.order(offer)
    operation = review(True)
    pages = [LIST, f"{LIST}?standing=all", page_of(operation)]
    pages += [BOOKINGS, f"{BOOKINGS}?product__exact=flight", f"{BOOKINGS}{operation.booking_id}/change/"]
    desk = Desk()
    assert [fault for page in pages for fault in faults_of(desk, page)] == []
    assert desk.get(LIST, {"standing": "made-up"}).status_code == 200


def test_the_newest_booking_comes_first_whatever_its_product(shop: FlightShop, monkeypatch) -> None:
    flight = Booking.objects.get(pk=shop.ordered()["id"])
    copies = []
    for number, prefix in enumerate(("tord", "hbk", "etop", "eord", "ford")):
        copy = Booking.objects.get(pk=flight.pk)
        copy.pk = f"{prefix}_{'z' * (len(flight.pk) - len('ford_'))}"  # after whatever id there is
        copy.reference, copy.external_reference = f"X-{number}", None
        copy.created_at = clock.now() + timedelta(minutes=number)
        copy.save(force_insert=True)
        copies.append(copy)
    newest = [*reversed(copies), flight]
    assert shown(Desk(), BOOKINGS) == newest
    assert shown(Desk(), f"{BOOKINGS}?product__exact=flight&q={flight.account_id}") == newest
    monkeypatch.setattr("apps.bookings.admin.COUNTED", 0)
    assert shown(Desk(), BOOKINGS) == newest[:5]  # the newest of each
    page = Desk().get(f"{BOOKINGS}?o=1").content.decode()
    assert flight.reference in page
