"""Opens an account. The apps that own its wallets and keys open these."""

from apps.accounts.models import Account
from apps.common.errors import InvalidRequest
from apps.common.money import is_currency

MAX_NAME_LENGTH = 255


def create_account(*, name: str, currency: str) -> Account:
    """A new active account. Raises InvalidRequest for an empty name or an unknown currency."""
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise InvalidRequest.field("name", f"A name has 1 to {MAX_NAME_LENGTH} printable characters.")
    if not is_currency(currency):
        raise InvalidRequest.field("currency", f"{currency!r} is not an ISO 4217 currency.")
    return Account.objects.create(name=name, currency=currency)
