"""Events of an account, and pages of its feed."""

import orjson

from apps.accounts.models import Account
from apps.webhooks.feed import FeedPage, Wanted, read_feed
from tests.factories.webhooks import EventFactory


def page(account: Account, *, limit: int = 100, environment: str = "test", **wanted: object) -> FeedPage:
    return read_feed(Wanted(account_id=account.pk, environment=environment, limit=limit, **wanted))  # type: ignore[arg-type]


def ids(page: FeedPage) -> list[str]:
    return [orjson.loads(payload)["id"] for payload in page.payloads]


def events(account: Account, count: int = 1, **fields: object) -> list[str]:
    return [EventFactory(account=account, **fields).pk for _ in range(count)]
