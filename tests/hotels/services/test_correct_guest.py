"""Another name of the lead guest: a request that is sent once, and what becomes of it."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from orjson import loads

from apps.accounts.actors import SUPPORT
from apps.bookings.erasure import erase_travellers
from apps.bookings.flow import call, claim
from apps.bookings.flow.polling import has_ended, poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.gateway.models import IdempotencyRecord
from apps.hotels.details import StayDetails
from apps.hotels.models import CorrectionRequest, CorrectionStatus
from apps.hotels.services.correct_guest import PATIENCE, decide
from apps.suppliers.errors import Missing, OutcomeUnknown, Rejected, SupplierError, Unavailable
from apps.suppliers.models import SimulatedWrite, SupplierAlert
from apps.webhooks.models import Event
from tests.hotels.front_desk import ADA, CHARLES, OTHER_NAME, FrontDesk, faults, in_days
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.api import Api
from tests.support.back_office import Desk, faults_of, told
from tests.support.threads import all_at_once

MoveClock = Callable[..., None]
KEY = "correction-of-monday-1"
LIST = "/admin/hotels/correctionrequest/"


def stored_of(booking: dict[str, Any]) -> Booking:
    return Booking.objects.get(pk=booking["id"])


def lead(desk: FrontDesk, booking: dict[str, Any]) -> tuple[str | None, str]:
    """The state of its correction, and the lead guest's family name."""
    shown = desk.read(booking["id"]).body
    return shown["correction"] and shown["correction"]["status"], shown["guests"][0]["lastName"]


def asked_of_the_simulator() -> int:
    return SimulatedWrite.objects.filter(kind="correct").count()


def events_told() -> list[tuple[str, list[tuple[str, str, str]]]]:
    return [
        (event.type, [tuple(change.values()) for change in loads(event.payload)["data"].get("changes", [])])
        for event in Event.objects.exclude(type="booking.confirmed").order_by("created_at")
    ]


DONE = [("booking.supplier_changed", [("correction.status", "requested", "done")])]
ENDS = (CorrectionStatus.DONE, CorrectionStatus.NOT_DONE)
NOT_DONE = [("booking.supplier_changed", [("correction.status", "requested", "not_done")])]


def test_a_correction_is_requested_and_once_it_is_done_the_booking_has_the_name(
    desk: FrontDesk, move_clock: MoveClock
) -> None:
    booking = desk.booked(guests=[ADA, CHARLES])
    balance = desk.balance()
    assert booking["correction"] is None
    asked = desk.correct(booking)
    correction = asked.body["correction"]
    assert (asked.status, asked.body["status"]) == (202, "confirmed")
    assert correction == {
        "status": "requested",
        **OTHER_NAME,
        "requestedAt": correction["requestedAt"],
        "decidedAt": None,
    }
    assert asked.body["guests"] == booking["guests"]
    assert desk.read(booking["id"]).body == asked.body
    assert (poll_suppliers(), lead(desk, booking)) == (0, ("requested", "Lovelace"))  # not due yet
    move_clock(seconds=11)
    poll_suppliers()
    shown = desk.read(booking["id"]).body
    assert shown["correction"] == {
        **correction,
        "status": "done",
        "decidedAt": shown["correction"]["decidedAt"],
    }
    assert [guest["lastName"] for guest in shown["guests"]] == ["Byron", "Babbage"]
    assert (events_told(), desk.balance()) == (DONE, balance)
    has_ended(stored_of(booking))
    assert events_told() == DONE
    # The next one begins from there.
    again = desk.correct(booking, body={**OTHER_NAME, "lastName": "King"})
    assert (again.status, lead(desk, booking)) == (202, ("requested", "Byron"))


