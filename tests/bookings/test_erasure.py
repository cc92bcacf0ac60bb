"""Erasing the travellers of a booking on request."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account, AccountAuditEntry
from apps.bookings.erasure import erase_travellers, forget_travellers, retention_days
from apps.bookings.models import Booking, Settlement, TravellerKey
from apps.common import clock
from apps.common.errors import Conflict
from apps.onboarding.partners import Onboarded
from tests.bookings.rows import a_booking
from tests.bookings.test_travellers import NAMES, rows
from tests.support.flight_shop import CONTACT, FlightShop
from tests.support.locks import locked
from tests.support.threads import all_at_once

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
    assert (after["documents"], after["ticketNumbers"]) == (
        [],
        [one["number"] for one in before["documents"]],
    )
    assert after["cancellation"] == {**before["cancellation"], "reason": None}
    altered = {"redacted", "passengers", "contact", "documents", "cancellation", "updatedAt"}
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
    assert booked.body["documents"] == []
    ended = shop.cancel(order["id"], "the-cancellation", reason="Ada")
    assert (ended.status, ended.body["cancellation"]["reason"], ended.body["contact"]) == (200, None, NOBODY)
    changed = shop.change(order["id"], options[-1], "the-change")
    assert (changed.body["order"]["redacted"], changed.body["order"]["passengers"]) == (True, [])


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


def test_not_while_money_is_owed(shop: FlightShop) -> None:
    booking = the_booking(cancelled(shop))
    operation = booking.operations.latest("pk")
    owed = Settlement.objects.create(operation=operation, booking=booking, action="credit", amount_cents=1)
    with pytest.raises(Conflict, match="still open"):
        erase_travellers(booking=booking, erased_by=SUPPORT)
    Settlement.objects.filter(pk=owed.pk).update(settled_at=clock.now())
    assert erase_travellers(booking=booking, erased_by=SUPPORT) is True


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


def erased() -> set[str]:
    return set(Booking.objects.exclude(erased_at=None).values_list("pk", flat=True))


def test_travellers_are_forgotten_540_days_after_the_last_service(
    shop: FlightShop, move_clock: MoveClock
) -> None:
    standing, gone = shop.ordered()["id"], shop.ordered()["id"]
    shop.cancel(gone)
    move_clock(days=539)
    assert forget_travellers() == 0
    move_clock(days=2)  # the flight is two months later
    assert forget_travellers() == 1
    assert erased() == {gone}
    move_clock(days=61)
    assert forget_travellers() == 1
    assert erased() == {standing, gone}
    assert not TravellerKey.objects.exists()
    assert forget_travellers() == 0


def test_an_account_has_a_time_of_its_own(
    shop: FlightShop, onboarded: Onboarded, move_clock: MoveClock
) -> None:
    order = shop.ordered()["id"]
    Account.objects.filter(pk=onboarded.account.pk).update(traveller_retention_days=30)
    move_clock(days=89)
    assert forget_travellers() == 0
    move_clock(days=3)
    assert forget_travellers() == 1
    assert erased() == {order}


def test_a_sandbox_has_its_partners_time() -> None:
    partner = Account(traveller_retention_days=7)
    assert retention_days(Account(sandbox_of=partner)) == 7
    assert retention_days(Account(sandbox_of=partner, traveller_retention_days=9)) == 9
    assert retention_days(Account()) == 540


def test_what_is_open_is_left_until_it_is_over(shop: FlightShop, move_clock: MoveClock) -> None:
    shop.ordered()
    booking = Booking.objects.get()
    operation = booking.operations.get()
    owed = Settlement.objects.create(operation=operation, booking=booking, action="credit", amount_cents=1)
    move_clock(days=700)
    assert forget_travellers() == 0
    Settlement.objects.filter(pk=owed.pk).update(settled_at=booking.created_at)
    assert forget_travellers() == 1


@pytest.mark.django_db(transaction=True)
def test_a_booking_that_somebody_alters_is_left_to_the_next_run(
    shop: FlightShop, move_clock: MoveClock
) -> None:
    altered, other = shop.ordered()["id"], shop.ordered()["id"]
    move_clock(days=700)
    with locked(Booking.objects.filter(pk=altered)), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        assert forget_travellers() == 1
        cursor.execute("SET lock_timeout = 0")
    assert erased() == {other}
    assert forget_travellers() == 1


def test_one_entry_in_the_audit_says_how_many(shop: FlightShop, move_clock: MoveClock) -> None:
    for _ in range(3):
        shop.ordered()
    move_clock(days=700)
    assert forget_travellers() == 3
    entry = AccountAuditEntry.objects.get(action="bookings.travellers_forgotten")
    assert (entry.actor_label, entry.environment, entry.details) == ("Automatic", "test", {"bookings": 3})


def test_by_the_clock_of_the_environment(shop: FlightShop, onboarded: Onboarded) -> None:
    """A test environment whose clock is moved lives as far ahead."""
    from apps.accounts.models import Sandbox

    shop.ordered()
    Account.objects.filter(pk=onboarded.account.pk).update(traveller_retention_days=30)
    Sandbox.objects.update_or_create(
        account_id=onboarded.account.pk,
        defaults={
            "owner_id": onboarded.account.pk,
            "name": "Test",
            "is_first": True,
            "clock_offset": timedelta(days=95),
        },
    )
    assert forget_travellers() == 1


ROUNDS = 4


def erase(order_id: str) -> str:
    try:
        return str(erase_travellers(booking=Booking.objects.get(pk=order_id), erased_by=SUPPORT))
    except Conflict:
        return "refused"


@pytest.mark.django_db(transaction=True)
def test_beside_a_cancellation_nothing_is_half_done(shop: FlightShop) -> None:
    """Whoever is first: the order is cancelled, and it is erased as a whole or not at all."""
    orders = [shop.ordered()["id"] for _ in range(ROUNDS)]
    for order_id in orders:
        done = all_at_once([partial(erase, order_id), partial(shop.cancel, order_id)])
        assert [reply.status for reply in done if not isinstance(reply, str)] == [200]
        whole = shop.read(order_id)
        assert whole["status"] == "cancelled"
        assert ("redacted" in whole) == (whole["passengers"] == []) == (whole["contact"] != CONTACT)
        assert ("redacted" in whole) != TravellerKey.objects.filter(pk=order_id).exists()
        assert erase(order_id) in {"True", "False"}
        assert shop.read(order_id)["redacted"] is True


@pytest.mark.django_db(transaction=True)
def test_erasing_at_once_is_done_once(shop: FlightShop) -> None:
    order_id = shop.ordered()["id"]
    shop.cancel(order_id)
    assert sorted(all_at_once([partial(erase, order_id)] * 4)) == ["False", "False", "False", "True"]
    assert AccountAuditEntry.objects.filter(action="bookings.travellers_erased").count() == 1
