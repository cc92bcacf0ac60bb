"""Money that staff move: proposed by one person, confirmed by another, moved once."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, transaction

from apps.accounts.models import User
from apps.common import clock
from apps.common.errors import Conflict, InsufficientFunds, InvalidRequest
from apps.ledger.consistency import check_ledger
from apps.ledger.models import MOST_CENTS, LedgerTransaction, StaffMovement, Wallet
from apps.ledger.movements import confirm, expire_old, move_test_money, propose, refuse
from tests.factories.accounts import UserFactory
from tests.factories.ledger import WalletFactory
from tests.ledger.lines import figures
from tests.support.locks import locked
from tests.support.threads import all_at_once


@pytest.fixture
def first(db: None) -> User:
    return UserFactory(is_staff=True)


@pytest.fixture
def second(db: None) -> User:
    return UserFactory(is_staff=True)


def proposed(wallet: Wallet, by: User, **fields: object) -> StaffMovement:
    asked = {"type": "top_up", "amount_cents": 2_500, "evidence": "bank-1", "reason": "Transfer", **fields}
    return propose(wallet=wallet, proposed_by=by, **asked)


@pytest.mark.parametrize(("type", "amount_cents"), [("top_up", 2_500), ("adjustment", -2_500)])
def test_money_moves_with_the_second_persons_word_and_not_before(
    wallet: Wallet, first: User, second: User, type: str, amount_cents: int
) -> None:
    movement = proposed(wallet, first, type=type, amount_cents=amount_cents, description="Thank you")
    assert figures(wallet) == (10_000, 0)
    assert confirm(movement_id=movement.id, confirmed_by=second)
    assert figures(wallet) == (10_000 + amount_cents, 0)
    step = LedgerTransaction.objects.get(reference=movement.id)
    assert (step.type, step.amount_cents, step.description) == (type, amount_cents, "Thank you")
    movement.refresh_from_db()
    assert (movement.state, movement.decided_by) == ("confirmed", second)
    assert check_ledger() == []


def test_who_proposed_it_neither_confirms_nor_refuses_it(wallet: Wallet, first: User) -> None:
    movement = proposed(wallet, first)
    with pytest.raises(PermissionDenied, match="Another member of staff"):
        confirm(movement_id=movement.id, confirmed_by=first)
    with pytest.raises(PermissionDenied, match="Another member of staff"):
        refuse(movement_id=movement.id, refused_by=first, reason="Mistyped")
    movement.refresh_from_db()
    assert (movement.state, figures(wallet)) == ("proposed", (10_000, 0))


def test_the_database_knows_the_rule_as_well(wallet: Wallet, first: User) -> None:
    movement = proposed(wallet, first)
    with pytest.raises(IntegrityError, match="movement_decided_by_a_second_person"), transaction.atomic():
        StaffMovement.objects.filter(pk=movement.pk).update(
            state="confirmed", decided_by=first, decided_at=movement.proposed_at
        )


def test_confirmed_twice_it_moves_once(wallet: Wallet, first: User, second: User) -> None:
    movement = proposed(wallet, first)
    assert [confirm(movement_id=movement.id, confirmed_by=second) for _ in range(2)] == [True, False]
    assert figures(wallet) == (12_500, 0)


@pytest.mark.django_db(transaction=True)
def test_confirmed_and_refused_by_many_at_once_it_ends_one_way() -> None:
    wallet, first = WalletFactory(cents=10_000), UserFactory(is_staff=True)
    movement = proposed(wallet, first)
    others = UserFactory.create_batch(6, is_staff=True)

    def end(number: int, person: User) -> str:
        try:
            if number % 2:
                refuse(movement_id=movement.id, refused_by=person, reason="Not ours")
                return "refused"
            return "moved" if confirm(movement_id=movement.id, confirmed_by=person) else "was moved"
        except Conflict:
            return "too late"

    ends = all_at_once([partial(end, number, person) for number, person in enumerate(others)])
    movement.refresh_from_db()
    moved = movement.state == "confirmed"
    assert (ends.count("moved"), ends.count("refused")) == ((1, 0) if moved else (0, 1))
    assert figures(wallet) == (12_500 if moved else 10_000, 0)


@pytest.mark.django_db(transaction=True)
def test_a_refusal_does_not_wait_for_the_bookings_of_the_wallet() -> None:
    wallet, (first, second) = WalletFactory(cents=10_000), UserFactory.create_batch(2, is_staff=True)
    movement = proposed(wallet, first)
    taken = locked(Wallet.objects.filter(pk=wallet.pk), "NO KEY UPDATE")
    with taken, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '1s'")
        refuse(movement_id=movement.id, refused_by=second, reason="Mistyped")
    movement.refresh_from_db()
    assert movement.state == "refused"


def test_what_was_refused_stays_so_and_says_why(wallet: Wallet, first: User, second: User) -> None:
    movement = proposed(wallet, first)
    refuse(movement_id=movement.id, refused_by=second, reason="No such transfer")
    with pytest.raises(Conflict, match="refused already"):
        confirm(movement_id=movement.id, confirmed_by=second)
    movement.refresh_from_db()
    assert (movement.refusal, figures(wallet)) == ("No such transfer", (10_000, 0))


def test_an_adjustment_that_is_not_covered_any_more_stays_proposed(
    wallet: Wallet, first: User, second: User
) -> None:
    movement = proposed(wallet, first, type="adjustment", amount_cents=-10_001)
    with pytest.raises(InsufficientFunds):
        confirm(movement_id=movement.id, confirmed_by=second)
    movement.refresh_from_db()
    assert (movement.state, figures(wallet)) == ("proposed", (10_000, 0))


def test_one_arrival_is_proposed_once_until_it_is_refused(wallet: Wallet, first: User, second: User) -> None:
    movement = proposed(wallet, first)
    with pytest.raises(Conflict, match="proposed or credited before"):
        proposed(wallet, second)
    refuse(movement_id=movement.id, refused_by=second, reason="Wrong amount")
    assert proposed(wallet, first, amount_cents=2_600).state == "proposed"


def test_one_arrival_is_not_credited_to_two_wallets(wallet: Wallet, first: User, second: User) -> None:
    proposed(wallet, first)
    with pytest.raises(Conflict, match="proposed or credited before"):
        proposed(WalletFactory(), second)
    assert proposed(WalletFactory(), second, type="adjustment").evidence == "bank-1"


@pytest.mark.parametrize(
    ("type", "amount_cents"),
    [("top_up", 0), ("top_up", -1), ("adjustment", 0), ("refund", 1), ("top_up", 10**16)],
)
def test_what_is_no_movement_is_not_proposed(
    wallet: Wallet, first: User, type: str, amount_cents: int
) -> None:
    with pytest.raises(InvalidRequest):
        proposed(wallet, first, type=type, amount_cents=amount_cents)
    assert not StaffMovement.objects.exists()


@pytest.mark.parametrize(("type", "sign"), [("top_up", 1), ("adjustment", 1), ("adjustment", -1)])
def test_the_largest_amount_can_be_proposed(wallet: Wallet, first: User, type: str, sign: int) -> None:
    assert proposed(wallet, first, type=type, amount_cents=sign * MOST_CENTS).state == "proposed"
    with pytest.raises(InvalidRequest):
        proposed(wallet, first, type=type, amount_cents=sign * (MOST_CENTS + 1), evidence="bank-2")


@pytest.mark.parametrize(("short", "over"), [(timedelta(microseconds=1), False), (timedelta(0), True)])
def test_a_week_is_over_to_the_instant(
    wallet: Wallet,
    first: User,
    second: User,
    monkeypatch: pytest.MonkeyPatch,
    short: timedelta,
    over: bool,
) -> None:
    movement = proposed(wallet, first)
    instant = movement.proposed_at + timedelta(days=7) - short
    monkeypatch.setattr(clock, "_database_now", lambda: instant)
    if not over:
        assert expire_old() == 0
        assert confirm(movement_id=movement.id, confirmed_by=second)
        return
    with pytest.raises(Conflict, match="propose it again"):
        confirm(movement_id=movement.id, confirmed_by=second)
    assert expire_old() == 1


def test_only_staff_move_money_by_hand(wallet: Wallet, first: User) -> None:
    with pytest.raises(PermissionDenied):
        proposed(wallet, UserFactory())
    movement = proposed(wallet, first)
    with pytest.raises(PermissionDenied):
        confirm(movement_id=movement.id, confirmed_by=UserFactory())


def test_one_person_moves_test_money_and_live_money_never(first: User) -> None:
    test, live = (WalletFactory(environment=kind, cents=1_000) for kind in ("test", "live"))
    asked = {"type": "top_up", "amount_cents": 500, "reason": "For a demonstration", "moved_by": first}
    moved = [move_test_money(wallet=test, **asked) for _ in range(2)]
    assert figures(test) == (2_000, 0)
    assert {each.state for each in moved} == {"confirmed"}
    with pytest.raises(InvalidRequest):
        move_test_money(wallet=live, **asked)
    with pytest.raises(PermissionDenied):
        move_test_money(wallet=test, **{**asked, "moved_by": UserFactory()})
    with pytest.raises(InsufficientFunds):
        move_test_money(wallet=test, **{**asked, "type": "adjustment", "amount_cents": -2_001})
    assert (figures(test), figures(live), StaffMovement.objects.count()) == ((2_000, 0), (1_000, 0), 2)
    assert check_ledger() == []


def test_what_is_said_of_test_money_is_kept_with_it(first: User) -> None:
    wallet = WalletFactory(environment="test", cents=1_000)
    asked = {"type": "top_up", "amount_cents": 5, "reason": "For a demonstration", "moved_by": first}
    plain = move_test_money(wallet=wallet, **asked)
    told = move_test_money(wallet=wallet, evidence="mail of Monday", description="A gift", **asked)
    plain.refresh_from_db()
    told.refresh_from_db()
    assert (plain.evidence, plain.description, plain.is_test) == (plain.id, "", True)
    assert (told.evidence, told.description, told.reason) == (
        "mail of Monday",
        "A gift",
        "For a demonstration",
    )
    assert LedgerTransaction.objects.get(reference=told.id).description == "A gift"