BAD: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, ["guest", "firstName", "lastName"]),
    "no letter": ({**OTHER_NAME, "firstName": "7"}, ["firstName"]),
    "blank": ({**OTHER_NAME, "lastName": "  "}, ["lastName"]),
    "a control character": ({**OTHER_NAME, "lastName": "By\u0007ron"}, ["lastName"]),
    "a bidirectional character": ({**OTHER_NAME, "lastName": "By\u202eron"}, ["lastName"]),
    "too long": ({**OTHER_NAME, "firstName": "A" * 256}, ["firstName"]),
    "no text": ({**OTHER_NAME, "firstName": 7}, ["firstName"]),
    "the same name": ({"guest": 0, "firstName": " Ada ", "lastName": "Lovelace"}, ["lastName"]),
    "no such guest": ({**OTHER_NAME, "guest": 2}, ["guest"]),
    "a guest below 0": ({**OTHER_NAME, "guest": -1}, ["guest"]),
    "a guest by name": ({**OTHER_NAME, "guest": "Ada"}, ["guest"]),
    "an unknown field": ({**OTHER_NAME, "middleName": "Augusta"}, ["middleName"]),
}


@pytest.mark.parametrize(("body", "fields"), BAD.values(), ids=BAD)
def test_bad_input_names_its_field_and_asks_nobody(
    desk: FrontDesk, body: dict[str, Any], fields: list[str]
) -> None:
    booking = desk.booked(guests=[ADA, CHARLES])
    assert sorted(faults(desk.correct(booking, body=body))) == sorted(fields)
    assert (Operation.objects.count(), asked_of_the_simulator(), lead(desk, booking)[0]) == (1, 0, None)


def test_suppliers_correct_the_lead_guest_only_who_is_the_first_adult(desk: FrontDesk) -> None:
    search = {"rooms": [{"adults": 2, "childrenAges": [7]}]}
    child = {"firstName": "Byron", "lastName": "King", "type": "child", "age": 7}
    booking = desk.booked(desk.rate(search), guests=[child, ADA, CHARLES])
    for guest in (0, 2):
        refused = desk.correct(booking, body={**OTHER_NAME, "guest": guest})
        assert (refused.status, refused.error_type) == (409, "conflict")
    assert desk.correct(booking, body={**OTHER_NAME, "guest": 1}).status == 202
    assert asked_of_the_simulator() == 1


def test_one_correction_is_open_at_a_time(desk: FrontDesk) -> None:
    booking = desk.booked()
    assert desk.correct(booking, KEY).status == 202
    assert desk.correct(booking).status == 409
    again = desk.correct(booking, KEY)
    assert (again.status, again.headers["Idempotent-Replayed"]) == (202, "true")
    assert asked_of_the_simulator() == 1


def cancelled(desk: FrontDesk, booking: dict[str, Any], move_clock: MoveClock) -> None:
    desk.cancel(booking)


def over(desk: FrontDesk, booking: dict[str, Any], move_clock: MoveClock) -> None:
    move_clock(days=33)


def forgotten(desk: FrontDesk, booking: dict[str, Any], move_clock: MoveClock) -> None:
    Booking.objects.update(erased_at=stored_of(booking).created_at)


@pytest.mark.parametrize("ended", [cancelled, over, forgotten])
def test_what_no_longer_stands_cannot_be_corrected(
    desk: FrontDesk, move_clock: MoveClock, ended: Callable[..., None]
) -> None:
    booking = desk.booked()
    ended(desk, booking, move_clock)
    refused = desk.correct(booking)
    assert (refused.status, refused.error_type, asked_of_the_simulator()) == (409, "conflict", 0)


def test_another_partners_booking_is_unknown(desk: FrontDesk, stranger: Api) -> None:
    assert FrontDesk(stranger).correct(desk.booked()).status == 404


REFUSALS = {
    Rejected: (502, "upstream_error"),
    Unavailable: (503, "upstream_unavailable"),
    Missing: (404, "not_found"),
}


@pytest.mark.parametrize("error", REFUSALS)
def test_a_refusal_leaves_nothing_open_and_the_retry_is_a_new_attempt(
    desk: FrontDesk, supplier: ScriptedHotels, error: type[SupplierError]
) -> None:
    booking = desk.booked()
    supplier.raises["ask_correction"] = error
    refused = desk.correct(booking, KEY)
    assert (refused.status, refused.error_type) == REFUSALS[error]
    assert (lead(desk, booking), CorrectionRequest.objects.count()) == ((None, "Lovelace"), 0)
    supplier.raises.clear()
    assert desk.correct(booking, KEY if refused.status >= 500 else None).status == 202


