"""Settlements in the back office: what failed, why, and to be tried now."""

from datetime import timedelta

import pytest

from apps.bookings.flow.reconcile import put_back, settle_owed
from apps.bookings.models import Settlement
from apps.common import clock
from apps.ledger.services.check_ledger import check_ledger
from apps.portal.staff_dashboard import settlement_rows
from tests.support.api import Api
from tests.support.back_office import Desk, faults_of, told
from tests.transfers.agency import a_partner, an_order

pytestmark = pytest.mark.django_db
LIST = "/admin/bookings/settlement/"


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


def shown(path: str) -> list[object]:
    return list(Desk().get(path).context["cl"].result_list)


def test_what_failed_comes_first_then_all_that_is_owed(failing: Settlement) -> None:
    an_order(Api(a_partner().test_secret))
    later = Settlement.objects.exclude(pk=failing.pk).get()
    assert shown(LIST) == shown(f"{LIST}?standing=failing") == [failing]
    assert shown(f"{LIST}?standing=owed") == shown(f"{LIST}?standing=all") == [later, failing]
    Settlement.objects.update(settled_at=clock.now())
    assert (shown(LIST), shown(f"{LIST}?standing=owed")) == ([], [])
    assert shown(f"{LIST}?standing=all") == [later, failing]


def test_one_is_found_by_its_booking_and_by_its_hold(owed: Settlement) -> None:
    for words in (owed.booking.reference, owed.hold_id):
        assert shown(f"{LIST}?q={words}") == [owed]
    assert shown(f"{LIST}?q=nothing") == []


def test_the_page_tells_why_it_failed_and_what_it_belongs_to(failing: Settlement) -> None:
    desk = Desk()
    paths = [LIST, f"{LIST}{failing.pk}/change/"]
    assert [fault for path in paths for fault in faults_of(desk, path)] == []
    page = desk.get(paths[1]).content.decode()
    assert "no such hold" in page
    for link in (
        f"/admin/bookings/booking/{failing.booking_id}/change/",
        f"/admin/bookings/operation/{failing.operation_id}/change/",
        f"/admin/ledger/ledgertransaction/?q={failing.operation.client_ref}",
    ):
        assert link in page


def test_what_failed_is_tried_now_and_settled_once(failing: Settlement) -> None:
    desk = Desk()
    assert failing.next_attempt_at > clock.now() + timedelta(minutes=50)
    assert settle_owed() == 0
    assert told(desk.act(LIST, "try_now", failing)) == ["To be tried now: 1."]
    assert "To be tried now" in desk.get(f"{LIST}{failing.pk}/history/").content.decode()
    assert (settle_owed(), settle_owed(), check_ledger()) == (1, 0, [])


def test_what_did_not_fail_keeps_its_time(owed: Settlement) -> None:
    later = clock.now() + timedelta(days=1)
    Settlement.objects.update(next_attempt_at=later)
    desk = Desk()
    page = f"{LIST}?standing=all"
    refused = [f"{owed.pk}: It did not fail, or is settled.", "To be tried now: 0."]
    assert told(desk.act(page, "try_now", owed)) == refused
    Settlement.objects.update(failures=1, settled_at=clock.now())
    assert told(desk.act(page, "try_now", owed)) == refused
    assert Settlement.objects.get().next_attempt_at == later


def test_who_may_only_look_changes_nothing(failing: Settlement) -> None:
    Desk("bookings.view_settlement").act(LIST, "try_now", failing)
    assert Settlement.objects.get().next_attempt_at == failing.next_attempt_at
    assert Desk("bookings.view_booking").get(LIST).status_code == 403


def test_the_first_page_counts_what_the_list_shows(failing: Settlement) -> None:
    (row,) = settlement_rows(Desk().user)
    assert (row.figure, row.address, row.waits) == ("1", LIST, True)
    assert list(settlement_rows(Desk("bookings.view_booking").user)) == []
