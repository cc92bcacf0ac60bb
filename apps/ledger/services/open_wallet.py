from apps.ledger.errors import CurrencyMismatch
from apps.ledger.models import Wallet


def open_wallet(*, account_id: str, environment: str, currency: str) -> Wallet:
    """The account's wallet in `environment`. It is opened empty where there was none.

    Raises CurrencyMismatch where it exists in another currency: a wallet never changes its currency.
    """
    wallet, _ = Wallet.objects.get_or_create(
        account_id=account_id, environment=environment, defaults={"currency": currency}
    )
    if wallet.currency != currency:
        raise CurrencyMismatch(f"The wallet of {account_id} is in {wallet.currency}, not {currency}")
    return wallet
