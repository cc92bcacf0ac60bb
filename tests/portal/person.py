"""A person who uses the portal through Django's test client."""

import base64
import time
from dataclasses import dataclass, field
from typing import Any

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import encrypt
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client

from apps.accounts.models import Account, Membership, User
from apps.common import clock
from apps.portal.sign_in.sessions import BEGAN, SessionStore
from tests.factories.accounts import MembershipFactory, UserFactory

PASSWORD = "correct horse battery staple"
TOTP_SECRET = base64.b32encode(b"twenty bytes of test").decode()


def code_now(secret: str = TOTP_SECRET, *, offset: int = 0) -> str:
    """The code that the authenticator app shows. `offset=1` is the next code, for a second use within 30 seconds."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + offset))


def set_up_two_factor(user: User) -> None:
    """What allauth's two `activate` write, in one statement."""
    Authenticator.objects.bulk_create(
        Authenticator(user=user, type=type, data=data)
        for type, data in (
            (Authenticator.Type.TOTP, {"secret": encrypt(TOTP_SECRET)}),
            (
                Authenticator.Type.RECOVERY_CODES,
                {"seed": encrypt(RecoveryCodes.generate_seed()), "used_mask": 0},
            ),
        )
    )


def remove_two_factor(user: User) -> None:
    Authenticator.objects.filter(user=user).delete()


@dataclass
class Person:
    """A member and their browser. A view that crashes raises its exception here."""

    user: User
    membership: Membership | None = None
    client: Client = field(default_factory=Client)

    @property
    def account(self) -> Account:
        assert self.membership is not None
        return self.membership.account

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(path, query or None)

    def post(self, path: str, data: dict[str, Any] | None = None, *, follow: bool = False) -> Any:
        return self.client.post(path, data or {}, follow=follow)

    def sign_in(self, *, seconds_ago: float = 0) -> "Person":
        """Sign in without the forms. More than five minutes ago, pages with secrets ask again."""
        session = self._session()
        session["account_authentication_methods_user"] = str(self.user.pk)
        session[AUTHENTICATION_METHODS_SESSION_KEY] = [
            {"method": "mfa", "at": time.time() - seconds_ago, "reauthenticated": True}
        ]
        session.save()
        self.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        return self

    def _session(self) -> Any:
        """What `Client.force_login` leaves. Where the browser has no session yet: in fewer statements, and still to be saved."""
        if settings.SESSION_COOKIE_NAME in self.client.cookies:
            self.client.force_login(self.user)
            return self.client.session
        now = self.user.last_login = clock.now()
        User.objects.filter(pk=self.user.pk).update(last_login=now)
        session = SessionStore()
        session[SESSION_KEY] = str(self.user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = self.user.get_session_auth_hash()
        session[BEGAN] = int(now.timestamp())
        return session


def member_of(account: Account, role: str, *, seconds_ago: float = 0) -> Person:
    user = UserFactory()
    set_up_two_factor(user)
    return Person(user, MembershipFactory(account=account, user=user, role=role)).sign_in(
        seconds_ago=seconds_ago
    )


LOGIN, CODE_PAGE = "/account/login/", "/account/two-factor/code/"


def attempt(email: str, password: str = PASSWORD, address: str = "198.51.100.7") -> Any:
    """Sign in from a new browser."""
    return Client(REMOTE_ADDR=address).post(LOGIN, {"login": email, "password": password})


def known_browser(person: Person, address: str = "198.51.100.7", *, offset: int = 0) -> Client:
    """A browser from which `person` signed in and out before. `offset` is that of `code_now`."""
    browser = Client(REMOTE_ADDR=address)
    browser.post(LOGIN, {"login": person.user.email, "password": PASSWORD})
    assert browser.post(CODE_PAGE, {"code": code_now(offset=offset)})["Location"] == "/"
    browser.post("/account/logout/")
    return browser


def enters(browser: Client, person: Person, password: str = PASSWORD) -> Any:
    return browser.post(LOGIN, {"login": person.user.email, "password": password})
