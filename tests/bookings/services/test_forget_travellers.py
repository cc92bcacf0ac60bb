"""The sweep that forgets travellers once their time is over."""

import itertools
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F

from apps.accounts.models import Account, AccountAuditEntry
from apps.bookings.erasure import forget_due, forget_travellers, is_due, last_service, old_ids, retention_days
from apps.bookings.models import Booking, Operation, Settlement, TravellerKey
from apps.onboarding.services.onboard_partner import Onboarded
from tests.support.flight_shop import FlightShop
from tests.support.locks import locked
from tests.support.plans import read_as_the_table_lies

MoveClock = Callable[..., None]


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


def test_no_booking_is_looked_at_that_is_younger_than_any_account_forgets(
    shop: FlightShop, move_clock: MoveClock
) -> None:
    order = shop.ordered()["id"]
    move_clock(days=539)
    assert list(old_ids(batch=10)) == []
    move_clock(days=2)
    assert list(old_ids(batch=10)) == [[order]]


def test_from_the_instant_on_at_which_their_time_is_over(shop: FlightShop) -> None:
    booking = Booking.objects.get(pk=shop.ordered()["id"])
    over_at = last_service(booking) + timedelta(days=540)
    assert not is_due(booking, over_at - timedelta(microseconds=1))
    assert is_due(booking, over_at)


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


def test_what_stays_does_not_hold_up_the_batches_behind_it(
    shop: FlightShop, move_clock: MoveClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = [shop.ordered()["id"] for _ in range(2)]
    operation = Operation.objects.get(booking_id=orders[0])
    Settlement.objects.create(operation=operation, booking_id=orders[0], action="credit", amount_cents=1)
    move_clock(days=700)
    seconds = itertools.count()  # one from batch to batch: a run that stands still ends too
    monkeypatch.setattr("apps.bookings.erasure.time", SimpleNamespace(monotonic=seconds.__next__))
    assert forget_travellers(batch=1, seconds=9) == 1
    assert erased() == {orders[1]}


def test_one_entry_in_the_audit_says_how_many(shop: FlightShop, move_clock: MoveClock) -> None:
    for _ in range(3):
        shop.ordered()
    move_clock(days=700)
    assert forget_travellers() == 3
    entry = AccountAuditEntry.objects.get(action="bookings.travellers_forgotten")
    assert (entry.actor_label, entry.environment, entry.details) == ("Automatic", "test", {"bookings": 3})


@pytest.mark.parametrize("batch", [1, 2])
def test_small_batches_forget_the_same(shop: FlightShop, move_clock: MoveClock, batch: int) -> None:
    for _ in range(3):
        shop.ordered()
    move_clock(days=700)
    assert forget_travellers(batch=batch) == 3


@pytest.mark.usefixtures("still_clock")
def test_each_is_looked_at_once_and_the_oldest_comes_first(shop: FlightShop, move_clock: MoveClock) -> None:
    ids = sorted(shop.ordered()["id"] for _ in range(3))
    TravellerKey.objects.filter(pk=ids[0]).update(wrapped=F("wrapped"))  # its row is now the last one
    Booking.objects.filter(pk=ids[0]).update(reference=F("reference"))
    move_clock(days=700)
    read_as_the_table_lies()
    assert list(old_ids(batch=2)) == [ids[:2], ids[2:]]
    assert forget_due(ids) == 3
    assert list(Booking.objects.order_by("erased_at").values_list("pk", flat=True)) == ids


def test_who_was_erased_meanwhile_is_not_forgotten_again(shop: FlightShop, move_clock: MoveClock) -> None:
    order = shop.ordered()["id"]
    move_clock(days=700)
    assert [forget_due([order]) for _ in range(2)] == [1, 0]
    assert AccountAuditEntry.objects.filter(action="bookings.travellers_forgotten").count() == 1


def test_a_run_ends_in_time_and_the_next_goes_on(shop: FlightShop, move_clock: MoveClock) -> None:
    for _ in range(3):
        shop.ordered()
    move_clock(days=700)
    assert forget_travellers(batch=1, seconds=0) == 1
    assert forget_travellers(batch=1, seconds=0) == 1
    assert forget_travellers() == 1


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


def test_the_sweep_is_a_command_too(shop: FlightShop, move_clock: Callable[..., None]) -> None:
    shop.ordered()
    move_clock(days=700)
    out = StringIO()
    call_command("forget_travellers", stdout=out)
    assert out.getvalue() == "1 forgotten\n"
