"""The chat of an account: its address, its messages, and what is refused."""

import re
from functools import partial
from html import unescape

import orjson
import pytest

from apps.accounts.actors import SUPPORT
from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.gateway.periodic import Tally
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications import tell as letters
from apps.portal.notifications.tell import MAX_TRIES, set_chat, tell_troubles
from apps.webhooks.causes import Cause
from apps.webhooks.models import Attempt
from apps.webhooks.sender import ReceiverAnswer
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.portal.person import member_of
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db
PAGE = "/portal/test/notifications/"
CHAT = f"{PAGE}chat/"
GOOD = {"url": "https://hooks.chat.example/services/T0/secret-part", "kinds": ["endpoint_failing"]}


def text_of(answer) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


class Chat:
    """Stands where the sender is, and keeps what it was to post."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, dict[str, str], bytes]] = []
        self.cause: Cause | None = None

    def post(self, url, *, headers, body, seconds):
        self.posts.append((url, headers, body))
        return ReceiverAnswer(200 if self.cause is None else 500, "", self.cause, 5)


@pytest.fixture
def chat(monkeypatch) -> Chat:
    found = Chat()
    monkeypatch.setattr(letters, "sender", lambda: found)
    return found


def fail(account) -> None:
    endpoint = EndpointFactory(account=account, url="https://a.example/in")
    Attempt.objects.create(
        delivery=DeliveryFactory(endpoint=endpoint),
        endpoint=endpoint,
        number=1,
        attempted_at=clock.now(),
        duration_ms=1,
        status_code=500,
    )


def sweep() -> int:
    return tell_troubles(tally=Tally())


def test_a_chat_is_told_once_in_one_field(portal, account, chat):
    assert portal.post(CHAT, GOOD)["Location"] == PAGE
    fail(account)
    assert (sweep(), sweep()) == (1, 0)
    [(url, headers, body)] = chat.posts
    said = orjson.loads(body)
    assert (url, list(said), headers["Content-Type"]) == (GOOD["url"], ["text"], "application/json")
    assert [name for name in headers if "ignature" in name] == []
    first, endpoint, failing, page = said["text"].split("\n")
    assert (first, endpoint) == ("Aurora Travel, test: A webhook endpoint is failing", "https://a.example/in")
    assert failing.startswith("Failing since ")
    assert page.endswith("/portal/test/webhooks/")


def test_a_chat_that_refuses_is_asked_five_times_and_the_page_says_why(portal, account, chat):
    portal.post(CHAT, GOOD)
    fail(account)
    chat.cause = Cause("status", "answered 500")
    assert [sweep() for _ in range(7)] == [0] * 7
    assert len(chat.posts) == MAX_TRIES
    assert "It refused the last message: answered 500." in text_of(portal.get(PAGE))
    chat.cause = None
    portal.post(CHAT, GOOD | {"url": "https://hooks.chat.example/other"})
    assert (sweep(), chat.posts[-1][0]) == (1, "https://hooks.chat.example/other")
    assert "did not take" not in text_of(portal.get(PAGE))


@pytest.mark.django_db(transaction=True)
def test_of_two_members_who_connect_the_first_chat_at_once_the_last_one_sets_it() -> None:
    account = AccountFactory()

    def connect(number: int) -> None:
        set_chat(
            account=account,
            environment="test",
            url=f"https://hooks.chat.example/{number}",
            kinds=["keys"],
            balance_below_cents=None,
            actor=SUPPORT,
        )

    all_at_once([partial(connect, number) for number in range(4)])
    assert NotificationChoice.objects.get().chat_url.startswith("https://hooks.chat.example/")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", "Give the address of the chat's incoming webhook."),
        ("http://hooks.chat.example/x", "The address must be an https URL."),
        ("https://10.0.0.7/x", "The address must have a public host."),
        ("https://169.254.169.254/latest", "The address must have a public host."),
        ("https://chat.internal/x", "The address must have a public host."),
        ("https://localhost/x", "The address must have a public host."),
        ("https://[::1]/x", "The address must have a public host."),
        ("https://me:word@hooks.chat.example/", "The address must not have a user name or password."),
        ("https://hooks.chat.example/" + "x" * 3_000, "at most 2048 characters"),
    ],
)
def test_an_address_inside_the_network_is_refused_in_words(portal, settings, url, says):
    settings.WEBHOOK_ALLOW_LOCAL_TARGETS = False
    answer = portal.post(CHAT, GOOD | {"url": url})
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, ["url"])
    assert says in text_of(answer)
    assert not NotificationChoice.objects.exists()


def test_the_address_is_kept_encrypted_and_never_shown(portal, account):
    portal.post(CHAT, GOOD)
    row = NotificationChoice.objects.get()
    assert (row.chat_url, "secret-part" in row.chat_url_encrypted) == (GOOD["url"], False)
    for path in (PAGE, CHAT, "/portal/audit/"):
        html = portal.get(path).content.decode()
        assert ("hooks.chat.example" in html, "secret-part" in html) == (True, False), path
    assert portal.get("/portal/live/notifications/").context["chat"] is None
    actions = AccountAuditEntry.objects.values_list("action", "subject_name")
    assert list(actions) == [("account.chat_set", "hooks.chat.example")]


def test_an_empty_address_keeps_the_one_there_is(portal, account):
    portal.post(CHAT, GOOD)
    before = NotificationChoice.objects.get()
    answer = portal.post(CHAT, {"url": "", "kinds": ["quota"]})
    after = NotificationChoice.objects.get()
    assert (answer["Location"], after.kinds) == (PAGE, ["quota"])
    assert after.chat_url == before.chat_url


def test_a_chat_that_is_removed_is_told_nothing(portal, account, chat):
    portal.post(CHAT, GOOD)
    fail(account)
    assert "The chat is disconnected." in text_of(portal.post(f"{CHAT}remove/", follow=True))
    assert (sweep(), NotificationChoice.objects.count(), ToldTrouble.objects.count()) == (0, 0, 0)
    assert portal.post(f"{CHAT}remove/").status_code == 302
    assert AccountAuditEntry.objects.filter(action="account.chat_removed").count() == 1


@pytest.mark.parametrize("role", ["finance", "viewer"])
def test_owners_and_developers_choose_the_chat(portal_as, role):
    person = portal_as(role)
    assert "Owners and developers choose the chat." in text_of(person.get(PAGE))
    assert {person.get(CHAT).status_code, person.post(CHAT, GOOD).status_code} == {403}
    assert person.post(f"{CHAT}remove/").status_code == 403
    assert not NotificationChoice.objects.exists()


def test_the_password_is_asked_for_again(account):
    stale = member_of(account, "developer", seconds_ago=301)
    assert stale.post(CHAT, GOOD)["Location"].startswith("/account/reauthenticate/")
    assert not NotificationChoice.objects.exists()
