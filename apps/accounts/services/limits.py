"""An account's own limits, where they differ from the deployment's."""

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account
from apps.accounts.services.terms import change_terms
from apps.common.errors import InvalidRequest

MAX_LIMIT = 2_147_483_647


def set_limits(
    *,
    account: Account,
    rate_search: int | None,
    rate_booking: int | None,
    rate_read: int | None,
    search_quota: int | None,
    actor: Actor = SUPPORT,
) -> None:
    """Requests a minute by class, searches a UTC day; None means the deployment's default.

    Raises InvalidRequest for a limit out of bounds.
    """
    limits = {
        "rate_search": rate_search,
        "rate_booking": rate_booking,
        "rate_read": rate_read,
        "search_quota": search_quota,
    }
    wrong = [name for name, limit in limits.items() if limit is not None and not 0 <= limit <= MAX_LIMIT]
    if wrong:
        raise InvalidRequest(
            details=[{"field": name, "message": f"A limit is between 0 and {MAX_LIMIT}."} for name in wrong]
        )
    change_terms(account=account, actor=actor, **limits)
