from datetime import timedelta

from apps.accounts.models import Account
from apps.common import clock
from apps.keys import secrets
from apps.keys.allowed_ips import parse_allowed_ips
from apps.keys.models import ApiKey, KeySecret
from apps.keys.scopes import DEFAULT, validate_scopes
from apps.keys.services import issue_key
from tests.factories.accounts import AccountFactory

NAME = "Server"


def approved_account(**fields: object) -> Account:
    """An account that may issue live keys."""
    return AccountFactory(live_approved_until=clock.now() + timedelta(days=365), **fields)


def issued_key(
    account: Account | None = None, *, environment: str = "test", **fields: object
) -> tuple[ApiKey, str]:
    """A key as the service issues it, and its secret. A live one comes with an approved account."""
    account = account or account_for(environment)
    return issue_key(account=account, environment=environment, **{"name": NAME, **fields})


def stored_key(
    account: Account | None = None, *, environment: str = "test", **fields: object
) -> tuple[ApiKey, str]:
    """The same rows but for the trails, in a third of the time: for tests that only call with it."""
    account = account or account_for(environment)
    ((key, secret),) = store([unsaved_key(account, environment, **{"name": NAME, **fields})])
    return key, secret


def account_for(environment: str) -> Account:
    return approved_account() if environment == "live" else AccountFactory()


def unsaved_key(
    account: Account,
    environment: str,
    *,
    name: str,
    scopes: object = None,
    allowed_ips: object = (),
) -> ApiKey:
    """Without `scopes` it has those that a key usually has."""
    return ApiKey(
        account=account,
        environment=environment,
        name=name,
        scopes=validate_scopes(DEFAULT if scopes is None else scopes),
        allowed_ips=parse_allowed_ips(allowed_ips),
        created_at=clock.now(),
    )


def store(keys: list[ApiKey]) -> list[tuple[ApiKey, str]]:
    """Each key with its secret."""
    plain = [secrets.make(key.environment) for key in keys]
    ApiKey.objects.bulk_create(keys)
    KeySecret.objects.bulk_create(
        unsaved_secret(key, secret) for key, secret in zip(keys, plain, strict=True)
    )
    return list(zip(keys, plain, strict=True))


def unsaved_secret(key: ApiKey, secret: str) -> KeySecret:
    return KeySecret(
        key=key,
        digest=secrets.digest(secret),
        prefix=secrets.display_prefix(secret),
        created_at=key.created_at,
    )
