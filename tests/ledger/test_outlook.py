from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.ledger.models import Hold, Wallet
from apps.ledger.money import NOTHING, adjust, capture, hold, release, top_up
from apps.ledger.runway import OpenHolds, Outlook, Spending, outlook_of
from apps.ledger.selectors import Balance
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory

HOUR, A_DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch):
    """`at(5)`: it is five hours and a half after the hour in which the wallet was topped up."""
    first = clock.now().replace(minute=30, second=0, microsecond=0) + HOUR

    def go(hours: float):
        instant = first + hours * HOUR
        monkeypatch.setattr(clock, "_database_now", lambda: instant)
        return instant

    return go


def test_each_hour_has_what_was_spent_in_it_and_no_top_up_hides_it(
    wallet: Wallet, owner: dict[str, Any], booking: dict[str, Any], at, django_assert_num_queries
) -> None:
    at(0)
    hold(**booking, amount_cents=3_000, reference="op-1")
    at(2)
    kept = hold(**booking, amount_cents=1_000, reference="op-2")
    given_back = hold(**booking, amount_cents=500, reference="op-3")
    top_up(**owner, amount_cents=70_000, reference="bank-2")
    adjust(**owner, amount_cents=-40, reference="ticket-1")
    at(3)
    release(hold_id=given_back, trace=NOTHING)
    capture(hold_id=kept, amount_cents=800, trace=NOTHING)
    at(5)
    hold(**booking, amount_cents=900, reference="op-4")
    now = at(6)
    with django_assert_num_queries(1):
        outlook = outlook_of(wallet.account_id, "test", now, currency="EUR", held_for=A_DAY)
    spending = outlook.spending
    assert (len(spending.hours), spending.ends) == (28 * 24, now.replace(minute=0))
    assert list(spending.active().hours) == [3_000, 0, 1_500, -700, 0, 900]
    assert (outlook.usual_cents, outlook.least_cents) == (1_350, 500)
    assert outlook.balance.available_cents == 10_000 - 4_700 + 70_000 - 40
    assert outlook.runway is None, "Less than a day is known"


def test_of_a_pace_the_end_is_foretold(
    wallet: Wallet, owner: dict[str, Any], booking: dict[str, Any], at
) -> None:
    top_up(**owner, amount_cents=1_000, reference="bank-2")
    for hour in range(48):
        at(hour)
        hold(**booking, amount_cents=200, reference=f"op-{hour}")
    now = at(48)
    outlook = outlook_of(wallet.account_id, "test", now, currency="EUR", held_for=A_DAY)
    assert (outlook.balance.available_cents, outlook.runway.per_day_cents) == (1_400, 4_800)
    assert outlook.runway.first_refusal_at == now + 6 * HOUR


def test_what_runs_now_is_not_an_hour_yet(wallet: Wallet, booking: dict[str, Any], at) -> None:
    now = at(0)
    hold(**booking, amount_cents=200, reference="op-1")
    outlook = outlook_of(
        wallet.account_id, "test", now + timedelta(minutes=20), currency="EUR", held_for=A_DAY
    )
    assert (list(outlook.spending.active().hours), outlook.usual_cents) == ([], 200)


def test_each_wallet_has_an_outlook_of_its_own(wallet: Wallet, booking: dict[str, Any], at) -> None:
    at(0)
    live: Wallet = WalletFactory(account=wallet.account, environment="live", cents=10_000)
    stranger: Wallet = WalletFactory(cents=10_000)
    for number, other in enumerate((live, stranger, wallet), start=1):
        here = {"account_id": other.account_id, "environment": other.environment}
        hold(**{**booking, **here}, amount_cents=1_000 * number, reference=f"op-{other.pk}")
    made, now = Hold.objects.get(wallet=wallet).created_at, at(2)
    outlook = outlook_of(
        wallet.account_id, "test", now, currency="EUR", held_for=now - made - timedelta(microseconds=1)
    )
    assert (sum(outlook.spending.hours), outlook.usual_cents, outlook.balance.held_cents) == (
        3_000,
        3_000,
        3_000,
    )
    assert outlook.held_long == OpenHolds(1, 3_000, made)
    at_once = outlook_of(wallet.account_id, "test", now, currency="EUR", held_for=timedelta(0))
    assert at_once.held_long == OpenHolds(1, 3_000, made)
    assert outlook_of(
        wallet.account_id, "test", now, currency="EUR", held_for=now - made
    ).held_long == OpenHolds(0, 0, None)


@pytest.mark.django_db
def test_without_a_wallet_there_is_nothing_in_the_accounts_currency() -> None:
    now = clock.now()
    outlook = outlook_of(AccountFactory().pk, "live", now, currency="JPY", held_for=A_DAY)
    assert (outlook.balance, outlook.runway) == (Balance("JPY", 0, 0), None)
    assert (outlook.is_empty, outlook.is_low) == (False, False)
    assert (outlook.usual_cents, outlook.least_cents, outlook.held_long) == (0, 0, OpenHolds(0, 0, None))


def test_before_the_first_booking_none_is_usual(wallet: Wallet) -> None:
    outlook = outlook_of(wallet.account_id, "test", clock.now(), currency="EUR", held_for=A_DAY)
    assert (outlook.usual_cents, outlook.least_cents, outlook.is_empty) == (0, 0, False)


@pytest.mark.parametrize(
    ("available", "warn_below", "is_low", "is_empty"),
    [
        (85, None, False, True),
        (86, None, False, False),
        (500, 501, True, False),
        (500, 500, False, False),
        (0, 500, True, True),
        (500, None, False, False),
    ],
)
def test_low_is_what_was_chosen_and_empty_what_pays_for_no_booking(
    available, warn_below, is_low, is_empty
) -> None:
    outlook = Outlook(
        Balance("EUR", available, 0),
        clock.now(),
        Spending(clock.now(), []),
        usual_cents=900,
        least_cents=86,
        warn_below_cents=warn_below,
    )
    assert (outlook.is_low, outlook.is_empty) == (is_low, is_empty)


@pytest.mark.parametrize(("available", "is_empty"), [(0, True), (1, False)])
def test_a_wallet_that_booked_something_free_is_empty_at_nothing(available, is_empty) -> None:
    outlook = Outlook(
        Balance("EUR", available, 0), clock.now(), Spending(clock.now(), []), usual_cents=1, least_cents=0
    )
    assert outlook.is_empty is is_empty