def test_a_lost_answer_counts_as_requested_and_is_not_sent_again(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: MoveClock
) -> None:
    booking = desk.booked()
    supplier.loses.add("ask_correction")
    assert desk.correct(booking, KEY).status == 202
    assert desk.correct(booking, KEY).headers["Idempotent-Replayed"] == "true"
    assert CorrectionRequest.objects.get().is_certain is False
    move_clock(seconds=11)
    poll_suppliers()
    assert (lead(desk, booking), asked_of_the_simulator()) == (("done", "Byron"), 1)


class Died(BaseException):
    """The process ends here."""


WHERE = {
    "before it holds the operation": (claim, "perform", False, 0),
    "before it marks the call": (call, "mark_calling", False, 0),
    "before it calls": (call, "mark_calling", True, 0),
    "after the supplier has it": (call, "call_supplier", True, 1),
    "before it writes": (call, "confirm", False, 1),
    "after it has written": (call, "confirm", True, 1),
}


@pytest.mark.parametrize("by_itself", [True, False], ids=["recovered", "retried"])
@pytest.mark.parametrize(("module", "name", "after", "sent"), WHERE.values(), ids=WHERE)
def test_a_process_that_dies_never_sends_it_twice(
    desk: FrontDesk,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: MoveClock,
    module: Any,
    name: str,
    after: bool,
    sent: int,
    by_itself: bool,
) -> None:
    booking = desk.booked()
    real = getattr(module, name)

    def dying(*given: Any, **named: Any) -> Any:
        if after:
            real(*given, **named)
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(module, name, dying)
        with pytest.raises(Died):
            desk.correct(booking, KEY)
    was_never_called = Operation.objects.get(kind="correct").state == "held"
    assert asked_of_the_simulator() == sent
    move_clock(seconds=120)
    IdempotencyRecord.objects.filter(key=KEY, completed_at=None).update(
        lease_until=stored_of(booking).created_at
    )
    if by_itself:
        for _ in range(3):
            recover_due()
            move_clock(seconds=120)
    reply = desk.correct(booking, KEY)
    assert (reply.status, reply.body["correction"]["status"]) == (202, "requested")
    assert asked_of_the_simulator() == (1 if was_never_called else sent)
    assert Operation.objects.filter(kind="correct", state="confirmed").count() == 1
    known = CorrectionRequest.objects.get().is_certain
    assert known == (was_never_called or (name, after) == ("confirm", True))


# --- The deadline, and who decides then -----------------------------------------------------------------------------------
def live_and_idle(live: Api, supplier: ScriptedHotels, **search: Any) -> tuple[FrontDesk, dict[str, Any]]:
    """A live booking whose supplier corrects no name, just asked to."""
    supplier.is_idle = True
    desk = FrontDesk(live)
    booking = desk.booked(desk.rate(search) if search else None)
    assert desk.correct(booking).status == 202
    return desk, booking


@pytest.fixture
def silent(live: Api, supplier: ScriptedHotels) -> tuple[FrontDesk, dict[str, Any]]:
    return live_and_idle(live, supplier)


def alerts() -> list[tuple[str, int]]:
    return list(SupplierAlert.objects.values_list("kind", "count"))


@pytest.mark.parametrize("fault", [None, "read_booking", "is_corrected"])
def test_at_its_deadline_staff_are_alerted_once_also_while_the_supplier_is_away(
    silent: tuple[FrontDesk, dict[str, Any]],
    supplier: ScriptedHotels,
    move_clock: MoveClock,
    fault: str | None,
) -> None:
    desk, booking = silent
    move_clock(hours=47)
    poll_suppliers()
    assert alerts() == []
    if fault is not None:
        supplier.raises[fault] = Unavailable
    for _ in range(3):
        move_clock(hours=2)
        poll_suppliers()
    assert (alerts(), lead(desk, booking)) == ([("correction_open", 1)], ("requested", "Lovelace"))
    supplier.raises.clear()
    supplier.is_idle = False
    move_clock(hours=2)
    poll_suppliers()
    assert (lead(desk, booking), CorrectionRequest.objects.get().status) == (("done", "Byron"), "done")


