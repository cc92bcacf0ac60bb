"""Notifications: what each member and the chat choose, and what is sent to whom."""

import re
from datetime import timedelta
from functools import partial
from smtplib import SMTPRecipientsRefused

import orjson
import pytest
from django.core import mail
from django.core.mail import EmailMessage

from apps.accounts import audit
from apps.accounts.actors import SUPPORT
from apps.accounts.models import AccountAuditEntry, AuditAction, Role
from apps.common import clock
from apps.gateway.periodic import ITSELF, Tally
from apps.ledger.money import Trace, hold, top_up
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications import tell
from apps.portal.notifications import tell as letters
from apps.portal.notifications.tell import MAX_TRIES, choose, set_chat, tell_troubles
from apps.portal.notifications.troubles import Kind, troubles_of
from apps.portal.tasks import tell_members
from apps.webhooks.causes import Cause
from apps.webhooks.models import Attempt, Endpoint
from apps.webhooks.sender import ReceiverAnswer
from tests.factories.accounts import AccountFactory
from tests.factories.gateway import SearchQuotaDayFactory
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.portal.person import Person, member_of
from tests.portal.reading import text_of
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db
PAGE = "/portal/live/notifications/"


def checked(answer) -> list[str]:
    return re.findall(r'value="(\w+)"[^>]* checked', answer.content.decode())


@pytest.mark.parametrize(
    ("role", "at_first"),
    [
        ("owner", ["approval", "low_balance"]),
        ("approver", ["approval"]),
        *((role, []) for role in ("developer", "finance", "viewer")),
    ],
)
def test_each_member_chooses_for_themselves_from_what_is_on_at_first(portal_as, role, at_first):
    person, other = portal_as(role), portal_as("viewer")
    assert checked(person.get(PAGE)) == at_first
    answer = person.post(PAGE, {"kinds": ["keys", "low_balance"], "balance_below": "500"}, follow=True)
    assert "Saved." in text_of(answer)
    assert (checked(answer), 'value="500.00"' in answer.content.decode()) == (["low_balance", "keys"], True)
    assert checked(other.get(PAGE)) == []
    assert checked(person.get("/portal/test/notifications/")) == at_first
    person.post(PAGE, {"balance_below": ""})
    assert (checked(person.get(PAGE)), NotificationChoice.objects.get().kinds) == ([], [])


def test_what_was_told_is_not_told_again_for_a_choice_that_stays(portal):
    portal.post(PAGE, {"kinds": ["keys", "low_balance"], "balance_below": "5"})
    choice = NotificationChoice.objects.get()
    for kind in ("keys", "low_balance"):
        ToldTrouble.objects.create(choice=choice, kind=kind, subject="x")
    portal.post(PAGE, {"kinds": ["keys", "low_balance", "quota"], "balance_below": "5"})
    assert sorted(ToldTrouble.objects.values_list("kind", flat=True)) == ["keys", "low_balance"]
    portal.post(PAGE, {"kinds": ["keys", "low_balance"], "balance_below": "6"})
    assert sorted(ToldTrouble.objects.values_list("kind", flat=True)) == ["keys"]
    portal.post(PAGE, {"kinds": ["quota"]})
    assert not ToldTrouble.objects.exists()


def wants(person: Person, *kinds: Kind, environment: str = "test", below: int | None = None) -> None:
    choose(membership=person.membership, environment=environment, kinds=kinds, balance_below_cents=below)


def swept() -> list[tuple[str, str]]:
    """Whom the next sweep mails what: (address, subject without the account)."""
    mail.outbox.clear()
    tally = Tally()
    sent = tell.tell_troubles(tally=tally)
    assert (sent, tally.failures) == (len(mail.outbox), {})
    return [(each.to[0], each.subject.removeprefix("Aurora Travel, ")) for each in mail.outbox]


def tried(endpoint: Endpoint, status: int, times: int = 3) -> None:
    delivery = DeliveryFactory(endpoint=endpoint)
    Attempt.objects.bulk_create(
        Attempt(
            delivery=delivery,
            endpoint=endpoint,
            number=number,
            attempted_at=clock.now() - timedelta(milliseconds=100 - number),
            duration_ms=5,
            status_code=status,
        )
        for number in range(1, times + 1)
    )


def test_no_endpoint_is_mailed_by_default(portal, account):
    tried(EndpointFactory(account=account), 500)
    assert (swept(), NotificationChoice.objects.count()) == ([], 0)


