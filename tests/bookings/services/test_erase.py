"""Erasing the travellers of a booking on request."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AccountAuditEntry
from apps.bookings import erasure
from apps.bookings.erasure import erase_travellers, last_service
from apps.bookings.models import Booking, Settlement, TravellerKey
from apps.common import clock
from apps.common.encryption import encrypt
from apps.common.errors import Conflict
from apps.gateway.models import IdempotencyRecord
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Expired, OutcomeUnknown, Rejected
from apps.webhooks.models import Event
from tests.bookings.rows import a_booking, an_operation
from tests.bookings.travellers.test_rest import NAMES, rows
from tests.support.flight_shop import CONTACT, FlightShop
from tests.support.scripted_flights import ScriptedFlights

MoveClock = Callable[..., None]
NOBODY = {"email": "redacted", "phone": "redacted"}


def cancelled(shop: FlightShop) -> dict[str, Any]:
    order = shop.ordered()
    assert shop.cancel(order["id"], "the-cancellation", reason="Ada Lovelace is ill").status == 200
    return order


def the_booking(order: dict[str, Any]) -> Booking:
    return Booking.objects.get(pk=order["id"])


def test_an_erased_order_names_nobody_and_keeps_the_rest(shop: FlightShop) -> None:
    order = cancelled(shop)
    before = shop.read(order["id"])
    assert erase_travellers(booking=the_booking(order), erased_by=SUPPORT) is True
    after = shop.read(order["id"])
    assert (after["redacted"], after["passengers"], after["contact"]) == (True, [], NOBODY)
    assert after["cancellation"] == {**before["cancellation"], "reason": None}
    altered = {"redacted", "passengers", "contact", "cancellation", "updatedAt"}
    assert {name: after[name] for name in before if name not in altered} == {
        name: before[name] for name in before if name not in altered
    }


def test_nothing_is_left_in_the_tables(shop: FlightShop) -> None:
    order = cancelled(shop)
    assert "is ill" in rows()
    erase_travellers(booking=the_booking(order), erased_by=SUPPORT)
    assert [name for name in (*NAMES, "is ill") if name in rows()] == []


def test_its_key_is_destroyed_and_no_other(shop: FlightShop) -> None:
    order, other = cancelled(shop), cancelled_with(shop, "another-cancellation")
    erase_travellers(booking=the_booking(order), erased_by=SUPPORT)
    assert list(TravellerKey.objects.values_list("pk", flat=True)) == [other["id"]]
    assert shop.read(other["id"])["contact"] == CONTACT


def test_what_was_said_of_another_booking_is_replayed_as_it_was(shop: FlightShop) -> None:
    order, other = cancelled(shop), shop.ordered()
    said = shop.cancel(other["id"], "another-cancellation", reason="Grace Hopper is ill")
    erase_travellers(booking=the_booking(order), erased_by=SUPPORT)
    again = shop.cancel(other["id"], "another-cancellation", reason="Grace Hopper is ill")
    assert (again.status, again.headers["Idempotent-Replayed"], again.body) == (200, "true", said.body)
    assert the_booking(other).operations.latest("pk").request["reason"] == "Grace Hopper is ill"


def test_no_answers_but_those_under_its_own_keys_are_opened(
    shop: FlightShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking, opened = the_booking(cancelled(shop)), list[int]()
    shop.ordered()
    monkeypatch.setattr(erasure, "open_body", lambda stored: opened.append(stored.pk))
    erase_travellers(booking=booking, erased_by=SUPPORT)
    under = booking.operations.order_by("idempotency_record_id").values_list("idempotency_record_id")
    assert [(pk,) for pk in opened] == list(under)
    assert len(opened) == 2


def test_what_was_booked_with_the_key_of_a_refused_try_is_replayed_as_it_was(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    offer = shop.offer()
    supplier.spoil("book", Rejected())
    assert shop.order(offer, "the-key-of-both").status == 502
    refused = Booking.objects.get()
    said = shop.order(offer, "the-key-of-both")
    assert said.status == 201
    assert erase_travellers(booking=refused, erased_by=SUPPORT) is True
    again = shop.order(offer, "the-key-of-both")
    assert (again.status, again.headers["Idempotent-Replayed"], again.body) == (201, "true", said.body)


def cancelled_with(shop: FlightShop, key: str) -> dict[str, Any]:
    order = shop.ordered()
    assert shop.cancel(order["id"], key).status == 200
    return order


def test_a_replay_is_redacted_too(shop: FlightShop) -> None:
    offer = shop.offer()
    order = shop.order(offer, "the-key-of-it").body
    options = shop.options(order)
    assert shop.change(order["id"], options[-1], "the-change").status == 200
    assert shop.cancel(order["id"], "the-cancellation", reason="Ada").status == 200
    erase_travellers(booking=the_booking(order), erased_by=SUPPORT)
    booked = shop.order(offer, "the-key-of-it")
    assert (booked.status, booked.headers["Idempotent-Replayed"]) == (201, "true")
    assert (booked.body["redacted"], booked.body["passengers"], booked.body["id"]) == (True, [], order["id"])
    ended = shop.cancel(order["id"], "the-cancellation", reason="Ada")
    assert (ended.status, ended.body["cancellation"]["reason"], ended.body["contact"]) == (200, None, NOBODY)
    changed = shop.change(order["id"], options[-1], "the-change")
    assert (changed.body["order"]["redacted"], changed.body["order"]["passengers"]) == (True, [])


def test_an_answer_that_is_stored_encrypted_stays_so(shop: FlightShop) -> None:
    """It shows a secret, and no traveller."""
    order, body = cancelled(shop), encrypt('{"secret": "whsec_1"}')
    record = IdempotencyRecord.objects.filter(key="the-cancellation")
    record.update(encrypted=True, body=body)
    assert erase_travellers(booking=the_booking(order), erased_by=SUPPORT) is True
    assert record.get().body == body


def test_the_trail_says_who_did_it(shop: FlightShop) -> None:
    order = cancelled(shop)
    erase_travellers(booking=the_booking(order), erased_by=Actor("owner@example.com"))
    entry = AccountAuditEntry.objects.get(action="bookings.travellers_erased")
    assert (entry.actor_label, entry.environment, entry.details) == ("owner@example.com", "test", {})
    assert (entry.subject_id, entry.subject_name) == (order["id"], order["reference"])


def test_a_second_time_does_nothing(shop: FlightShop) -> None:
    order = cancelled(shop)
    assert erase_travellers(booking=the_booking(order), erased_by=SUPPORT) is True
    erased_at = the_booking(order).erased_at
    assert erase_travellers(booking=the_booking(order), erased_by=SUPPORT) is False
    assert the_booking(order).erased_at == erased_at
    assert AccountAuditEntry.objects.filter(action="bookings.travellers_erased").count() == 1


def test_not_before_the_journey_is_over(shop: FlightShop, move_clock: MoveClock) -> None:
    order = shop.ordered()
    with pytest.raises(Conflict, match="not over"):
        erase_travellers(booking=the_booking(order), erased_by=SUPPORT)
    assert shop.read(order["id"])["contact"] == CONTACT
    move_clock(days=70)
    assert erase_travellers(booking=the_booking(order), erased_by=SUPPORT) is True
    assert shop.read(order["id"])["redacted"] is True


def test_from_the_instant_on_at_which_the_journey_is_over(
    shop: FlightShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking = the_booking(shop.ordered())
    over_at = last_service(booking)
    monkeypatch.setattr(clock, "_database_now", lambda: over_at - timedelta(microseconds=1))
    with pytest.raises(Conflict, match="not over"):
        erase_travellers(booking=booking, erased_by=SUPPORT)
    monkeypatch.setattr(clock, "_database_now", lambda: over_at)
    assert erase_travellers(booking=booking, erased_by=SUPPORT) is True


def test_not_while_its_end_is_unknown(shop: FlightShop, supplier: ScriptedFlights) -> None:
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    shop.order(shop.offer())
    with pytest.raises(Conflict, match="still open"):
        erase_travellers(booking=Booking.objects.get(), erased_by=SUPPORT)


def test_not_while_money_is_owed(shop: FlightShop) -> None:
    booking = the_booking(cancelled(shop))
    operation = booking.operations.latest("pk")
    owed = Settlement.objects.create(operation=operation, booking=booking, action="credit", amount_cents=1)
    with pytest.raises(Conflict, match="still open"):
        erase_travellers(booking=booking, erased_by=SUPPORT)
    Settlement.objects.filter(pk=owed.pk).update(settled_at=clock.now())
    assert erase_travellers(booking=booking, erased_by=SUPPORT) is True


def test_not_while_an_operation_is_open(shop: FlightShop) -> None:
    booking = the_booking(cancelled(shop))
    an_operation(booking, kind="cancel", hold_id="")
    with pytest.raises(Conflict, match="still open"):
        erase_travellers(booking=booking, erased_by=SUPPORT)


def test_an_esim_order_has_none(onboarded) -> None:
    esim = a_booking(onboarded.test_key, id="eord_1", product="esim", status="provisioned")
    with pytest.raises(Conflict, match="No traveller"):
        erase_travellers(booking=esim, erased_by=SUPPORT)


def test_an_order_that_was_flown_can_still_be_cancelled_afterwards(
    shop: FlightShop, move_clock: MoveClock
) -> None:
    """Whatever its supplier says of that. It stays redacted, and gets no new key."""
    order = shop.ordered()
    move_clock(days=70)
    erase_travellers(booking=the_booking(order), erased_by=SUPPORT)
    reply = shop.cancel(order["id"])
    assert reply.status in (200, 409, 502), reply.body
    assert shop.read(order["id"])["redacted"] is True
    assert not TravellerKey.objects.exists()


def test_a_failed_step_leaves_all_as_it_was(shop: FlightShop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies between the steps has done nothing: they are one transaction."""
    order = cancelled(shop)

    def dies(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("apps.bookings.erasure.record", dies)
    with pytest.raises(KeyboardInterrupt):
        erase_travellers(booking=the_booking(order), erased_by=SUPPORT)
    assert "redacted" not in shop.read(order["id"])
    assert shop.read(order["id"])["contact"] == CONTACT


def test_no_event_names_a_traveller(shop: FlightShop) -> None:
    order = cancelled(shop)
    told = list(Event.objects.filter(booking_id=order["id"]).values_list("payload", flat=True))
    assert len(told) >= 2
    assert [name for name in NAMES if name in str(told)] == []


def test_not_while_it_is_pending(onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key, status="pending")
    with pytest.raises(Conflict, match="still open"):
        erase_travellers(booking=booking, erased_by=SUPPORT)


@pytest.mark.parametrize("status", [400, 410])
def test_a_refusal_that_is_replayed_says_what_it_said(
    shop: FlightShop, supplier: ScriptedFlights, status: int
) -> None:
    """It names no traveller."""
    offer = shop.offer()
    supplier.spoil("book", Expired())
    refused = shop.order(offer, "the-key-of-it")
    assert refused.status == 410
    IdempotencyRecord.objects.filter(key="the-key-of-it").update(status=status)
    assert erase_travellers(booking=Booking.objects.get(), erased_by=SUPPORT) is True
    again = shop.order(offer, "the-key-of-it")
    assert (again.status, again.error["message"]) == (status, refused.error["message"])
    assert "redacted" not in again.body


def test_what_is_open_of_another_booking_keeps_no_traveller(shop: FlightShop) -> None:
    order, other = cancelled(shop), the_booking(shop.ordered())
    operation = an_operation(other, kind="cancel", hold_id="")
    Settlement.objects.create(operation=operation, booking=other, action="credit", amount_cents=1)
    assert erase_travellers(booking=the_booking(order), erased_by=SUPPORT) is True


def test_a_call_that_was_never_answered_keeps_no_traveller(shop: FlightShop) -> None:
    order = cancelled(shop)
    IdempotencyRecord.objects.update(state="released", status=None, body=None, completed_at=None)
    assert erase_travellers(booking=the_booking(order), erased_by=SUPPORT) is True
    assert set(IdempotencyRecord.objects.values_list("body", flat=True)) == {None}


def test_whoever_takes_several_rows_takes_them_in_one_order(shop: FlightShop) -> None:
    """Two of them would else wait for each other for ever."""
    booking = the_booking(cancelled(shop))
    with CaptureQueriesContext(connection) as captured:
        erase_travellers(booking=booking, erased_by=SUPPORT)
    locks = [query["sql"] for query in captured.captured_queries if "FOR UPDATE" in query["sql"]]
    assert 'FROM "bookings_booking"' in locks[0], "Every change of a booking begins with its lock"
    tables = ("bookings_operation", "gateway_idempotencyrecord")
    several = [sql for sql in locks if any(f'FROM "{table}"' in sql for table in tables)]
    assert len(several) == 2
    assert all('"id" ASC FOR UPDATE' in sql for sql in several), several
