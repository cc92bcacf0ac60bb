"""Bookings and stuck operations in the back office."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache

from apps.accounts.mails import choose_mails
from apps.accounts.models import AccountAuditEntry
from apps.bookings.flow.reconcile import put_back, settle_owed
from apps.bookings.flow.recover import mail_review, recover_due
from apps.bookings.handlers import handler_for
from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.travellers import opened
from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from tests.bookings.books import funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.api import Api
from tests.support.back_office import Desk, faults_of, told
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop
from tests.support.scripted_flights import ScriptedFlights
from tests.transfers.agency import a_partner, an_order

pytestmark = pytest.mark.django_db
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


def test_staff_take_the_suppliers_word(review) -> None:
    operation = review(True)
    reference = handler_for(operation).find(operation).supplier_reference
    desk = Desk()
    wrong = desk.decide(page_of(operation), "has_it", supplier_reference="made up")
    assert "It remains assigned to you." in told(wrong)[0]
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


SETTLEMENTS = "/admin/bookings/settlement/"


@pytest.fixture
def owed() -> Settlement:
    an_order(Api(a_partner().test_secret))
    return Settlement.objects.get()


@pytest.fixture
def failing(owed: Settlement) -> Settlement:
    """It failed four times, and is tried again in an hour."""
    for _ in range(4):
        put_back(owed, RuntimeError("no such hold"))
        owed.refresh_from_db()
    return owed


def settlements_shown(path: str) -> list[object]:
    return list(Desk().get(path).context["cl"].result_list)


def test_what_failed_comes_first_then_all_that_is_owed(failing: Settlement) -> None:
    an_order(Api(a_partner().test_secret))
    later = Settlement.objects.exclude(pk=failing.pk).get()
    assert settlements_shown(SETTLEMENTS) == settlements_shown(f"{SETTLEMENTS}?standing=failing") == [failing]
    assert (
        settlements_shown(f"{SETTLEMENTS}?standing=owed")
        == settlements_shown(f"{SETTLEMENTS}?standing=all")
        == [later, failing]
    )
    Settlement.objects.update(settled_at=clock.now())
    assert (settlements_shown(SETTLEMENTS), settlements_shown(f"{SETTLEMENTS}?standing=owed")) == ([], [])
    assert settlements_shown(f"{SETTLEMENTS}?standing=all") == [later, failing]


def test_what_failed_is_tried_now_and_settled_once(failing: Settlement) -> None:
    desk = Desk()
    assert failing.next_attempt_at > clock.now() + timedelta(minutes=50)
    assert settle_owed() == 0
    assert told(desk.act(SETTLEMENTS, "try_now", failing)) == ["To be tried now: 1."]
    assert "To be tried now" in desk.get(f"{SETTLEMENTS}{failing.pk}/history/").content.decode()
    assert (settle_owed(), settle_owed(), check_ledger()) == (1, 0, [])


def test_who_may_only_look_changes_nothing(failing: Settlement) -> None:
    Desk("bookings.view_settlement").act(SETTLEMENTS, "try_now", failing)
    assert Settlement.objects.get().next_attempt_at == failing.next_attempt_at
    assert Desk("bookings.view_booking").get(SETTLEMENTS).status_code == 403


def address(order: dict[str, Any]) -> str:
    return f"{BOOKINGS}{order['id']}/erase/"


def ended(shop: FlightShop) -> dict[str, Any]:
    order = shop.ordered()
    shop.cancel(order["id"])
    return order


def test_staff_erase_with_the_reference_to_confirm(shop: FlightShop) -> None:
    order, desk = ended(shop), Desk()
    assert address(order) in desk.get(f"{BOOKINGS}{order['id']}/change/").content.decode()
    assert "Erase the travellers" in desk.get(address(order)).content.decode()
    wrong = desk.post(address(order), {"reference": "F-WRONG"})
    assert "That is not its reference." in wrong.content.decode()
    assert shop.read(order["id"])["contact"] == CONTACT
    page = desk.post(address(order), {"reference": order["reference"]}, follow=True).content.decode()
    assert "The travellers are erased." in page
    assert shop.read(order["id"])["redacted"] is True
    entry = AccountAuditEntry.objects.get(action="bookings.travellers_erased")
    assert (entry.actor, entry.actor_label) == (desk.user, "Support")


def test_a_journey_to_come_is_refused(shop: FlightShop) -> None:
    order = shop.ordered()
    page = Desk().post(address(order), {"reference": order["reference"]}, follow=True).content.decode()
    assert "The journey is not over yet" in page
    assert Booking.objects.get().erased_at is None


def test_who_may_only_look_may_not_erase(shop: FlightShop) -> None:
    order = ended(shop)
    desk = Desk("bookings.view_booking")
    assert desk.get(address(order)).status_code == 403
    assert desk.post(address(order), {"reference": order["reference"]}).status_code == 403
    assert Desk().get(f"{BOOKINGS}ford_none/erase/").status_code == 404
    assert Booking.objects.get().erased_at is None


@pytest.fixture(autouse=True)
def pause_is_over() -> None:
    cache.delete("staff_mail:reviews")


@pytest.fixture
def in_review(shop, supplier, move_clock) -> Callable[[], Operation]:
    def make() -> Operation:
        supplier.spoil("book", OutcomeUnknown(), accepted=False)
        shop.order(shop.offer())
        supplier.spoil("find_order", Unavailable())
        move_clock(hours=25)
        recover_due()
        return latest()

    return make


def test_a_review_is_mailed_once_in_ten_minutes_and_names_no_traveller(
    in_review, django_capture_on_commit_callbacks
) -> None:
    reader = Desk("bookings.view_operation")
    choose_mails(person=reader.user, kinds=["reviews"])
    with django_capture_on_commit_callbacks(execute=True):
        operation = in_review()
    (letter,) = mail.outbox
    with django_capture_on_commit_callbacks(execute=True):
        mail_review(operation)
    assert mail.outbox == [letter]
    assert letter.to == [reader.user.email]
    assert letter.subject == f"An operation needs your decision: book {operation.client_ref}"
    assert f"/admin/bookings/operation/{operation.pk}/change/" in letter.body
    assert "It is the only one that waits." in letter.body
    assert "Lovelace" not in letter.body
