from collections.abc import Mapping
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from apps.accounts.actors import SUPPORT
from apps.accounts.models import FIRST_NAME, Account, AccountAuditEntry, Sandbox
from apps.common.environments import Environment
from apps.common.errors import AccountNotActive, InsufficientFunds, InvalidRequest
from apps.ledger.consistency import check_ledger
from apps.ledger.models import MOST_CENTS, Hold, LedgerTransaction, Wallet, new_hold_id
from apps.ledger.money import (
    MOST_AT_ONCE_CENTS,
    NOTHING,
    CaptureExceedsHold,
    CurrencyMismatch,
    HoldResolved,
    ReferenceReused,
    Trace,
    UnknownHold,
    UnknownWallet,
    add_test_funds,
    adjust,
    capture,
    hold,
    open_test_wallet,
    open_wallet,
    raise_hold,
    refund,
    refuse_uncovered,
    release,
    top_up,
    warn_below,
)
from apps.ledger.selectors import balance_of
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory
from tests.ledger.lines import figures, legs, lines
from tests.support.locks import locked

pytestmark = pytest.mark.django_db


def test_opens_an_empty_wallet_for_each_environment() -> None:
    account = AccountFactory()
    for environment in ("test", "live"):
        open_wallet(account_id=account.pk, environment=environment, currency="EUR")
    assert list(
        Wallet.objects.filter(account=account)
        .order_by("pk")
        .values_list("environment", "balance_cents", "held_cents")
    ) == [("test", 0, 0), ("live", 0, 0)]


def test_opening_again_finds_the_same_wallet() -> None:
    account = AccountFactory()
    first = open_wallet(account_id=account.pk, environment="test", currency="EUR")
    assert open_wallet(account_id=account.pk, environment="test", currency="EUR") == first


def test_a_wallet_keeps_its_currency() -> None:
    account = AccountFactory()
    open_wallet(account_id=account.pk, environment="test", currency="EUR")
    with pytest.raises(CurrencyMismatch):
        open_wallet(account_id=account.pk, environment="test", currency="JPY")


@pytest.mark.parametrize(("currency", "cents"), [("EUR", 1_000_000), ("JPY", 10_000), ("KWD", 10_000_000)])
def test_a_test_wallet_opens_with_ten_thousand_of_its_currency(currency: str, cents: int) -> None:
    account = AccountFactory(currency=currency)
    for _ in range(2):
        open_test_wallet(account_id=account.pk, currency=currency)

    wallet = Wallet.objects.get(account=account)
    assert (wallet.environment, wallet.currency, wallet.balance_cents) == ("test", currency, cents)
    [line] = LedgerTransaction.objects.filter(wallet=wallet)
    assert (line.type, line.amount_cents, line.description) == ("top_up", cents, "Opening balance")


def test_a_test_wallet_opens_with_what_is_asked_for() -> None:
    empty, other = AccountFactory(), AccountFactory()
    open_test_wallet(account_id=empty.pk, currency="EUR", amount_cents=0)
    open_test_wallet(account_id=other.pk, currency="EUR", amount_cents=7)
    assert Wallet.objects.get(account=empty).balance_cents == 0
    assert Wallet.objects.get(account=other).balance_cents == 7


def test_credits_what_arrived(wallet: Wallet, owner: dict[str, Any]) -> None:
    trace = Trace(description="Transfer of 18 November", request_id="c0ffee")
    assert top_up(**owner, amount_cents=2_500, reference="bank-1", trace=trace) is True
    assert figures(wallet) == (12_500, 0)
    written = LedgerTransaction.objects.get(reference="bank-1")
    assert (written.type, written.amount_cents, written.held_delta_cents) == ("top_up", 2_500, 0)
    assert (written.description, written.request_id, written.booking_reference) == (
        "Transfer of 18 November",
        "c0ffee",
        None,
    )
    assert legs(written) == {"available": 2_500, "funding": -2_500}


def test_the_same_arrival_is_credited_once(wallet: Wallet, owner: dict[str, Any]) -> None:
    assert top_up(**owner, amount_cents=2_500, reference="bank-1") is True
    assert top_up(**owner, amount_cents=2_500, reference="bank-1") is False
    assert lines(wallet) == [("top_up", 10_000, 0, 10_000, 0), ("top_up", 2_500, 0, 12_500, 0)]


