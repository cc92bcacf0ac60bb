"""A rotation, the calls of each secret during it, and its end."""

import re
from datetime import timedelta

import pytest

from apps.common import clock
from apps.common.errors import ApiKeyExpired
from apps.keys import authentication
from tests.factories.keys import issued_key
from tests.portal.keys.reading import (
    SECRET,
    approve,
    let_approval_lapse,
    path,
    rotated,
    silence,
    text_of,
)
from tests.portal.sample_data.requests import write_down
from tests.support.api import Api

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seconds", [3_600, 86_400, 604_800])
def test_a_rotation_shows_the_new_secret_and_keeps_the_old_one_for_as_long_as_chosen(
    portal, account, seconds
):
    key, old = issued_key(account)
    shown = portal.post(path(key, "rotate/"), {"overlap": str(seconds)}, follow=True)
    new = SECRET.findall(shown.content.decode())[0]
    assert authentication.authenticate(new).key_id == authentication.authenticate(old).key_id == key.pk
    left = key.secrets.earliest("id").expires_at - clock.now()
    assert seconds - 60 < left.total_seconds() <= seconds


def test_a_rotation_at_once_ends_the_old_secret(portal, account):
    key, old = issued_key(account)
    portal.post(path(key, "rotate/"), {"overlap": "0"})
    with pytest.raises(ApiKeyExpired):
        authentication.authenticate(old)
    assert "Rotated the key Server: the old secret ended at once" in text_of(portal.get(path(key)))


def test_rotating_a_live_key_waits_for_the_approval(portal, account):
    approve(account)
    key, secret = issued_key(account, environment="live")
    let_approval_lapse(account)
    answer = portal.post(path(key, "rotate/"), {"overlap": "3600"})
    page = answer.content.decode()
    assert (answer.status_code, "Ask under Go live" in page) == (400, True)
    assert 'name="overlap" value="3600" checked' in page
    assert (key.secrets.count(), authentication.authenticate(secret).key_id) == (1, key.pk)


def test_before_the_first_call_with_the_new_secret_it_is_asked_for(portal, account):
    key, old, _ = rotated(account)
    Api(old).get("/v1/account")
    write_down()
    silence(key, minutes=45)
    assert "No call with the new secret yet." in text_of(portal.get(path(key)))


def test_while_the_old_secret_is_in_use_one_waits(portal, account):
    key, old, new = rotated(account)
    for secret in (old, old, new):
        Api(secret).get("/v1/account")
    write_down()
    text = text_of(portal.get(path(key)))
    assert re.search(r"New 1 \d+ s ago .* Old ends in 23 h 2 \d+ s ago", text)
    assert re.search(r"0 calls on the old one for \d+ s only\. Wait", text)


def test_once_the_old_secret_is_silent_the_page_says_so(portal, account):
    key, old, new = rotated(account)
    for secret in (old, new):
        Api(secret).get("/v1/account")
    write_down()
    silence(key, minutes=35)
    text = text_of(portal.get(path(key)))
    assert "0 calls on the old one for 35 min. The traffic has moved" in text


def test_an_old_secret_that_was_never_called_is_silent_since_the_rotation(portal, account):
    key, _, new = rotated(account)
    Api(new).get("/v1/account")
    write_down()
    silence(key, minutes=31)
    assert "0 calls on the old one for 31 min. The traffic has moved" in text_of(portal.get(path(key)))


def test_traffic_is_asked_for_again_only_while_a_rotation_runs(portal, account):
    key, _, _ = rotated(account)
    assert 'hx-trigger="every 10s"' in portal.get(path(key)).content.decode()
    key.secrets.exclude(expires_at=None).update(expires_at=clock.now() - timedelta(hours=1))
    page = portal.get(path(key))
    assert ("ended 1 h ago" in text_of(page), "every 10s" in page.content.decode()) == (True, False)
    key.secrets.exclude(expires_at=None).update(expires_at=clock.now() - timedelta(days=2))
    assert "Traffic since" not in text_of(portal.get(path(key)))