@pytest.mark.parametrize(("days", "hours"), [(30, 48), (1, 24), (0, 0)])
def test_the_deadline_is_the_check_in_day_at_the_latest(
    live: Api, supplier: ScriptedHotels, noon: Any, days: int, hours: int
) -> None:
    _, booking = live_and_idle(live, supplier, checkIn=in_days(days), checkOut=in_days(days + 2))
    asked = CorrectionRequest.objects.get()
    waits = asked.due_at - asked.requested_at
    assert waits <= PATIENCE
    assert waits <= timedelta(hours=hours)
    assert (waits == PATIENCE) == (days == 30)
    assert asked.due_at == StayDetails.of(stored_of(booking)).correction.due_at


@pytest.mark.parametrize(
    ("verdict", "name", "events"), [("done", "Byron", DONE), ("not_done", "Lovelace", NOT_DONE)]
)
def test_staff_record_what_the_supplier_said(
    silent: tuple[FrontDesk, dict[str, Any]], verdict: str, name: str, events: list[Any]
) -> None:
    desk, booking = silent
    page = f"{LIST}{booking['id']}/change/"
    office = Desk()
    assert [row.booking_id for row in office.get(LIST).context["cl"].result_list] == [booking["id"]]
    html = office.get(page).content.decode()
    assert "Byron" not in html
    assert faults_of(office, page) == faults_of(office, LIST) == []
    assert told(office.decide(page, verdict, reason="They called back")) == [
        f"Recorded: {verdict.replace('_', ' ')}."
    ]
    assert (lead(desk, booking), events_told()) == ((verdict, name), events)
    assert "They called back" in office.get(f"{LIST}{booking['id']}/history/").content.decode()
    assert list(office.get(LIST).context["cl"].result_list) == []
    assert told(office.decide(page, "done", reason="Again")) == [
        "That cannot be decided any more, or not by you."
    ]
    assert desk.correct(booking, body={**OTHER_NAME, "lastName": "King"}).status == 202


def test_what_is_overdue_is_on_the_dashboard_and_can_be_closed_once_the_travellers_are_forgotten(
    silent: tuple[FrontDesk, dict[str, Any]], move_clock: MoveClock
) -> None:
    desk, booking = silent
    overdue = "Overdue name corrections"
    assert list(Desk().get(f"{LIST}?standing=overdue").context["cl"].result_list) == []
    move_clock(days=40)
    poll_suppliers()
    office = Desk()
    assert [row.pk for row in office.get(f"{LIST}?standing=overdue").context["cl"].result_list] == [
        booking["id"]
    ]
    assert overdue in office.get("/admin/").content.decode()
    erase_travellers(booking=stored_of(booking), erased_by=SUPPORT)
    page = f"{LIST}{booking['id']}/change/"
    assert told(office.decide(page, "not_done", reason="Too late")) == ["Recorded: not done."]
    assert (CorrectionRequest.objects.get().status, events_told()) == ("not_done", [])
    assert desk.read(booking["id"]).body["correction"] is None


def test_who_may_only_look_decides_nothing(silent: tuple[FrontDesk, dict[str, Any]]) -> None:
    desk, booking = silent
    page = f"{LIST}{booking['id']}/change/"
    reader = Desk("hotels.view_correctionrequest")
    assert reader.get(page).context["ways"] == []
    reader.decide(page, "done", reason="They called back")
    assert lead(desk, booking)[0] == "requested"


def test_the_sandbox_leaves_a_request_open_when_asked_to_and_ends_it_at_the_deadline(
    desk: FrontDesk, move_clock: MoveClock
) -> None:
    booking = desk.booked()
    asked = desk.correct(booking, X_Partner_Customer_Ref="sbx_pending")
    assert (asked.status, asked.headers["X-Sandbox-Trigger"]) == (202, "sbx_pending")
    move_clock(hours=47)
    poll_suppliers()
    assert lead(desk, booking)[0] == "requested"
    move_clock(hours=2)
    poll_suppliers()
    assert (lead(desk, booking), events_told(), alerts()) == (("not_done", "Lovelace"), NOT_DONE, [])


