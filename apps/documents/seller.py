"""In whose name documents are handed out: the account, under its own name."""

from apps.accounts.models import Account
from apps.documents.data import Seller


def seller_of(account: Account) -> Seller:
    """The partner, also where the account only holds one of its test environments."""
    return Seller(name=(account.sandbox_of or account).name)
