"""The list of keys."""

import re
from datetime import timedelta

import pytest

from apps.accounts.actors import actor_of
from apps.accounts.models import Role
from apps.keys.services import revoke_key, rotate_key
from tests.factories.keys import issued_key
from tests.portal.keys.reading import (
    LIST,
    approve,
    text_of,
)
from tests.portal.sample_data.requests import write_down
from tests.support.api import Api

pytestmark = pytest.mark.django_db


def test_the_list_is_of_one_environment_and_folds_what_is_revoked(portal, account):
    approve(account)
    issued_key(account, name="Standing")
    issued_key(account, name="Of live", environment="live")
    gone, _ = issued_key(account, name="Gone")
    revoke_key(key=gone)
    page = portal.get(LIST).content.decode()
    standing, folded = page.split("<details>\n  <summary")
    assert [name in standing for name in ("Standing", "Gone", "Of live")] == [True, False, False]
    assert [name in folded for name in ("Standing", "Gone", "Of live")] == [False, True, False]


def test_a_row_tells_what_the_key_may_and_when_it_was_used(portal, account):
    key, secret = issued_key(
        account, name="Web shop", actor=actor_of(portal.user), allowed_ips=["203.0.113.7"]
    )
    Api(secret, address="203.0.113.7").get("/v1/account")
    write_down()
    rotate_key(key=key, overlap=timedelta(minutes=90))
    text = text_of(portal.get(LIST))
    prefix = key.secrets.latest("id").prefix
    assert f"Web shop {prefix}… Rotating old secret ends in 1 h 10 scopes, from 1 address" in text
    assert re.search(rf"\d+ s ago \d+ s ago {portal.user.email}", text), (
        "The last call, and when it was created by whom"
    )


def test_pages_of_many_keys_hold_each_key_once(portal, account):
    made = {issued_key(account, name=f"Key {n}")[0].pk for n in range(60)}
    first = portal.get(LIST).content.decode()
    older = re.search(r'href="\?cursor=([^"]+)" rel="next"', first)
    second = portal.get(LIST, cursor=older[1]).content.decode()
    listed = [
        re.findall(r'class="row-link" href="/portal/test/keys/([^/]+)/"', page) for page in (first, second)
    ]
    assert ([len(page) for page in listed], {*listed[0], *listed[1]}) == ([50, 10], made)


def test_without_keys_the_next_step_is_said(portal, portal_as, account):
    assert 'href="/portal/test/keys/new/"' in portal.get(LIST).content.decode()
    live = portal.get("/portal/live/keys/")
    assert ("Live keys need an approval" in text_of(live), "keys/new" in live.content.decode()) == (
        True,
        False,
    )
    assert "An owner or a developer" in text_of(portal_as(Role.VIEWER).get(LIST))
    approve(account)
    assert "Create a live key" in text_of(portal.get("/portal/live/keys/"))
