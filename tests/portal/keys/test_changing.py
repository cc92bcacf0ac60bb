"""Renaming, addresses, revocation."""

import pytest

from apps.common.errors import ApiKeyRevoked
from apps.keys import authentication
from apps.keys.selectors import audit_of
from apps.keys.services import revoke_key
from tests.factories.keys import issued_key
from tests.portal.keys.reading import errors_of, path, text_of
from tests.support.api import Api

pytestmark = pytest.mark.django_db


def test_renaming(portal, account):
    key, _ = issued_key(account, name="Before")
    answer = portal.post(path(key, "name/"), {"name": "After"}, follow=True)
    assert "The key is called “After” now." in text_of(answer)
    assert f"Renamed the key After, which was called “Before” {portal.user.email}" in text_of(answer)


def test_changing_addresses(portal, account):
    key, secret = issued_key(account)
    assert "every address" in text_of(portal.get(path(key)))
    answer = portal.post(path(key, "addresses/"), {"allowed_ips": "203.0.113.7"}, follow=True)
    assert "Changed the addresses of the key Server from every address to 203.0.113.7" in text_of(answer)
    assert Api(secret, address="203.0.113.8").get("/v1/account").error_type == "ip_not_allowed"
    assert ">\n203.0.113.7</textarea>" in portal.get(path(key, "addresses/")).content.decode()


@pytest.mark.parametrize(
    ("page", "typed", "field"),
    [
        ("name/", {"name": "\u202eevil"}, "name"),
        ("addresses/", {"allowed_ips": "0.0.0.0/0"}, "allowed_ips"),
        ("rotate/", {"overlap": "31536000"}, "overlap"),
        ("rotate/", {"overlap": "\x00"}, "overlap"),
        ("rotate/", {}, "overlap"),
    ],
)
def test_a_change_that_cannot_be_is_said_beside_its_field(portal, account, page, typed, field):
    key, _ = issued_key(account)
    answer = portal.post(path(key, page), typed)
    assert (answer.status_code, list(errors_of(answer))) == (400, [field])
    assert [entry.action for entry in audit_of(key)] == ["keys.created"]


def test_revoking_is_confirmed_and_immediate(portal, account):
    key, secret = issued_key(account, name="Web shop")
    assert "You cannot undo this" in text_of(portal.get(path(key, "revoke/")))
    assert authentication.authenticate(secret).key_id == key.pk
    answer = portal.post(path(key, "revoke/"), follow=True)
    assert "“Web shop” is revoked." in text_of(answer)
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)


def test_of_a_revoked_key_nothing_changes(portal, account):
    key, _ = issued_key(account)
    revoke_key(key=key)
    forms = (("name/", {"name": "New"}), ("rotate/", {"overlap": "0"}), ("addresses/", {}), ("end-old/", {}))
    for page, typed in forms:
        for answer in (portal.get(path(key, page)), portal.post(path(key, page), typed)):
            assert (answer.status_code, answer["Location"]) == (302, path(key)), page
    assert [entry.action for entry in audit_of(key)] == ["keys.revoked", "keys.created"]
