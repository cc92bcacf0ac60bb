"""The reader's own test key in the samples, for who is signed in. Of a secret only its beginning is known to us."""

from dataclasses import dataclass

from django.conf import settings
from django.db import Error
from django.http import HttpRequest

from apps.accounts.models import User
from apps.common.environments import Environment
from apps.keys.selectors import page_of_keys
from apps.portal.context import context_for, memberships_of

PLACEHOLDER = "svc_test_…"


@dataclass(frozen=True, slots=True)
class OwnKey:
    name: str
    prefix: str

    @property
    def placeholder(self) -> str:
        """What stands for the secret: `svc_test_AbCd…`."""
        return f"{self.prefix}…"


def own_key(request: HttpRequest) -> OwnKey | None:
    """The newest working test key of the account that the reader looks at; never a live one.

    None for who is not signed in, has no account, or would not be let into the portal. The documentation is read without a
    database, too.
    """
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    try:
        return _newest(request)
    except Error:
        return None


def _newest(request: HttpRequest) -> OwnKey | None:
    user = request.user
    memberships = memberships_of(user) if isinstance(user, User) else []
    if not isinstance(user, User) or not memberships:
        return None
    if settings.PORTAL_REQUIRE_TWO_FACTOR and not memberships[0].two_factor:  # type: ignore[attr-defined]
        return None
    account_id = context_for(request, user, memberships, Environment.TEST).account_id
    for key in page_of_keys(account_id, Environment.TEST, limit=1).keys:
        for secret in key.working_secrets[:1]:  # type: ignore[attr-defined]
            return OwnKey(key.name, secret.prefix)
    return None