def test_a_reference_of_another_amount_or_account_is_refused(wallet: Wallet, owner: dict[str, Any]) -> None:
    top_up(**owner, amount_cents=2_500, reference="bank-1")
    other = WalletFactory()
    with pytest.raises(ReferenceReused):
        top_up(**owner, amount_cents=2_501, reference="bank-1")
    with pytest.raises(ReferenceReused):
        top_up(
            account_id=other.account_id,
            environment="test",
            amount_cents=2_500,
            currency="EUR",
            reference="bank-1",
        )
    assert (figures(wallet), figures(other)) == ((12_500, 0), (0, 0))


def test_money_that_arrives_is_credited_to_a_suspended_account_too(
    wallet: Wallet, owner: dict[str, Any]
) -> None:
    Account.objects.update(status="suspended")
    assert top_up(**owner, amount_cents=1, reference="bank-1") is True


def test_environments_are_apart(wallet: Wallet, owner: dict[str, Any]) -> None:
    live = WalletFactory(account=wallet.account, environment="live")
    top_up(**{**owner, "environment": "live"}, amount_cents=700, reference="bank-1")
    assert (figures(wallet), figures(live)) == ((10_000, 0), (700, 0))


def test_refuses_another_currency(wallet: Wallet, owner: dict[str, Any]) -> None:
    with pytest.raises(CurrencyMismatch):
        top_up(**{**owner, "currency": "USD"}, amount_cents=1, reference="bank-1")
    assert figures(wallet) == (10_000, 0)


def test_needs_a_wallet() -> None:
    with pytest.raises(UnknownWallet):
        top_up(
            account_id=AccountFactory().pk,
            environment="test",
            amount_cents=1,
            currency="EUR",
            reference="bank-1",
        )


@pytest.mark.parametrize("amount_cents", [0, -1])
def test_refuses_less_than_a_cent(owner: dict[str, Any], amount_cents: int) -> None:
    with pytest.raises(ValueError):
        top_up(**owner, amount_cents=amount_cents, reference="bank-1")


def test_sets_funds_aside(wallet: Wallet, owner: dict[str, Any]) -> None:
    trace = Trace(
        booking_type="hotel",
        booking_reference="H-7KQ2M9XD",
        key_id="key_1",
        request_id="req-1",
        operation_id="op-1",
        description="book H-7KQ2M9XD",
    )
    hold_id = hold(**owner, amount_cents=3_000, reference="op-1", trace=trace)
    assert figures(wallet) == (7_000, 3_000)
    made = Hold.objects.get(pk=hold_id)
    assert (made.wallet, made.amount_cents, made.status, made.captured_cents, made.resolved_at) == (
        wallet,
        3_000,
        "open",
        0,
        None,
    )
    written = LedgerTransaction.objects.get(type="hold")
    assert (written.hold, written.amount_cents, written.held_delta_cents) == (made, -3_000, 3_000)
    assert (written.available_after_cents, written.held_after_cents) == (7_000, 3_000)
    assert legs(written) == {"available": -3_000, "held": 3_000}
    assert {name: getattr(written, name) for name in Trace.__slots__} == {
        name: getattr(trace, name) for name in Trace.__slots__
    }


