import re
from typing import Any

import pytest

from apps.accounts.models import Role
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import DEFAULT
from apps.keys.services import issue_key
from apps.onboarding.sandboxes import reset_sandbox
from apps.portal import quick_start as views
from tests.factories.keys import issued_key
from tests.portal.person import PASSWORD, member_of
from tests.portal.reading import SECRET, text_of
from tests.portal.sample_data import write_down
from tests.support.api import Api

pytestmark = pytest.mark.django_db
PAGE, LIVE, CREATE = "/portal/test/quick-start/", "/portal/live/quick-start/", "/portal/test/quick-start/key/"
ARRIVED = PAGE + "arrived/"
BY_HTMX = {"HX-Request": "true"}


def codes(answer: Any) -> dict[str, str]:
    """The three snippets by language."""
    found = re.findall(r"<summary>([^<]+)</summary>.*?<code>(.+?)</code>", answer.content.decode(), re.S)
    return dict(found)


def test_a_key_made_here_is_filled_in_once(portal, settings):
    settings.PUBLIC_BASE_URL = "https://api.example"
    made = portal.post(CREATE)
    key = ApiKey.objects.get(account=portal.account)
    assert (key.environment, key.scopes) == ("test", list(DEFAULT))
    shown = portal.get(made["Location"])
    secret = SECRET.findall(shown.content.decode())[0]
    assert authentication.authenticate(secret).key_id == key.pk
    assert all(
        f"Bearer {secret}" in code and "https://api.example/v1/account" in code
        for code in codes(shown).values()
    )
    assert "no-store" in shown["Cache-Control"]

    again = portal.client.get(made["Location"], follow=True)
    assert again.redirect_chain == [(PAGE, 302)]
    assert (SECRET.findall(again.content.decode()), "svc_test_…" in text_of(again)) == ([], True)


def test_a_sandbox_that_is_reset_meanwhile_gets_no_key_and_the_reason_is_said(portal, monkeypatch):
    def reset_before(**key: Any) -> Any:
        reset_sandbox(account_id=portal.account.pk)
        return issue_key(**key)

    monkeypatch.setattr(views, "issue_key", reset_before)
    answer = portal.post(CREATE, follow=True)
    said = "This sandbox was reset or closed in the meantime."
    assert [str(message) for message in answer.context["messages"]] == [said]
    assert not ApiKey.objects.exists()


def test_making_a_key_asks_for_the_password_again(account):
    stale = member_of(account, Role.DEVELOPER, seconds_ago=301)
    assert stale.post(CREATE)["Location"].startswith("/account/reauthenticate/")
    assert not ApiKey.objects.exists()
    done = stale.post("/account/reauthenticate/", {"password": PASSWORD, "next": CREATE}, follow=True)
    assert SECRET.search(codes(done)["curl"])


@pytest.mark.parametrize("where", [PAGE, ARRIVED])
def test_it_turns_green_with_the_first_call_and_stops_asking(portal, account, where):
    _, secret = issued_key(account)
    waiting = portal.client.get(where, headers=BY_HTMX).content.decode()
    assert (f'hx-get="{ARRIVED}" hx-trigger="every 3s"' in waiting, "has arrived" in waiting) == (True, False)

    Api(secret).get("/v1/account")
    write_down()

    arrived = portal.client.get(where, headers=BY_HTMX).content.decode()
    assert ("every 3s" in arrived, "Your first call has arrived" in arrived) == (False, True)
    assert ["/portal/test/webhooks/" in arrived, "get-started#search-then-book" in arrived] == [True, True]
