"""The password is asked for again before a secret is made or shown."""

import pytest

from apps.accounts.models import Role
from apps.keys.models import ApiKey, KeySecret
from tests.factories.keys import issued_key
from tests.portal.keys.reading import FILLED, LIST, NEW, SECRET
from tests.portal.person import PASSWORD, member_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["new/", "{key}/rotate/", "{key}/secret/"])
def test_creating_rotating_and_showing_ask_for_the_password_again(account, page):
    key, _ = issued_key(account)
    stale = member_of(account, Role.DEVELOPER, seconds_ago=301)
    where = LIST + page.format(key=key.pk)
    answers = [stale.get(where)] if "secret" in page else [stale.get(where), stale.post(where, FILLED)]
    assert {(answer.status_code, answer["Location"].split("?")[0]) for answer in answers} == {
        (302, "/account/reauthenticate/")
    }
    assert (ApiKey.objects.count(), KeySecret.objects.count()) == (1, 1)


def test_a_form_that_was_filled_in_slowly_is_carried_out_after_the_password(account):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    stale.post(NEW, FILLED)
    done = stale.post("/account/reauthenticate/", {"password": PASSWORD, "next": NEW}, follow=True)
    assert SECRET.search(done.content.decode())
    assert ApiKey.objects.get().name == "Web shop"


def test_a_form_that_is_refused_after_the_password_is_sent_to_its_own_address_again(account):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    stale.post(NEW, FILLED | {"allowed_ips": "nowhere"})
    answer = stale.post("/account/reauthenticate/", {"password": PASSWORD, "next": NEW})
    assert (answer.status_code, f'method="post" action="{NEW}"' in answer.content.decode()) == (400, True)
