"""Many partners' requests at one instant: real threads, real transactions, real HTTP handling; only the airline is scripted.

`make chaos` runs them in the sizes of the promises; the suite in smaller ones.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.keys.scopes import ENFORCED
from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.suppliers.errors import OutcomeUnknown
from tests.bookings.books import events, funds, latest
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.locks import LONGEST_SECONDS, until_somebody_waits
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)
RATES = {"SEARCH": 10**6, "BOOKING": 10**6, "READ": 10**6}


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--chaos-runs"))


def partner(balance_cents: int) -> Onboarded:
    return onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=balance_cents, scopes=ENFORCED, rates=RATES)
    )


def shop_of(onboarded: Onboarded) -> FlightShop:
    return FlightShop(Api(onboarded.test_secret))


def statuses(replies: list[Reply]) -> Counter[tuple[int, str | None]]:
    return Counter((reply.status, reply.error_type) for reply in replies)


def test_funds_for_half_grant_exactly_half(
    db: None, onboarded: Onboarded, supplier: ScriptedFlights, full: bool
) -> None:
    clients, each = (64, 16) if full else (16, 6)
    orders = clients * each
    price = shop_of(onboarded).offer()["totalCents"]
    buyer = partner(orders // 2 * price + price - 1)
    offer = shop_of(buyer).offer()
    assert offer["totalCents"] == price
    done = threading.Event()
    reads: list[int] = []

    def buy() -> list[Reply]:
        shop = shop_of(buyer)
        return [shop.order(offer) for _ in range(each)]

    def read() -> list[Reply]:
        api = Api(buyer.test_secret)
        while not done.is_set():
            body = api.get("/v1/account/ledger").body
            reads.extend((body["availableCents"], body["heldCents"]))
            reads.extend(entry["availableAfterCents"] for entry in body["data"])
        return []

    def all_buy() -> list[Reply]:
        try:
            return [reply for replies in all_at_once([buy] * clients) for reply in replies]
        finally:
            done.set()

    replies, _ = all_at_once([all_buy, read])
    assert statuses(replies) == {(201, None): orders // 2, (402, "insufficient_funds"): orders - orders // 2}
    assert len(reads) > 20
    assert min(reads) >= 0
    assert funds(buyer) == (price - 1, 0)
    assert supplier.calls("book") == orders // 2
    assert violations(supplier.report()) == []


def test_one_external_reference_is_booked_once(
    onboarded: Onboarded, supplier: ScriptedFlights, full: bool
) -> None:
    buyer = partner(10**9)
    offer = shop_of(buyer).offer()
    for number in range(200 if full else 3):
        order = partial(shop_of(buyer).order, offer, externalReference=f"PO-{number}")
        replies = all_at_once([order] * (32 if full else 16))
        booking = Booking.objects.get(external_reference=f"PO-{number}")
        assert statuses(replies) == {(201, None): 1, (409, "conflict"): len(replies) - 1}
        assert {reply.error["bookingId"] for reply in replies if reply.status == 409} == {booking.id}
    assert violations(supplier.report()) == []


def test_one_key_is_carried_out_once(onboarded: Onboarded, supplier: ScriptedFlights, full: bool) -> None:
    buyer = partner(10**9)
    offer = shop_of(buyer).offer()
    keys = 50 if full else 3
    for number in range(keys):
        order = partial(shop_of(buyer).order, offer, f"one-key-{number}")
        replies = all_at_once([order] * (50 if full else 16))
        made = [reply for reply in replies if reply.status == 201]
        assert len({reply.content for reply in made}) == 1
        assert {r.error_type for r in replies if r.status != 201} <= {"idempotency_key_in_progress"}
        assert sum("Idempotent-Replayed" not in reply.headers for reply in made) == 1
    assert Booking.objects.count() == keys
    assert violations(supplier.report()) == []


def test_parallel_cancellations_refund_once(
    onboarded: Onboarded, supplier: ScriptedFlights, full: bool
) -> None:
    bookings = 200 if full else 3
    buyer = partner(10**9)
    shop = shop_of(buyer)
    offer = shop.offer()
    for _ in range(bookings):
        order = shop.ordered(offer)
        replies = all_at_once([partial(shop_of(buyer).cancel, order["id"])] * (32 if full else 16))
        assert statuses(replies) == {(200, None): 1, (409, "conflict"): len(replies) - 1}
    assert LedgerTransaction.objects.filter(type="refund").count() == bookings
    assert supplier.calls("cancel") == bookings
    assert violations(supplier.report()) == []


def test_parallel_confirmations_of_one_change_reissue_once(
    onboarded: Onboarded, supplier: ScriptedFlights, full: bool
) -> None:
    orders = 40 if full else 2
    buyer = partner(10**9)
    shop = shop_of(buyer)
    for number in range(orders):
        order = shop.ordered()
        option = shop.options(order)[0 if number % 2 else -1]
        change = partial(shop_of(buyer).change, order["id"], option)
        replies = all_at_once([change] * (32 if full else 12))
        assert statuses(replies) == {(200, None): 1, (409, "conflict"): len(replies) - 1}
    all_at_once([settle_owed] * 4)
    assert supplier.calls("change") == orders
    assert LedgerTransaction.objects.filter(type="refund").count() == orders // 2
    assert violations(supplier.report()) == []


def test_parallel_payments_of_one_order_on_hold_pay_once(
    onboarded: Onboarded, supplier: ScriptedFlights, full: bool
) -> None:
    orders = 40 if full else 2
    buyer = partner(10**9)
    shop = shop_of(buyer)
    for _ in range(orders):
        order = shop.held()
        replies = all_at_once([partial(shop_of(buyer).pay, order)] * (32 if full else 12))
        assert statuses(replies) == {(200, None): 1, (409, "conflict"): len(replies) - 1}
    assert supplier.calls("pay") == LedgerTransaction.objects.filter(type="capture").count() == orders
    assert violations(supplier.report()) == []


def test_a_payment_a_cancellation_and_the_polls_of_one_order_at_once_leave_exact_books(
    onboarded: Onboarded, supplier: ScriptedFlights, full: bool
) -> None:
    buyer = partner(10**9)
    shop = shop_of(buyer)
    for _ in range(40 if full else 4):
        order = shop.held()
        Booking.objects.update(next_news_at=clock.now())
        replies = all_at_once(
            [
                partial(shop_of(buyer).pay, order),
                partial(shop_of(buyer).cancel, order["id"]),
                poll_suppliers,
                partial(shop_of(buyer).pay, order),
            ]
        )
        assert {reply.status for reply in replies if isinstance(reply, Reply)} <= {200, 409, 502, 503}
        recover_due()
    assert not Hold.objects.filter(status="open").exists()
    assert violations(supplier.report()) == []


def test_holds_at_once_are_no_more_than_may_be_unpaid(
    onboarded: Onboarded, supplier: ScriptedFlights, full: bool
) -> None:
    buyer = partner(10**9)
    offer = shop_of(buyer).holdable()
    replies = all_at_once([partial(shop_of(buyer).order, offer, None, hold=True)] * (64 if full else 14))
    assert statuses(replies) == {(201, None): 10, (409, "conflict"): len(replies) - 10}
    assert supplier.calls("book") == 10
    assert violations(supplier.report()) == []


def test_changes_and_cancellations_of_one_order_at_once_leave_exact_books(
    onboarded: Onboarded, supplier: ScriptedFlights, full: bool
) -> None:
    buyer = partner(10**9)
    shop = shop_of(buyer)
    for _ in range(40 if full else 3):
        order = shop.ordered()
        options = shop.options(order)
        calls: list[Callable[[], Reply]] = [
            *(partial(shop_of(buyer).change, order["id"], option) for option in (options[0], options[-1])),
            *[partial(shop_of(buyer).cancel, order["id"])] * 4,
        ]
        replies = all_at_once(calls)
        assert {status for status, _ in statuses(replies)} <= {200, 409, 410}
        settle_owed()
    assert violations(supplier.report()) == []


def test_recovery_and_the_partners_retry_settle_once(
    onboarded: Onboarded, supplier: ScriptedFlights, move_clock: Callable[..., None], full: bool
) -> None:
    buyer = partner(10**9)
    offer = shop_of(buyer).offer()
    orders = 200 if full else 12
    supplier.spoil("book", OutcomeUnknown(), accepted=True, times=orders)
    keys = [f"lost-answer-{number}" for number in range(orders)]
    assert {shop_of(buyer).order(offer, key).status for key in keys} == {503}
    move_clock(seconds=11)

    def retry(mine: list[str]) -> Any:
        shop = shop_of(buyer)
        return [shop.order(offer, key) for key in mine]

    calls: list[Callable[[], Any]] = [
        *(partial(retry, keys[start::4]) for start in range(4)),
        *[partial(recover_due, 3)] * (orders // 3),
    ]
    replies = [reply for result in all_at_once(calls) if isinstance(result, list) for reply in result]
    assert set(statuses(replies)) <= {
        (201, None),
        (409, "idempotency_key_in_progress"),
        (503, "upstream_unavailable"),
    }
    move_clock(seconds=46)
    while recover_due():
        pass
    assert {shop_of(buyer).order(offer, key).status for key in keys} == {201}
    assert set(Operation.objects.values_list("state", flat=True)) == {"confirmed"}
    assert events() == ["booking.confirmed"] * orders
    assert violations(supplier.report()) == []


def test_no_transaction_is_open_while_a_supplier_is_asked(
    onboarded: Onboarded, supplier: ScriptedFlights
) -> None:
    """Seen from the database: what the connections do while the airline takes its time (reliability T1)."""
    shop = shop_of(partner(10**9))
    seen: list[str] = []

    def look() -> None:
        def ask() -> list[str]:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT state FROM pg_stat_activity WHERE datname = current_database()"
                    " AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state IS NOT NULL"
                )
                return [row[0] for row in cursor.fetchall()]

        (states,) = all_at_once([ask])
        seen.extend(states)

    order = shop.ordered()
    for method, act in (
        ("search", shop.search),
        ("reprice", shop.ordered),
        ("book", shop.ordered),
        ("change_options", lambda: shop.options(order)),
        ("change", lambda: shop.change(order["id"], shop.options(shop.read(order["id"]))[-1])),
        ("quote_cancellation", lambda: shop.cancel(shop.ordered()["id"])),
        ("cancel", lambda: shop.cancel(shop.ordered()["id"])),
    ):
        supplier.meanwhile(method, look)
        act()
        assert method not in supplier.before
    assert len(seen) >= 7
    assert set(seen) == {"idle"}
    assert supplier.open_transactions == []


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