# --- Beside what else happens to the booking ------------------------------------------------------------------------------
def test_a_cancellation_ends_an_open_correction(desk: FrontDesk) -> None:
    booking = desk.booked()
    desk.correct(booking)
    done = desk.cancel(booking)
    assert (done.status, done.body["correction"]["status"]) == (200, "not_done")
    assert done.body["correction"]["decidedAt"] is not None
    assert CorrectionRequest.objects.get().status == "not_done"
    assert {type_ for type_, _ in events_told()} == {"booking.cancelled", "payment.refunded"}


def test_a_cancellation_that_is_under_way_is_waited_for(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    booking = desk.booked()
    supplier.raises["find_cancellation"] = Unavailable
    supplier.loses.add("cancel")
    assert desk.cancel(booking).status == 503
    refused = desk.correct(booking)
    assert (refused.status, refused.error["message"]) == (
        409,
        "Another operation on this booking is in progress.",
    )


@pytest.mark.django_db(transaction=True)
def test_beside_a_cancellation_one_of_them_is_refused_or_comes_after_the_other(desk: FrontDesk) -> None:
    for _ in range(4):
        booking = desk.booked()
        correction, cancellation = all_at_once(
            [partial(desk.correct, booking), partial(desk.cancel, booking)]
        )
        assert {correction.status, cancellation.status} <= {200, 202, 409}
        assert 409 not in (correction.status, cancellation.status) or correction.status != cancellation.status
        shown = desk.read(booking["id"]).body
        assert (shown["status"] == "cancelled") == (cancellation.status == 200)
        assert (shown["correction"] is not None) == (correction.status == 202)
        if shown["status"] == "cancelled" and shown["correction"]:
            assert shown["correction"]["status"] == "not_done"


@pytest.mark.django_db(transaction=True)
def test_of_several_at_once_one_is_sent(desk: FrontDesk) -> None:
    booking = desk.booked()
    replies = all_at_once([partial(desk.correct, booking)] * 4)
    assert sorted(reply.status for reply in replies) == [202, 409, 409, 409]
    assert asked_of_the_simulator() == 1


@pytest.mark.django_db(transaction=True)
def test_polls_and_staff_at_once_decide_it_once(silent: tuple[FrontDesk, dict[str, Any]]) -> None:
    desk, booking = silent
    asked, stored = CorrectionRequest.objects.get(), stored_of(booking)
    verdicts = [partial(decide, stored, asked.client_ref, status) for status in ENDS] * 2
    assert sorted(all_at_once(verdicts)) == [False, False, False, True]
    state = CorrectionRequest.objects.get().status
    assert (lead(desk, booking)[0], len(events_told())) == (state, 1)


def test_names_are_sealed_and_forgotten_with_the_travellers(
    desk: FrontDesk, caplog: pytest.LogCaptureFixture
) -> None:
    booking = desk.booked()
    desk.correct(booking, KEY, body={"guest": 0, "firstName": "Zzyzx", "lastName": "Qwxyz"})
    has_ended(stored_of(booking))
    assert lead(desk, booking) == ("done", "Qwxyz")
    assert everywhere("Zzyzx", "Qwxyz") == set()
    assert not re.search("Zzyzx|Qwxyz", caplog.text)
    desk.cancel(booking)
    erase_travellers(booking=stored_of(booking), erased_by=SUPPORT)
    shown = desk.read(booking["id"]).body
    assert (shown["redacted"], shown["correction"], shown["guests"]) == (True, None, [])
    replayed = desk.correct(booking, KEY, body={"guest": 0, "firstName": "Zzyzx", "lastName": "Qwxyz"})
    assert (replayed.headers["Idempotent-Replayed"], replayed.body["correction"]) == ("true", None)


def everywhere(*words: str) -> set[str]:
    """The tables that have one of the words as plain text."""
    with connection.cursor() as cursor:
        found = set()
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT 1 FROM "{table}" AS t WHERE t::text ~ %s LIMIT 1', ["|".join(words)])
            if cursor.fetchone():
                found.add(table)
        return found


def test_a_lost_answer_is_not_an_unknown_end(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    supplier.raises["ask_correction"] = partial(OutcomeUnknown, "lost before it arrived")
    booking = desk.booked()
    assert desk.correct(booking).status == 202
    assert desk.cancel(booking).status == 200  # nothing is under way that it had to wait for