def test_a_failing_endpoint_is_mailed_once_and_again_after_it_was_mended(portal, account, move_clock):
    wants(portal, Kind.ENDPOINT_FAILING)
    endpoint = EndpointFactory(account=account, url="https://a.example/in")
    assert swept() == []
    tried(endpoint, 500)
    once = [(portal.user.email, "test: A webhook endpoint is failing")]
    assert (swept(), swept()) == (once, [])
    move_clock(minutes=1)
    tried(endpoint, 200)
    assert (swept(), ToldTrouble.objects.count()) == ([], 0)
    move_clock(minutes=1)
    tried(endpoint, 500)
    assert swept() == once
    [told] = mail.outbox
    assert "https://a.example/in\nFailing since " in told.body
    assert " UTC: 3 attempts, all 500." in told.body
    assert "/portal/test/webhooks/" in told.body
    assert "/portal/test/notifications/" in told.body


def test_a_low_balance_is_mailed_below_each_members_own_amount(account, portal, portal_as):
    finance = portal_as("finance")
    wants(portal, Kind.LOW_BALANCE, below=5_000)
    wants(finance, Kind.LOW_BALANCE, below=1_000)
    WalletFactory(account=account, environment="test", cents=5_000)
    owner = {"account_id": account.pk, "environment": "test", "currency": "EUR"}
    assert swept() == []
    hold(**owner, amount_cents=1, reference="order 1", trace=Trace())
    assert swept() == [(portal.user.email, "test: The balance is low: 49.99 EUR")]
    hold(**owner, amount_cents=4_000, reference="order 2", trace=Trace())
    assert swept() == [(finance.user.email, "test: The balance is low: 9.99 EUR")]
    top_up(**owner, amount_cents=9_000, reference="bank")
    assert (swept(), ToldTrouble.objects.count()) == ([], 0)


def test_a_quota_is_mailed_from_four_fifths_on_once_a_day(account, portal):
    wants(portal, Kind.QUOTA)
    day = SearchQuotaDayFactory(account=account, used=3_999)
    assert swept() == []
    day.used = 4_000
    day.save()
    assert [subject for _, subject in swept()] == ["test: 4,000 of the day's 5,000 searches are used"]
    day.used = 4_500
    day.save()
    assert swept() == []


def record(account, action: AuditAction, environment: str = "") -> None:
    subject = audit.Subject("key", "key_1", "Web shop") if environment else None
    audit.record(account=account, action=action, actor=SUPPORT, subject=subject, environment=environment)


def test_keys_made_and_revoked_are_mailed_from_the_choice_on(account, portal, move_clock):
    record(account, AuditAction.KEY_CREATED, "live")
    move_clock(seconds=1)
    wants(portal, Kind.KEYS, environment="live")
    move_clock(seconds=1)
    record(account, AuditAction.KEY_CREATED, "test")
    record(account, AuditAction.KEY_RENAMED, "live")
    record(AccountFactory(), AuditAction.KEY_REVOKED, "live")
    assert swept() == []
    record(account, AuditAction.KEY_REVOKED, "live")
    assert swept() == [(portal.user.email, "live: The key “Web shop” was revoked")]
    move_clock(minutes=61)
    assert (swept(), ToldTrouble.objects.count()) == ([], 0)


def test_live_access_is_mailed_to_others_than_the_owners_who_are_told_anyway(
    account, portal, portal_as, move_clock
):
    developer = portal_as("developer")
    for person in (portal, developer):
        wants(person, Kind.LIVE_ACCESS, environment="live")
    move_clock(seconds=1)
    record(account, AuditAction.ACCESS_APPROVED)
    assert swept() == [(developer.user.email, "live: Live access was approved")]
    record(account, AuditAction.ACCESS_WITHDRAWN)
    ended = "live: Live access was ended"
    assert swept() == [(portal.user.email, ended), (developer.user.email, ended)]


def test_live_and_test_are_chosen_apart_and_other_accounts_tell_nothing(account, portal):
    wants(portal, Kind.ENDPOINT_FAILING, environment="live")
    tried(EndpointFactory(account=account, environment="test"), 500)
    tried(EndpointFactory(environment="live"), 500)
    assert swept() == []
    tried(EndpointFactory(account=account, environment="live"), 500)
    assert [subject for _, subject in swept()] == ["live: A webhook endpoint is failing"]


def test_who_left_or_may_not_sign_in_is_not_mailed(account, portal_as):
    left, off = portal_as("developer"), portal_as("developer")
    for person in (left, off):
        wants(person, Kind.ENDPOINT_FAILING)
    left.membership.delete()
    off.user.is_active = False
    off.user.save()
    tried(EndpointFactory(account=account), 500)
    assert (swept(), NotificationChoice.objects.count()) == ([], 1)


