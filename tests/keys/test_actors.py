import pytest

from apps.accounts.actors import Actor
from apps.keys.selectors import key_actor
from tests.factories.gateway import partner_of
from tests.factories.keys import issued_key
from tests.support.api import Api


@pytest.mark.django_db
def test_a_key_acts_under_its_own_name_from_where_it_was_sent():
    account = issued_key(name="Server")[0].account
    _, secret = issued_key(account, name="Büro")

    actor = key_actor(partner_of(Api(secret)), "203.0.113.7")

    assert actor == Actor("API key “Büro”", address="203.0.113.7")
