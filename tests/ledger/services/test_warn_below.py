import pytest
from django.db import OperationalError, connection, transaction

from apps.accounts.actors import SUPPORT
from apps.accounts.models import AccountAuditEntry
from apps.common.errors import InvalidRequest
from apps.ledger.models import MOST_CENTS, LedgerTransaction, Wallet
from apps.ledger.money import warn_below
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory
from tests.support.locks import locked


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


@pytest.mark.django_db
def test_where_there_is_no_wallet_it_is_refused_in_words() -> None:
    with pytest.raises(InvalidRequest) as refused:
        warn_below(account_id=AccountFactory().pk, environment="live", cents=1, actor=SUPPORT)
    assert "no balance yet" in refused.value.extras["details"][0]["message"]
