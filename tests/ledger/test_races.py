"""The ledger under real contention: threads with connections of their own, each step committed."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError

from apps.common.errors import InsufficientFunds
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.ledger.money import Trace, capture, hold, raise_hold, refund, release, top_up
from apps.ledger.selectors import balance_of, ledger_of
from tests.factories.ledger import WalletFactory
from tests.ledger.lines import figures
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)

PRICE = 7_300


def granted(call: Callable[[], object]) -> bool:
    try:
        call()
    except InsufficientFunds:
        return False
    return True


def test_64_clients_are_granted_exactly_what_the_funds_cover(trace: Trace) -> None:
    covered, tries = 128, 4
    wallet = WalletFactory(cents=covered * PRICE + PRICE - 1)
    done = threading.Event()
    reads: list[int] = []

    def client(number: int) -> int:
        return sum(
            granted(
                partial(
                    hold,
                    account_id=wallet.account_id,
                    environment="test",
                    amount_cents=PRICE,
                    currency="EUR",
                    reference=f"op-{number}-{attempt}",
                    trace=trace,
                )
            )
            for attempt in range(tries)
        )

    def reader() -> int:
        while not done.is_set():
            reads.append(balance_of(wallet.account_id, "test").available_cents)
            reads.extend(
                ledger_of(wallet.account_id, "test").values_list("available_after_cents", flat=True)[:5]
            )
        return 0

    def clients() -> int:
        try:
            return sum(all_at_once([partial(client, number) for number in range(64)]))
        finally:
            done.set()

    _, grants = all_at_once([reader, clients])
    assert grants == covered
    assert len(reads) > 10
    assert min(reads) >= 0
    assert figures(wallet) == (PRICE - 1, covered * PRICE)
    assert Hold.objects.filter(status="open").count() == covered
    assert check_ledger() == []


def test_capture_release_and_recovery_resolve_each_of_300_holds_once(
    wallet: Wallet, booking: dict[str, Any], trace: Trace
) -> None:
    holds = [hold(**booking, amount_cents=20, reference=f"op-{number}") for number in range(300)]

    def worker(verbs: list[Callable[..., bool]], seed: int) -> Counter[str]:
        order = random.Random(seed)
        return Counter(
            hold_id
            for hold_id in order.sample(holds, len(holds))
            if order.choice(verbs)(hold_id=hold_id, trace=trace)
        )

    part = partial(capture, amount_cents=5)
    resolved = all_at_once(
        [
            partial(worker, [capture], 1),
            partial(worker, [release], 2),
            partial(worker, [capture, release, part], 3),  # recovery finds out either way
            partial(worker, [part], 4),
        ]
    )
    assert sum(resolved, Counter()) == Counter(holds)
    captured = sum(Hold.objects.values_list("captured_cents", flat=True))
    assert Hold.objects.filter(status="open").count() == 0
    assert 0 < captured < 300 * 20
    assert figures(wallet) == (10_000 - captured, 0)
    assert check_ledger() == []


def test_32_parallel_cancellations_refund_once(wallet: Wallet, booking: dict[str, Any], trace: Trace) -> None:
    capture(hold_id=hold(**booking, amount_cents=3_000, reference="op-1"), trace=trace)
    refunds = all_at_once([partial(refund, **booking, amount_cents=3_000, reference="op-2")] * 32)
    assert Counter(refunds) == {True: 1, False: 31}
    assert figures(wallet) == (10_000, 0)
    assert check_ledger() == []


def test_32_parallel_refunds_of_different_references_give_back_no_more_than_was_captured(
    wallet: Wallet, booking: dict[str, Any], trace: Trace
) -> None:
    capture(hold_id=hold(**booking, amount_cents=3_000, reference="op-1"), trace=trace)

    def attempt(number: int) -> bool:
        try:
            return refund(**booking, amount_cents=1_400, reference=f"cancel-{number}")
        except IntegrityError:
            return False

    refunds = all_at_once([partial(attempt, number) for number in range(32)])
    assert Counter(refunds) == {True: 2, False: 30}
    assert figures(wallet) == (9_800, 0)
    assert check_ledger() == []


def test_one_reference_asked_for_by_16_threads_is_held_once(wallet: Wallet, booking: dict[str, Any]) -> None:
    holds = all_at_once([partial(hold, **booking, amount_cents=3_000, reference="op-1")] * 16)
    assert set(holds) == {Hold.objects.get().pk}
    assert figures(wallet) == (7_000, 3_000)


def test_one_arrival_reported_by_16_threads_is_credited_once(wallet: Wallet, owner: dict[str, Any]) -> None:
    credited = all_at_once([partial(top_up, **owner, amount_cents=500, reference="bank-1")] * 16)
    assert Counter(credited) == {True: 1, False: 15}
    assert figures(wallet) == (10_500, 0)


def test_holds_rise_to_the_last_cent_and_no_further(
    wallet: Wallet, booking: dict[str, Any], trace: Trace
) -> None:
    holds = [hold(**booking, amount_cents=500, reference=f"op-{number}") for number in range(16)]
    raised = all_at_once(
        [
            partial(granted, partial(raise_hold, hold_id=hold_id, to_cents=800, trace=trace))
            for hold_id in holds
        ]
    )
    assert Counter(raised) == {True: 6, False: 10}
    assert figures(wallet) == (200, 9_800)
    assert check_ledger() == []


def test_the_order_of_the_ledger_is_the_order_of_the_money(wallet: Wallet, owner: dict[str, Any]) -> None:
    all_at_once(
        [partial(top_up, **owner, amount_cents=number, reference=f"bank-{number}") for number in range(1, 25)]
    )
    after = list(
        LedgerTransaction.objects.order_by("created_at").values_list("available_after_cents", flat=True)
    )
    assert after == sorted(after)
    assert len(set(after)) == 25
