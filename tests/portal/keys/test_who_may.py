"""Who may see and change keys."""

import pytest

from apps.accounts.models import AccountAuditEntry, Role
from tests.factories.keys import issued_key
from tests.portal.keys.reading import FILLED, NEW, path, text_of
from tests.portal.person import Person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", [Role.VIEWER, Role.FINANCE])
def test_who_may_not_change_keys_sees_no_buttons_and_is_refused(portal_as, account, role):
    key, _ = issued_key(account)
    person: Person = portal_as(role)
    page = person.get(path(key))
    assert ("Owners and developers" in text_of(page), "rotate/" in page.content.decode()) == (True, False)
    pages = ("name/", "addresses/", "rotate/", "end-old/", "revoke/")
    refused = [NEW, *(path(key, page) for page in pages)]
    assert {person.post(each, FILLED).status_code for each in refused} == {403}
    assert [entry.action for entry in AccountAuditEntry.objects.all()] == ["keys.created"]


def test_a_key_is_found_in_its_own_environment_alone(portal, account):
    key, _ = issued_key(account)
    pages = ("", "name/", "addresses/", "rotate/", "end-old/", "revoke/", "secret/")
    assert {portal.get(f"/portal/live/keys/{key.pk}/{page}").status_code for page in pages} == {404}
