"""The wallet is locked last, though booking and wallet are written by one statement: else two bookings wait for each other."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from apps.bookings.models import Booking, Operation
from apps.ledger.models import Hold, Wallet
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown
from tests.bookings.books import latest
from tests.support.api import Reply
from tests.support.flight_shop import FlightShop
from tests.support.locks import LONGEST_SECONDS, until_somebody_waits
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def beside(work: Callable[[], Reply]) -> Iterator[Future[Reply]]:
    """`work` in a thread with a connection of its own."""

    def run() -> Reply:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(run)


def of_partner(onboarded: Onboarded) -> QuerySet[Wallet]:
    return Wallet.objects.filter(account_id=onboarded.account.id, environment="test")


def test_a_booking_that_waits_for_its_reference_does_not_hold_the_wallet(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown())
    shop.order(offer, externalReference="PO-1")
    first = latest().booking
    with beside(lambda: shop.order(offer, externalReference="PO-1")) as second:
        with transaction.atomic():
            Booking.objects.filter(pk=first.pk).update(status="ticketed")
            until_somebody_waits()
            assert of_partner(onboarded).select_for_update(nowait=True).get()
        assert (second.result().status, second.result().error["bookingId"]) == (409, first.pk)


def test_a_booking_whose_funds_go_while_it_waits_for_the_wallet_leaves_nothing(
    shop: FlightShop, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    with beside(lambda: shop.order(offer)) as order:
        with transaction.atomic():
            assert of_partner(onboarded).select_for_update().get()
            until_somebody_waits()
            of_partner(onboarded).update(balance_cents=offer["totalCents"] - 1)
        refused = order.result()
    assert (refused.status, refused.error["availableCents"]) == (402, offer["totalCents"] - 1)
    assert (Booking.objects.count(), Operation.objects.count(), Hold.objects.count()) == (0, 0, 0)


def test_a_settlement_that_waits_for_its_booking_does_not_hold_the_wallet(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    asked, taken = threading.Event(), threading.Event()

    def wait() -> None:
        asked.set()
        taken.wait(LONGEST_SECONDS)

    supplier.meanwhile("book", wait)
    with beside(lambda: shop.order(offer)) as order:
        assert asked.wait(LONGEST_SECONDS)
        with transaction.atomic():
            assert Booking.objects.select_for_update().get()
            taken.set()
            until_somebody_waits()
            assert of_partner(onboarded).select_for_update(nowait=True).get()
        assert order.result().status == 201
