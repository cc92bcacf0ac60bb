"""The history of a key."""

import re
from datetime import timedelta
from html import unescape

import pytest

from apps.accounts.actors import actor_of
from apps.keys.services import rename_key, rotate_key
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key
from tests.portal.keys.reading import path

pytestmark = pytest.mark.django_db


def test_the_trail_is_told_newest_first_and_names_none_of_our_people(portal, account):
    key, _ = issued_key(account, name="A", actor=actor_of(portal.user))
    rotate_key(key=key, overlap=timedelta(hours=1), actor=actor_of(UserFactory(is_staff=True)))
    rename_key(key=key, name="B")
    told = re.findall(
        r'<li>(.+?)<br><span class="muted">(.+?), <time', portal.get(path(key)).content.decode()
    )
    assert [(unescape(what), who) for what, who in told] == [
        ("Renamed the key B, which was called “A”", "Support"),
        ("Rotated the key A: the old secret got another 1 h", "Support"),
        ("Created the key A with 10 scopes, for every address", portal.user.email),
    ]
