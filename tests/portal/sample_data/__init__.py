"""An account with objects of every kind, for tests and screenshots of all pages.

Each area adds its own part and gives the names by which tests/portal/pages.py speaks of it: `{key}` in a path.
"""

from collections.abc import Callable

from apps.accounts.models import Account, User
from tests.portal.sample_data import bookings, keys, requests, sandboxes, team, views, webhooks

AREAS: list[Callable[[Account, User], dict[str, str]]] = [
    keys.add,
    bookings.add,
    webhooks.add,
    requests.add,
    team.add,
    sandboxes.add,
    views.add,
]


def add_sample_data(account: Account, owner: User) -> dict[str, str]:
    names: dict[str, str] = {}
    for area in AREAS:
        names |= area(account, owner)
    return names
