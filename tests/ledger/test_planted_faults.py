"""Wrong variants, kept so that the tests beside them are known to be able to fail.

Each is what one would write first: read, decide, then write. The threads meet between the reading and the
writing, so that what happens once in a hundred runs under load happens in every run here.
"""

import threading
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold, LedgerEntry, LedgerTransaction, Wallet
from apps.ledger.money import hold
from tests.ledger.lines import figures
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def write_transaction(
    wallet: Wallet, *, type: str, reference: str, amount_cents: int, legs: dict[str, int]
) -> None:
    """A transaction as the verbs write it, from figures that were read before."""
    written = LedgerTransaction.objects.create(
        wallet=wallet,
        account_id=wallet.account_id,
        environment=wallet.environment,
        type=type,
        reference=reference,
        currency=wallet.currency,
        amount_cents=amount_cents,
        held_delta_cents=-amount_cents,
        available_after_cents=wallet.available_cents,
        held_after_cents=wallet.held_cents,
    )
    for bucket, cents in legs.items():
        LedgerEntry.objects.create(transaction=written, bucket=bucket, amount_cents=cents, currency="EUR")


def read_then_update_hold(
    wallet_id: int, amount_cents: int, meeting: threading.Barrier, reference: str
) -> bool:
    """Planted: the balance is checked as it was read, and written over whatever it became."""
    wallet = Wallet.objects.get(pk=wallet_id)
    covered = wallet.available_cents >= amount_cents
    meeting.wait(timeout=60)
    if not covered:
        return False
    with transaction.atomic():
        wallet.held_cents += amount_cents
        wallet.save(update_fields=["held_cents"])
        Hold.objects.create(wallet=wallet, amount_cents=amount_cents, reference=reference)
        legs = {"available": -amount_cents, "held": amount_cents}
        write_transaction(wallet, type="hold", reference=reference, amount_cents=-amount_cents, legs=legs)
    return True


def read_then_update_resolve(hold_id: str, status: str, meeting: threading.Barrier) -> bool:
    """Planted: the hold's state is read, and later written without being asked for again."""
    if Hold.objects.get(pk=hold_id).status != "open":
        return False
    meeting.wait(timeout=60)
    Hold.objects.filter(pk=hold_id).update(status=status, resolved_at=clock.now())
    return True


def test_a_hold_that_reads_then_updates_grants_more_than_is_covered_and_the_check_finds_it(
    wallet: Wallet,
) -> None:
    meeting = threading.Barrier(8)
    granted = all_at_once(
        [partial(read_then_update_hold, wallet.pk, 10_000, meeting, f"op-{number}") for number in range(8)]
    )
    assert sum(granted) == 8  # of one
    assert figures(wallet) == (0, 10_000)  # and the wallet looks well
    found = {(d.check, d.subject, d.stored_cents, d.derived_cents) for d in check_ledger()}
    assert ("wallets", "held", 10_000, 80_000) in found
    assert ("open holds", "open holds", 10_000, 80_000) in found


def test_the_right_hold_in_the_same_race_grants_what_is_covered(
    wallet: Wallet, booking: dict[str, Any]
) -> None:
    def attempt(reference: str) -> bool:
        try:
            return bool(hold(**booking, amount_cents=10_000, reference=reference))
        except Exception as refused:
            return type(refused).__name__ != "InsufficientFunds"

    assert sum(all_at_once([partial(attempt, f"op-{number}") for number in range(8)])) == 1
    assert check_ledger() == []


def test_a_hold_resolved_without_asking_again_is_refused_by_the_database(booking: dict[str, Any]) -> None:
    hold_id = hold(**booking, amount_cents=3_000, reference="op-1")
    meeting = threading.Barrier(2)

    def attempt(status: str) -> str:
        try:
            return str(read_then_update_resolve(hold_id, status, meeting))
        except IntegrityError as refused:
            return str(refused).split(":")[0]

    ends = all_at_once([partial(attempt, "captured"), partial(attempt, "released")])
    assert sorted(ends) == ["True", "UPDATE on ledger_hold is refused"]


def test_without_that_guard_the_hold_is_resolved_twice(booking: dict[str, Any]) -> None:
    hold_id = hold(**booking, amount_cents=3_000, reference="op-1")
    meeting = threading.Barrier(2)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_hold DISABLE TRIGGER ledger_hold_resolved_once")
    try:
        ends = all_at_once(
            [
                partial(read_then_update_resolve, hold_id, "captured", meeting),
                partial(read_then_update_resolve, hold_id, "released", meeting),
            ]
        )
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE ledger_hold ENABLE ALWAYS TRIGGER ledger_hold_resolved_once")
    assert ends == [True, True]
    assert {difference.check for difference in check_ledger()} == {"open holds", "holds"}


def test_a_step_that_forgets_a_leg_does_not_commit(wallet: Wallet) -> None:
    with pytest.raises(IntegrityError, match="do not sum to zero"), transaction.atomic():
        write_transaction(wallet, type="hold", reference="op-1", amount_cents=-5, legs={"available": -5})
    assert (LedgerTransaction.objects.count(), check_ledger()) == (1, [])
