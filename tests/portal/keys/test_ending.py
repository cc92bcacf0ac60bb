"""Ending the old secret of a rotation early."""

import re

import pytest

from apps.accounts.models import AccountAuditEntry, Role
from apps.keys import authentication
from apps.keys.selectors import audit_of
from apps.keys.services import rotate_key
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.portal.keys.reading import (
    path,
    rotated,
    silence,
    text_of,
)
from tests.portal.person import member_of
from tests.portal.sample_data.requests import write_down
from tests.support.api import Api

pytestmark = pytest.mark.django_db


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

    assert (refused.status_code, "Nothing was ended; look again." in text_of(refused)) == (400, True)
    assert f"{newest[:13]}… goes on as the only secret" in text_of(refused)
    assert [Api(secret).get("/v1/account").status for secret in (old, shown, newest)] == [200] * 3

    portal.post(path(key, "end-old/"), refused.context["form"].initial)
    assert [Api(secret).get("/v1/account").status for secret in (old, shown, newest)] == [401, 401, 200]


@pytest.mark.parametrize(
    ("minutes", "called", "says"),
    [(35, True, "0 calls on the old one for 35 min: the traffic has moved."), (35, False, "No call with the new secret yet")],
)  # fmt: skip
def test_before_ending_the_old_secret_the_traffic_is_said(portal, account, minutes, called, says):
    key, old, new = rotated(account)
    for secret in (old, new) if called else (old,):
        Api(secret).get("/v1/account")
    write_down()
    silence(key, minutes=minutes)
    assert says in text_of(portal.get(path(key, "end-old/")))


def test_without_a_rotation_there_is_nothing_to_end(portal, account):
    key, secret = issued_key(account)
    for answer in (portal.get(path(key, "end-old/")), portal.post(path(key, "end-old/"))):
        assert (answer.status_code, answer["Location"]) == (302, path(key))
    assert "No old secret of this key works any more." in text_of(portal.get(path(key)))
    assert authentication.authenticate(secret).key_id == key.pk
    assert [entry.action for entry in audit_of(key)] == ["keys.created"]


def test_who_may_not_change_keys_is_not_offered_the_end_of_a_secret(portal_as, account):
    key, old, _ = rotated(account)
    viewer = portal_as(Role.VIEWER)
    assert "end-old/" not in viewer.get(path(key)).content.decode()
    assert viewer.post(path(key, "end-old/")).status_code == 403
    assert member_of(AccountFactory(), Role.OWNER).post(path(key, "end-old/")).status_code == 404
    assert authentication.authenticate(old).key_id == key.pk
