import uuid
from datetime import timedelta

import factory
from factory.django import DjangoModelFactory

from apps.common import clock
from apps.common.environments import Environment
from apps.common.ids import new_id
from apps.gateway.models import IdempotencyRecord, IdempotencyState, SearchQuotaDay
from apps.keys import authentication
from apps.keys.partner import Partner
from tests.factories.accounts import AccountFactory
from tests.factories.keys import stored_key
from tests.factories.ledger import WalletFactory
from tests.support.api import Api


class IdempotencyRecordFactory(DjangoModelFactory[IdempotencyRecord]):
    """A key that a call holds the lease of."""

    class Meta:
        model = IdempotencyRecord

    account = factory.SubFactory(AccountFactory)
    environment = Environment.TEST
    key = factory.LazyFunction(lambda: new_id("idem"))
    fingerprint = "f" * 64
    state = IdempotencyState.RUNNING
    lease_token = factory.LazyFunction(uuid.uuid4)
    lease_until = factory.LazyFunction(lambda: clock.now() + timedelta(seconds=45))


class SearchQuotaDayFactory(DjangoModelFactory[SearchQuotaDay]):
    """What was used of today's quota."""

    class Meta:
        model = SearchQuotaDay

    account = factory.SubFactory(AccountFactory)
    environment = Environment.TEST
    day = factory.LazyFunction(clock.today)


def api_of_new_partner(*, cents: int = 0, environment: str = "test", **fields: object) -> Api:
    """A partner with a key and `cents` in the wallet. `fields` are the key's, or with `account` one that exists."""
    key, secret = stored_key(environment=environment, **fields)
    if cents:
        WalletFactory(account=key.account, environment=environment, cents=cents)
    return Api(secret)


def partner_of(api: Api) -> Partner:
    return authentication.look_up(api.secret)
