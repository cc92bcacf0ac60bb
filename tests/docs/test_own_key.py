"""The reader's own test key in the samples: its beginning alone, and only for who may see it in the portal, too."""

import re

import pytest
from django.db import OperationalError
from django.test import Client

from apps.accounts.models import Account, Role
from apps.common.environments import Environment
from apps.docs import views
from apps.keys.services.issue import issue_key
from tests.factories.accounts import AccountFactory
from tests.portal.person import member_of, remove_two_factor

pytestmark = pytest.mark.django_db

PAGES = ["/docs/reference/hotels/create-hotel-booking", "/docs/guides/first-call", "/docs/guides/hotels"]


def key_of(account: Account, environment: str = Environment.TEST, name: str = "Checkout <1>") -> str:
    """A new key's secret."""
    _, secret = issue_key(account=account, environment=environment, name=name)
    return secret


@pytest.mark.parametrize("path", PAGES)
def test_a_member_reads_the_name_and_the_beginning_of_the_newest_test_key(path: str):
    owner = member_of(AccountFactory(), Role.OWNER)
    key_of(owner.account, name="Older")
    secret = key_of(owner.account)
    answer = owner.client.get(path)
    text = answer.content.decode()
    [shown] = set(re.findall(r"(svc_test_\w*)…", text))
    assert secret.startswith(shown)
    assert len("svc_test_") < len(shown) <= 16
    assert secret not in text
    assert "Checkout &lt;1&gt;" in text
    assert "Older" not in text
    assert "no-store" in answer["Cache-Control"]
    assert "Cookie" in answer["Vary"]


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_reads_a_placeholder_without_a_look_at_the_database(path: str, django_assert_num_queries):
    key_of(AccountFactory())
    Client().get(path)
    with django_assert_num_queries(0):
        answer = Client().get(path)
    assert "svc_test_…" in answer.content.decode()
    assert "Checkout" not in answer.content.decode()


def test_who_has_no_second_factor_reads_a_placeholder(settings):
    owner = member_of(AccountFactory(), Role.OWNER)
    key_of(owner.account)
    remove_two_factor(owner.user)
    settings.PORTAL_REQUIRE_TWO_FACTOR = True
    assert "Checkout" not in owner.client.get(PAGES[0]).content.decode()
    settings.PORTAL_REQUIRE_TWO_FACTOR = False
    assert "Checkout" in owner.client.get(PAGES[0]).content.decode()


def test_the_page_is_read_while_the_database_is_away(monkeypatch):
    owner = member_of(AccountFactory(), Role.OWNER)
    key_of(owner.account)

    def away(request: object) -> None:
        raise OperationalError

    monkeypatch.setattr(views, "_newest", away)
    answer = owner.client.get(PAGES[0])
    assert (answer.status_code, "svc_test_…" in answer.content.decode()) == (200, True)
