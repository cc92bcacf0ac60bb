from datetime import timedelta

from apps.accounts.models import Account
from apps.common import clock
from apps.keys.models import ApiKey
from apps.keys.services.issue import issue_key
from tests.factories.accounts import AccountFactory


def approved_account(**fields: object) -> Account:
    """An account that may issue live keys."""
    return AccountFactory(live_approved_until=clock.now() + timedelta(days=365), **fields)


def issued_key(
    account: Account | None = None, *, environment: str = "test", **fields: object
) -> tuple[ApiKey, str]:
    """A key as the service issues it, and its secret. A live one comes with an approved account."""
    if account is None:
        account = approved_account() if environment == "live" else AccountFactory()
    return issue_key(account=account, environment=environment, **{"name": "Server", **fields})
