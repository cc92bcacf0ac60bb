"""Opens an account. The apps that own its wallets and keys open these."""

from apps.accounts.models import Account
from apps.common.errors import InvalidRequest
from apps.common.money import is_currency

MAX_NAME_LENGTH = 255
NO_NAME = f"A name has 1 to {MAX_NAME_LENGTH} printable characters."


def create_account(*, name: str, currency: str) -> Account:
    """A new active account. Raises InvalidRequest for an empty name or an unknown currency."""
    name = name.strip()
    if not is_name(name):
        raise InvalidRequest.field("name", NO_NAME)
    if not is_currency(currency):
        raise InvalidRequest.field("currency", f"{currency!r} is not an ISO 4217 currency.")
    return Account.objects.create(name=name, currency=currency)


def is_name(name: str) -> bool:
    """Whether an account can be called so: in one line, because subjects of mails name it."""
    return 1 <= len(name) <= MAX_NAME_LENGTH and name.isprintable()