def test_is_one_statement(booking: dict[str, Any], django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        hold(**booking, amount_cents=3_000, reference="op-1")


def test_holds_the_last_cent_and_not_one_more(wallet: Wallet, booking: dict[str, Any]) -> None:
    hold(**booking, amount_cents=9_999, reference="op-1")
    with pytest.raises(InsufficientFunds) as refused:
        hold(**booking, amount_cents=2, reference="op-2")
    assert refused.value.extras == {"availableCents": 1, "requiredCents": 2, "currency": "EUR"}
    hold(**booking, amount_cents=1, reference="op-3")
    assert figures(wallet) == (0, 10_000)
    assert Hold.objects.count() == 2


def test_nothing_can_be_held_of_a_wallet_that_was_never_opened(db: None, trace: Trace) -> None:
    with pytest.raises(InsufficientFunds) as refused:
        hold(
            account_id=AccountFactory().pk,
            environment="live",
            amount_cents=5,
            currency="EUR",
            reference="op-1",
            trace=trace,
        )
    assert refused.value.extras == {"availableCents": 0, "requiredCents": 5, "currency": "EUR"}


@pytest.mark.parametrize("status", ["read-only", "suspended"])
def test_refuses_an_account_that_is_not_active(wallet: Wallet, booking: dict[str, Any], status: str) -> None:
    Account.objects.update(status=status)
    with pytest.raises(AccountNotActive):
        hold(**booking, amount_cents=3_000, reference="op-1")
    assert figures(wallet) == (10_000, 0)


def test_hold_refuses_another_currency(wallet: Wallet, booking: dict[str, Any]) -> None:
    with pytest.raises(CurrencyMismatch):
        hold(**{**booking, "currency": "USD"}, amount_cents=1, reference="op-1")
    assert figures(wallet) == (10_000, 0)


def test_asked_again_returns_the_open_hold(wallet: Wallet, booking: dict[str, Any]) -> None:
    first = hold(**booking, amount_cents=6_000, reference="op-1")
    assert hold(**booking, amount_cents=6_000, reference="op-1") == first
    assert figures(wallet) == (4_000, 6_000)


def test_a_reference_of_another_hold_is_refused(wallet: Wallet, booking: dict[str, Any]) -> None:
    hold(**booking, amount_cents=6_000, reference="op-1")
    other = WalletFactory(cents=10_000)
    with pytest.raises(ReferenceReused):
        hold(**booking, amount_cents=6_001, reference="op-1")
    with pytest.raises(ReferenceReused):
        hold(**{**booking, "account_id": other.account_id}, amount_cents=6_000, reference="op-1")
    assert (figures(wallet), figures(other)) == ((4_000, 6_000), (10_000, 0))


@pytest.mark.parametrize("resolve", [capture, release])
def test_a_resolved_hold_is_no_cover_for_a_new_attempt(
    booking: dict[str, Any], trace: Trace, resolve: Any
) -> None:
    resolve(hold_id=hold(**booking, amount_cents=3_000, reference="op-1"), trace=trace)
    with pytest.raises(HoldResolved):
        hold(**booking, amount_cents=3_000, reference="op-1")


def test_holds_nothing_for_a_step_that_costs_nothing(
    wallet: Wallet, booking: dict[str, Any], trace: Trace
) -> None:
    hold_id = hold(**booking, amount_cents=0, reference="op-1")
    assert capture(hold_id=hold_id, trace=trace) is True
    assert figures(wallet) == (10_000, 0)


def test_the_hold_has_the_id_that_the_caller_has_written_down(
    wallet: Wallet, booking: dict[str, Any]
) -> None:
    written = new_hold_id()
    assert hold(**booking, amount_cents=3_000, reference="op-1", hold_id=written) == written
    assert [made.pk for made in Hold.objects.all()] == [written]


def test_refuses_a_negative_amount(booking: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        hold(**booking, amount_cents=-1, reference="op-1")


@pytest.fixture
def hold_id(booking: dict[str, Any]) -> str:
    return hold(**booking, amount_cents=3_000, reference="op-1")


def test_holds_the_dearer_price_in_all(
    wallet: Wallet, hold_id: str, trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert raise_hold(hold_id=hold_id, to_cents=3_500, trace=trace) is True
    assert capture(hold_id=hold_id, trace=trace) is True
    assert lines(wallet)[1:] == [
        ("hold", -3_000, 3_000, 7_000, 3_000),
        ("hold", -500, 500, 6_500, 3_500),
        ("capture", 0, -3_500, 6_500, 0),
    ]
    assert check_ledger() == []


def test_all_that_is_available_may_be_held_and_no_other_hold_is_raised(
    wallet: Wallet, booking: dict[str, Any], hold_id: str, trace: Trace
) -> None:
    stranger: Wallet = WalletFactory(cents=10_000)
    hold(**booking, amount_cents=1_000, reference="op-2")
    hold(**booking | {"account_id": stranger.account_id}, amount_cents=2_000, reference="op-3")
    assert raise_hold(hold_id=hold_id, to_cents=9_000, trace=trace) is True
    assert sorted(Hold.objects.values_list("amount_cents", flat=True)) == [1_000, 2_000, 9_000]
    assert (figures(wallet), figures(stranger)) == ((0, 10_000), (8_000, 2_000))
    assert check_ledger() == []


@pytest.mark.parametrize("to_cents", [3_000, 2_999])
def test_never_lowers(wallet: Wallet, hold_id: str, trace: Trace, to_cents: int) -> None:
    assert raise_hold(hold_id=hold_id, to_cents=to_cents, trace=trace) is False
    assert figures(wallet) == (7_000, 3_000)


def test_repeated_it_raises_once(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    assert [raise_hold(hold_id=hold_id, to_cents=4_000, trace=trace) for _ in range(2)] == [True, False]
    assert figures(wallet) == (6_000, 4_000)


def test_refuses_what_is_not_covered_and_keeps_the_hold(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    with pytest.raises(InsufficientFunds) as refused:
        raise_hold(hold_id=hold_id, to_cents=10_001, trace=trace)
    assert refused.value.extras == {"availableCents": 10_000, "requiredCents": 10_001, "currency": "EUR"}
    assert figures(wallet) == (7_000, 3_000)


def test_a_resolved_hold_stays_as_it_is(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    release(hold_id=hold_id, trace=trace)
    with pytest.raises(HoldResolved):
        raise_hold(hold_id=hold_id, to_cents=4_000, trace=trace)
    assert figures(wallet) == (10_000, 0)


def test_an_unknown_hold_is_named(trace: Trace) -> None:
    with pytest.raises(UnknownHold, match="hold_nowhere"):
        raise_hold(hold_id="hold_nowhere", to_cents=1, trace=trace)


def test_pays_with_all_that_was_held(
    wallet: Wallet, hold_id: str, trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert capture(hold_id=hold_id, trace=trace) is True
    assert lines(wallet)[1:] == [("hold", -3_000, 3_000, 7_000, 3_000), ("capture", 0, -3_000, 7_000, 0)]
    assert figures(wallet) == (7_000, 0)
    written = LedgerTransaction.objects.get(type="capture")
    assert (written.reference, written.hold_id, written.booking_reference) == (
        hold_id,
        hold_id,
        "F-7KQ2M9XD",
    )
    assert legs(written) == {"held": -3_000, "sales": 3_000}
    resolved = Hold.objects.get(pk=hold_id)
    assert (resolved.status, resolved.captured_cents) == ("captured", 3_000)
    assert resolved.resolved_at == written.created_at


def test_a_smaller_capture_releases_the_rest_with_it(
    wallet: Wallet, hold_id: str, trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert capture(hold_id=hold_id, amount_cents=1_200, trace=trace) is True
    assert lines(wallet)[2:] == [
        ("capture", 0, -1_200, 7_000, 1_800),
        ("release", 1_800, -1_800, 8_800, 0),
    ]
    assert figures(wallet) == (8_800, 0)
    assert Hold.objects.get(pk=hold_id).captured_cents == 1_200


def test_captures_once(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    assert [capture(hold_id=hold_id, trace=trace) for _ in range(3)] == [True, False, False]
    assert figures(wallet) == (7_000, 0)


def test_what_was_released_is_not_captured(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    release(hold_id=hold_id, trace=trace)
    assert capture(hold_id=hold_id, trace=trace) is False
    assert figures(wallet) == (10_000, 0)


def test_never_captures_more_than_is_held(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    with pytest.raises(CaptureExceedsHold):
        capture(hold_id=hold_id, amount_cents=3_001, trace=trace)
    assert figures(wallet) == (7_000, 3_000)


@pytest.mark.parametrize("captured", [0, 3_000])
def test_captures_nothing_and_all_of_it(wallet: Wallet, hold_id: str, trace: Trace, captured: int) -> None:
    assert capture(hold_id=hold_id, amount_cents=captured, trace=trace) is True
    assert figures(wallet) == (10_000 - captured, 0)


def test_a_booking_that_was_made_is_paid_whatever_the_account_became(hold_id: str, trace: Trace) -> None:
    Account.objects.update(status="suspended")
    assert capture(hold_id=hold_id, trace=trace) is True


def test_capture_an_unknown_hold_is_named(trace: Trace) -> None:
    with pytest.raises(UnknownHold, match="hold_nowhere"):
        capture(hold_id="hold_nowhere", trace=trace)


def test_capture_refuses_a_negative_amount(hold_id: str, trace: Trace) -> None:
    with pytest.raises(ValueError):
        capture(hold_id=hold_id, amount_cents=-1, trace=trace)


def test_frees_what_was_held(
    wallet: Wallet, hold_id: str, trace: Trace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert release(hold_id=hold_id, trace=trace) is True
    assert lines(wallet)[1:] == [
        ("hold", -3_000, 3_000, 7_000, 3_000),
        ("release", 3_000, -3_000, 10_000, 0),
    ]
    assert figures(wallet) == (10_000, 0)
    assert legs(LedgerTransaction.objects.get(type="release")) == {"available": 3_000, "held": -3_000}
    resolved = Hold.objects.get(pk=hold_id)
    assert (resolved.status, resolved.captured_cents) == ("released", 0)


def test_releases_once(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    assert [release(hold_id=hold_id, trace=trace) for _ in range(3)] == [True, False, False]
    assert figures(wallet) == (10_000, 0)


def test_what_was_captured_is_not_released(wallet: Wallet, hold_id: str, trace: Trace) -> None:
    capture(hold_id=hold_id, trace=trace)
    assert release(hold_id=hold_id, trace=trace) is False
    assert figures(wallet) == (7_000, 0)


def test_release_an_unknown_hold_is_named(trace: Trace) -> None:
    with pytest.raises(UnknownHold, match="hold_nowhere"):
        release(hold_id="hold_nowhere", trace=trace)


def test_more_than_is_held_is_told_with_both_amounts(booking: dict[str, Any]) -> None:
    hold(**booking, amount_cents=100, reference="op-1")
    held = hold(**booking, amount_cents=900, reference="op-2")
    with pytest.raises(CaptureExceedsHold) as refused:
        refuse_uncovered(hold_id=held, captured_cents=901)
    assert str(refused.value) == f"{held} holds 900, not 901"


@pytest.mark.parametrize("captured", [None, 0, 899, 900])
def test_what_is_held_is_not_refused(booking: dict[str, Any], captured: int | None) -> None:
    hold(**booking, amount_cents=100, reference="op-1")
    refuse_uncovered(hold_id=hold(**booking, amount_cents=900, reference="op-2"), captured_cents=captured)


def test_of_a_hold_that_is_over_nothing_more_is_said(booking: dict[str, Any]) -> None:
    held = hold(**booking, amount_cents=900, reference="op-1")
    assert release(hold_id=held, trace=NOTHING)
    refuse_uncovered(hold_id=held, captured_cents=901)


def test_a_hold_that_there_is_not_is_unknown(booking: dict[str, Any]) -> None:
    hold(**booking, amount_cents=900, reference="op-1")
    with pytest.raises(UnknownHold):
        refuse_uncovered(hold_id="hold_unknown", captured_cents=None)


@pytest.fixture
def captured(booking: dict[str, Any], trace: Trace) -> None:
    """A booking that was paid with 30.00 EUR."""
    capture(hold_id=hold(**booking, amount_cents=3_000, reference="op-1"), trace=trace)


@pytest.mark.usefixtures("captured")
def test_gives_back_what_was_paid(
    wallet: Wallet, booking: dict[str, Any], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert refund(**booking, amount_cents=2_000, reference="op-2") is True
    assert figures(wallet) == (9_000, 0)
    written = LedgerTransaction.objects.get(type="refund")
    assert (written.amount_cents, written.held_delta_cents, written.available_after_cents) == (
        2_000,
        0,
        9_000,
    )
    assert legs(written) == {"available": 2_000, "sales": -2_000}


@pytest.mark.usefixtures("captured")
def test_refunds_once_for_a_reference(wallet: Wallet, booking: dict[str, Any]) -> None:
    refunds = [refund(**booking, amount_cents=2_000, reference="op-2") for _ in range(3)]
    assert refunds == [True, False, False]
    assert figures(wallet) == (9_000, 0)


@pytest.mark.usefixtures("captured")
def test_several_refunds_never_exceed_what_was_captured(wallet: Wallet, booking: dict[str, Any]) -> None:
    refund(**booking, amount_cents=2_000, reference="op-2")
    with pytest.raises(IntegrityError, match="more than was captured"), transaction.atomic():
        refund(**booking, amount_cents=1_001, reference="op-3")
    refund(**booking, amount_cents=1_000, reference="op-4")
    assert figures(wallet) == (10_000, 0)


@pytest.mark.usefixtures("captured")
def test_what_another_booking_paid_is_not_refunded(wallet: Wallet, owner: dict[str, Any]) -> None:
    other = Trace(booking_reference="F-OTHERONE")
    with pytest.raises(IntegrityError, match="F-OTHERONE"), transaction.atomic():
        refund(**owner, amount_cents=1, reference="op-2", trace=other)
    assert figures(wallet) == (7_000, 0)


@pytest.mark.usefixtures("captured")
def test_names_its_booking(owner: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="booking"):
        refund(**owner, amount_cents=1, reference="op-2", trace=Trace())


@pytest.mark.usefixtures("captured")
def test_refund_refuses_less_than_a_cent(booking: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        refund(**booking, amount_cents=0, reference="op-2")


@pytest.mark.parametrize("amount_cents", [300, -300, -10_000])
def test_corrects_up_and_down_to_nothing(wallet: Wallet, owner: dict[str, Any], amount_cents: int) -> None:
    assert adjust(**owner, amount_cents=amount_cents, reference="case-1") is True
    assert figures(wallet) == (10_000 + amount_cents, 0)
    written = LedgerTransaction.objects.get(type="adjustment")
    assert legs(written) == {"available": amount_cents, "funding": -amount_cents}


def test_corrects_once_for_a_reference(wallet: Wallet, owner: dict[str, Any]) -> None:
    assert adjust(**owner, amount_cents=-10_000, reference="case-1") is True
    assert adjust(**owner, amount_cents=-10_000, reference="case-1") is False
    assert figures(wallet) == (0, 0)


def test_never_takes_what_is_held(wallet: Wallet, owner: dict[str, Any], trace: Trace) -> None:
    hold(**owner, amount_cents=4_000, reference="op-1", trace=trace)
    with pytest.raises(InsufficientFunds) as refused:
        adjust(**owner, amount_cents=-6_001, reference="case-1")
    assert refused.value.extras == {"availableCents": 6_000, "requiredCents": 6_001, "currency": "EUR"}
    assert figures(wallet) == (6_000, 4_000)


def test_a_reference_of_another_kind_of_movement_is_another_one(
    wallet: Wallet, owner: dict[str, Any]
) -> None:
    assert top_up(**owner, amount_cents=500, reference="case-1") is True
    with pytest.raises(InsufficientFunds):
        adjust(**owner, amount_cents=-10_501, reference="case-1")
    assert adjust(**owner, amount_cents=500, reference="case-1") is True
    assert figures(wallet) == (11_000, 0)


def test_refuses_to_adjust_nothing(owner: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        adjust(**owner, amount_cents=0, reference="case-1")


def test_an_amount_is_kept_for_one_wallet_and_in_the_trail_and_moves_no_money(wallet: Wallet) -> None:
    live = WalletFactory(account=wallet.account, environment="live")
    stranger = WalletFactory()
    for cents in (50_000, 50_000, None):
        warn_below(account_id=wallet.account_id, environment="test", cents=cents, actor=SUPPORT)
        wallet.refresh_from_db()
        live.refresh_from_db()
        assert (wallet.warn_below_cents, live.warn_below_cents) == (cents, None)
    for other in (live, stranger):  # which were made later, and are found all the same
        warn_below(account_id=other.account_id, environment=other.environment, cents=7, actor=SUPPORT)
        other.refresh_from_db()
        wallet.refresh_from_db()
        assert (other.warn_below_cents, wallet.warn_below_cents) == (7, None)
    entries = AccountAuditEntry.objects.filter(
        action="account.balance_warning_changed", account=wallet.account_id, environment="test"
    ).order_by("created_at")
    assert [(entry.environment, entry.details) for entry in entries] == [
        ("test", {"before": None, "after": 50_000, "currency": "EUR"}),
        ("test", {"before": 50_000, "after": None, "currency": "EUR"}),
    ]
    assert LedgerTransaction.objects.filter(account_id=wallet.account_id).count() == 1


@pytest.mark.parametrize("cents", [0, -1, MOST_CENTS + 1])
def test_an_amount_out_of_bounds_is_refused(wallet: Wallet, cents: int) -> None:
    with pytest.raises(InvalidRequest) as refused:
        warn_below(account_id=wallet.account_id, environment="test", cents=cents, actor=SUPPORT)
    assert refused.value.extras["details"][0]["field"] == "warnBelowCents"
    wallet.refresh_from_db()
    assert wallet.warn_below_cents is None


@pytest.mark.django_db(transaction=True)
def test_a_change_waits_for_whoever_writes_the_wallet_and_for_nobody_who_refers_to_it(wallet: Wallet) -> None:
    """Holds refer to it. Even what seems to be so already may be about to change."""

    @transaction.atomic
    def warn_soon(cents: int | None) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '50ms'")
        warn_below(account_id=wallet.account_id, environment="test", cents=cents, actor=SUPPORT)

    wallets = Wallet.objects.filter(pk=wallet.pk)
    with locked(wallets, "NO KEY UPDATE"), pytest.raises(OperationalError):
        warn_soon(None)
    with locked(wallets, "KEY SHARE"):
        warn_soon(7)
    wallet.refresh_from_db()
    assert wallet.warn_below_cents == 7


def test_where_there_is_no_wallet_it_is_refused_in_words() -> None:
    with pytest.raises(InvalidRequest) as refused:
        warn_below(account_id=AccountFactory().pk, environment="live", cents=1, actor=SUPPORT)
    assert "no balance yet" in refused.value.extras["details"][0]["message"]


def added(account_id: str, amount_cents: int, reference: str = "call-1") -> int:
    return add_test_funds(
        account_id=account_id,
        currency="EUR",
        amount_cents=amount_cents,
        reference=reference,
        trace=NOTHING,
    ).balance_cents


def details() -> list[Mapping[str, object]]:
    return [entry.details for entry in AccountAuditEntry.objects.filter(action="sandbox.funded")]


def test_funds_come_into_the_test_wallet_once_for_each_reference() -> None:
    account = AccountFactory().pk
    before = balance_of(account, Environment.TEST).balance_cents
    assert (added(account, 500), added(account, 500)) == (before + 500, before + 500)
    assert added(account, 1, "call-2") == before + 501
    assert details() == [{"amountCents": 500, "currency": "EUR"}, {"amountCents": 1, "currency": "EUR"}]
    assert check_ledger() == []


def test_two_accounts_may_use_one_reference() -> None:
    ours, theirs = WalletFactory(cents=1_000), WalletFactory(cents=1_000)
    assert (added(ours.account_id, 1), added(theirs.account_id, 2)) == (1_001, 1_002)


def test_a_wallet_that_there_is_not_yet_is_opened() -> None:
    account = AccountFactory().pk
    Wallet.objects.filter(account_id=account).delete()
    assert added(account, 700) == 700
    assert Wallet.objects.get(account_id=account).environment == "test"


@pytest.mark.parametrize("cents", [0, -1, MOST_AT_ONCE_CENTS + 1])
def test_an_amount_out_of_bounds_is_refused_and_nothing_is_opened(cents: int) -> None:
    account = AccountFactory().pk
    Wallet.objects.filter(account_id=account).delete()
    with pytest.raises(InvalidRequest) as refused:
        added(account, cents)
    assert refused.value.extras["details"] == [
        {"field": "amountCents", "message": "An amount is between 1 and 10000000000."}
    ]
    assert (Wallet.objects.filter(account_id=account).count(), details()) == (0, [])


def test_a_test_wallet_is_filled_to_the_last_cent_and_no_further() -> None:
    wallet = WalletFactory(cents=MOST_CENTS - 3)
    with pytest.raises(InvalidRequest) as refused:
        added(wallet.account_id, 4)
    assert "holds at most" in refused.value.extras["details"][0]["message"]
    assert added(wallet.account_id, 3) == MOST_CENTS


def test_the_step_names_the_call_and_the_trail_the_sandbox() -> None:
    owner = AccountFactory()
    second = AccountFactory(sandbox_of=owner).pk
    Sandbox.objects.create(account_id=second, owner=owner, name="nightly")
    for account, call in ((owner.pk, "req-1"), (second, "req-2")):
        add_test_funds(
            account_id=account,
            currency="EUR",
            amount_cents=5,
            reference="call-1",
            trace=Trace(request_id=call, description="Test funds"),
            actor=SUPPORT,
        )
        step = LedgerTransaction.objects.get(reference=f"sandbox:{account}:call-1")
        assert (step.request_id, step.description) == (call, "Test funds")
    entries = AccountAuditEntry.objects.filter(action="sandbox.funded").order_by("created_at")
    assert [(e.environment, e.subject_type, e.subject_id, e.subject_name) for e in entries] == [
        ("test", "sandbox", owner.pk, FIRST_NAME),
        ("test", "sandbox", second, "nightly"),
    ]
