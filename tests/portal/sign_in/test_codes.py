"""A code is accepted once: at a sign-in, before a secret, at the set-up, and when it is sent twice at once."""

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client

from apps.accounts.models import Role, User
from apps.portal.sign_in.codes import accept
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.portal.person import PASSWORD, Person, code_now, member_of, set_up_two_factor
from tests.portal.sign_in.browsers import CODE_PAGE, LOGIN, enters
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db


def app_of(user: User) -> Authenticator:
    return Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP)


def test_a_used_code_stays_used_though_the_cache_forgot_it(member):
    """A code is valid for 90 seconds, longer than the library remembers it, and Redis may have lost it."""
    code = code_now()
    assert accept(app_of(member.user), code)
    cache.clear()
    assert not accept(app_of(member.user), code)


def test_a_code_from_before_the_last_one_is_not_taken(member):
    assert accept(app_of(member.user), code_now(offset=1))
    assert not accept(app_of(member.user), code_now())


def test_a_code_that_opened_the_portal_shows_no_secret(account):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    code, browser = code_now(), Client()
    enters(browser, stale)
    assert browser.post(CODE_PAGE, {"code": code})["Location"] == "/"
    answer = stale.post("/account/two-factor/reauthenticate/", {"code": code})
    assert answer.context["form"].errors == {"code": ["Incorrect code."]}


def test_the_code_of_the_set_up_does_not_sign_in(account, django_capture_on_commit_callbacks):
    user = UserFactory()
    MembershipFactory(account=account, user=user)
    person = Person(user)
    person.post(LOGIN, {"login": user.email, "password": PASSWORD})
    code = code_now(person.get("/account/two-factor/set-up/").context["form"].secret)
    with django_capture_on_commit_callbacks(execute=True):
        assert person.post("/account/two-factor/set-up/", {"code": code}).status_code == 302
    thief = Client()
    enters(thief, person)
    assert thief.post(CODE_PAGE, {"code": code}).context["form"].errors == {"code": ["Incorrect code."]}


@pytest.mark.django_db(transaction=True)
def test_a_code_that_is_sent_many_times_in_one_moment_is_taken_once():
    user = UserFactory()
    set_up_two_factor(user)
    code = code_now()
    assert sum(all_at_once([lambda: accept(app_of(user), code)] * 8)) == 1


@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_that_is_sent_many_times_in_one_moment_is_taken_once():
    user = UserFactory()
    set_up_two_factor(user)
    codes = Authenticator.objects.get(user=user, type=Authenticator.Type.RECOVERY_CODES)
    code = codes.wrap().get_unused_codes()[0]

    def once() -> bool:
        return accept(Authenticator.objects.get(pk=codes.pk), code)

    assert sum(all_at_once([once] * 8)) == 1
    codes.refresh_from_db()
    assert code not in codes.wrap().get_unused_codes()