def test_a_mail_that_could_not_be_sent_is_sent_by_the_next_sweep_and_keeps_no_other(
    account, portal, monkeypatch
):
    stranger = member_of(AccountFactory(name="Aurora Travel"), Role.OWNER)
    for person in (portal, stranger):
        wants(person, Kind.ENDPOINT_FAILING)
        tried(EndpointFactory(account=person.account), 500)
    refuse = {portal.user.email}

    send = EmailMessage.send

    def send_or_refuse(message):
        if refuse & set(message.to):
            raise ConnectionRefusedError
        return send(message)

    monkeypatch.setattr(EmailMessage, "send", send_or_refuse)
    assert swept() == [(stranger.user.email, "test: A webhook endpoint is failing")]
    refuse.clear()
    assert swept() == [(portal.user.email, "test: A webhook endpoint is failing")]
    assert swept() == []


def test_an_address_that_takes_no_mail_is_tried_five_times(account, portal, monkeypatch):
    wants(portal, Kind.ENDPOINT_FAILING)
    tried(EndpointFactory(account=account), 500)
    tries = []

    def refused(*mail):
        tries.append(mail)
        raise SMTPRecipientsRefused({})

    monkeypatch.setattr(EmailMessage, "send", refused)
    for _ in range(7):
        assert tell_members().failures == {}
    assert len(tries) == tell.MAX_TRIES == 5


def test_of_two_sweeps_at_once_one_sends(account, portal):
    wants(portal, Kind.ENDPOINT_FAILING)
    tried(EndpointFactory(account=account), 500)
    choice = NotificationChoice.objects.select_related("account", "membership__user").get()
    [trouble] = troubles_of(account, "test", choice.kinds)
    [due], [same] = tell.noted(choice, [trouble]), tell.noted(choice, [trouble])
    assert (tell.tell(*due), tell.tell(*same), len(mail.outbox)) == (True, False, 1)


def test_what_cannot_be_read_of_one_account_keeps_no_other(account, portal, monkeypatch):
    stranger = member_of(AccountFactory(), Role.OWNER)
    for person in (portal, stranger):
        wants(person, Kind.ENDPOINT_FAILING)
        tried(EndpointFactory(account=person.account), 500)
    read = troubles_of

    def broken(of, environment, kinds):
        if of == account:
            raise ZeroDivisionError
        return read(of, environment, kinds)

    monkeypatch.setattr(tell, "troubles_of", broken)
    tally = Tally()
    assert tell.tell_troubles(tally=tally) == 1
    assert tally.failures == {ITSELF: "ZeroDivisionError"}


def test_a_name_of_several_lines_adds_no_header(portal, account):
    account.name = "Aurora\nBcc: all@partner.example"
    account.save()
    wants(portal, Kind.ENDPOINT_FAILING)
    tried(EndpointFactory(account=account), 500)
    assert [subject for _, subject in swept()] == [
        "Aurora Bcc: all@partner.example, test: A webhook endpoint is failing"
    ]


CHAT_PAGE = "/portal/test/notifications/"
CHAT = f"{CHAT_PAGE}chat/"
GOOD = {"url": "https://hooks.chat.example/services/T0/secret-part", "kinds": ["endpoint_failing"]}


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


def sweep_chat() -> int:
    return tell_troubles(tally=Tally())


def test_a_chat_is_told_once_in_one_field(portal, account, chat):
    assert portal.post(CHAT, GOOD)["Location"] == CHAT_PAGE
    fail(account)
    assert (sweep_chat(), sweep_chat()) == (1, 0)
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
    assert [sweep_chat() for _ in range(7)] == [0] * 7
    assert len(chat.posts) == MAX_TRIES
    assert "It refused the last message: answered 500." in text_of(portal.get(CHAT_PAGE))
    chat.cause = None
    portal.post(CHAT, GOOD | {"url": "https://hooks.chat.example/other"})
    assert (sweep_chat(), chat.posts[-1][0]) == (1, "https://hooks.chat.example/other")
    assert "did not take" not in text_of(portal.get(CHAT_PAGE))


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
    for path in (CHAT_PAGE, CHAT, "/portal/audit/"):
        html = portal.get(path).content.decode()
        assert ("hooks.chat.example" in html, "secret-part" in html) == (True, False), path
    assert portal.get("/portal/live/notifications/").context["chat"] is None
    actions = AccountAuditEntry.objects.values_list("action", "subject_name")
    assert list(actions) == [("account.chat_set", "hooks.chat.example")]


def test_a_chat_that_is_removed_is_told_nothing(portal, account, chat):
    portal.post(CHAT, GOOD)
    fail(account)
    assert "The chat is disconnected." in text_of(portal.post(f"{CHAT}remove/", follow=True))
    assert (sweep_chat(), NotificationChoice.objects.count(), ToldTrouble.objects.count()) == (0, 0, 0)
    assert portal.post(f"{CHAT}remove/").status_code == 302
    assert AccountAuditEntry.objects.filter(action="account.chat_removed").count() == 1
