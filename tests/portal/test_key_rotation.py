"""Rotating a key, the calls of each secret meanwhile, and ending the old secret early."""

import re
from datetime import timedelta

import pytest

from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.errors import ApiKeyExpired
from apps.keys import authentication
from apps.keys.selectors import audit_of
from apps.keys.services import rotate_key
from tests.factories.keys import issued_key
from tests.portal.reading import SECRET, approve, let_approval_lapse, path, rotated, silence, text_of
from tests.portal.sample_data import write_down
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


def test_while_the_old_secret_is_in_use_one_waits(portal, account):
    key, old, new = rotated(account)
    for secret in (old, old, new):
        Api(secret).get("/v1/account")
    write_down()
    text = text_of(portal.get(path(key)))
    assert re.search(r"New 1 \d+ s ago .* Old ends in 23 h 2 \d+ s ago", text)
    assert re.search(r"0 calls on the old one for \d+ s only\. Wait", text)


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


def test_the_old_secret_is_ended_on_a_page_that_says_whose_traffic_is_cut_off(portal, account):
    key, old, new = rotated(account)
    assert f'href="{path(key, "end-old/")}">End the old secret now' in portal.get(path(key)).content.decode()
    for secret in (old, new):
        Api(secret).get("/v1/account")
    write_down()
    asked = text_of(portal.get(path(key, "end-old/")))
    assert f"Every call with {old[:13]}… is refused" in asked
    assert re.search(
        r"0 calls on the old one for \d+ (s|min) only: servers that still use it are cut off", asked
    ), asked
    assert Api(old).get("/v1/account").status == 200, "Looking ends nothing"

    answer = portal.post(path(key, "end-old/"), follow=True)

    assert Api(old).get("/v1/account").error_type == "api_key_expired"
    assert Api(new).get("/v1/account").status == 200
    text = text_of(answer)
    assert "The newest secret of “Web shop” is the only one that works now." in text
    assert re.search(
        rf"Ended the old secret of the key Web shop, which had another (23 h|1 day) {portal.user.email}", text
    )
    assert "End the old secret now" not in text
    assert AccountAuditEntry.objects.latest("id").address == "127.0.0.1"


def test_a_rotation_since_the_page_was_read_ends_nothing(portal, account):
    """Otherwise the secret that the page named as the one that stays would end, before anybody deployed its successor."""
    key, old, shown = rotated(account)
    said = portal.get(path(key, "end-old/")).context["form"].initial
    newest = rotate_key(key=key)

    refused = portal.post(path(key, "end-old/"), said)

    assert (refused.status_code, "Nothing was ended; reload the page." in text_of(refused)) == (400, True)
    assert f"{newest[:13]}… remains the only secret" in text_of(refused)
    assert [Api(secret).get("/v1/account").status for secret in (old, shown, newest)] == [200] * 3

    portal.post(path(key, "end-old/"), refused.context["form"].initial)
    assert [Api(secret).get("/v1/account").status for secret in (old, shown, newest)] == [401, 401, 200]


def test_without_a_rotation_there_is_nothing_to_end(portal, account):
    key, secret = issued_key(account)
    for answer in (portal.get(path(key, "end-old/")), portal.post(path(key, "end-old/"))):
        assert (answer.status_code, answer["Location"]) == (302, path(key))
    assert "No old secret of this key works any more." in text_of(portal.get(path(key)))
    assert authentication.authenticate(secret).key_id == key.pk
    assert [entry.action for entry in audit_of(key)] == ["keys.created"]
