"""An account with objects of every kind, for tests and screenshots of all pages.

Each area furnishes its own part and gives the names by which tests/portal/pages.py speaks of it: `{key}` in a path.
"""

from collections.abc import Callable

from apps.accounts.models import Account, User
from tests.portal.world import bookings, keys, requests, team, webhooks

AREAS: list[Callable[[Account, User], dict[str, str]]] = [
    keys.furnish,
    bookings.furnish,
    webhooks.furnish,
    requests.furnish,
    team.furnish,
]


def furnish(account: Account, owner: User) -> dict[str, str]:
    names: dict[str, str] = {}
    for area in AREAS:
        names |= area(account, owner)
    return names
