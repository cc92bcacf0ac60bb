"""Mails about money: a low balance, by default to owners, and the statement of a month, to who chose it."""

import time
from datetime import UTC, datetime
from functools import partial

import pytest
from django.core import mail
from django.core.mail import EmailMessage

from apps.accounts.actors import SUPPORT
from apps.accounts.live_approval import approve_live
from apps.accounts.members import change_role
from apps.accounts.models import Account
from apps.common import clock
from apps.gateway.periodic import Tally
from apps.ledger.models import Wallet
from apps.ledger.money import NOTHING, Trace, adjust, capture, hold, refund, top_up
from apps.onboarding.sandboxes import open_sandbox
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications import tell
from apps.portal.notifications.low_balance import report_low_balances
from apps.portal.notifications.tell import choose, subject_of
from apps.portal.notifications.troubles import Kind, Trouble, kinds_in
from apps.webhooks.models import Event
from tests.factories.ledger import WalletFactory
from tests.portal.person import Person
from tests.portal.reading import text_of
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db
PAGE = "/portal/live/notifications/"
STATEMENT_CHOICE = "A month’s statement is ready"


def swept() -> list[tuple[str, str]]:
    """Whom both sweeps mail what: (address, subject without the account)."""
    mail.outbox.clear()
    tally = Tally()
    report_low_balances(tally=tally)
    assert (tell.tell_troubles(tally=tally), tally.failures) == (len(mail.outbox), {})
    return sorted((each.to[0], each.subject.removeprefix("Aurora Travel, ")) for each in mail.outbox)


def low(person: Person, environment: str = "live", left: str = "40.00 EUR") -> tuple[str, str]:
    return person.user.email, f"{environment}: The balance is low: {left}"


def wallet_of(account: Account, *, environment: str = "live", cents: int = 4_000) -> Wallet:
    wallet = WalletFactory(account=account, environment=environment, cents=cents)
    Wallet.objects.filter(pk=wallet.pk).update(warn_below_cents=5_000)
    return wallet


def moves(wallet: Wallet):
    named = {"account_id": wallet.account_id, "environment": wallet.environment, "currency": wallet.currency}
    return partial(top_up, **named), partial(adjust, **named)


# --- A low balance ---------------------------------------------------------------------------------------------------


def test_owners_are_mailed_of_each_fall_once_without_having_chosen_it(account, portal, portal_as):
    portal_as("finance"), portal_as("approver"), portal_as("developer")
    up, down = moves(wallet_of(account))
    assert (swept(), swept()) == ([low(portal)], [])
    up(amount_cents=2_000, reference="up")
    assert (swept(), ToldTrouble.objects.count()) == ([], 0)
    down(amount_cents=-2_000, reference="down")
    assert (swept(), swept()) == ([low(portal)], [])
    up(amount_cents=2_000, reference="up again")
    down(amount_cents=-2_000, reference="down at once")
    assert (swept(), swept()) == ([low(portal)], [])
    assert Event.objects.filter(type="balance.low").count() == 3


def test_the_mail_has_what_is_left_the_amount_how_long_it_lasts_and_where_to_top_up(account, portal):
    wallet_of(account)
    [_] = swept()
    [sent] = mail.outbox
    assert sent.body.startswith(
        "The balance fell below 50.00 EUR: 40.00 EUR is available.\nWhen it is used up,"
    )
    assert "/portal/live/balance/\n" in sent.body
    assert sent.body.endswith("/portal/live/notifications/\n")
    assert sent.extra_headers["Message-ID"].startswith(f"<notification-{ToldTrouble.objects.get().pk}@")


def test_how_long_it_lasts_is_said_where_it_can_be_foretold(account, portal, monkeypatch):
    monkeypatch.setattr("apps.portal.notifications.troubles.runway_words", lambda outlook: "about 2 days")
    wallet_of(account)
    [_] = swept()
    assert "is available.\nIt lasts about 2 days.\nWhen" in mail.outbox[0].body


@pytest.mark.parametrize("before", ["no choice", "another choice"])
def test_an_owner_who_unticks_it_gets_none_and_others_tick_it(account, portal, portal_as, before):
    finance = portal_as("finance")
    if before == "another choice":
        NotificationChoice.objects.create(
            account=account, membership=portal.membership, environment="live", kinds=["keys"]
        )
    wallet = wallet_of(account)
    assert swept() == [low(portal)]
    portal.post(PAGE, {"kinds": ["keys"]})
    finance.post(PAGE, {"kinds": ["low_balance"]})
    assert (swept(), swept()) == ([low(finance)], [])
    portal.post(PAGE, {"kinds": ["keys", "low_balance"]})
    assert (swept(), swept()) == ([low(portal)], [])
    up, down = moves(wallet)
    up(amount_cents=2_000, reference="up")
    down(amount_cents=-2_000, reference="down")
    assert swept() == sorted([low(portal), low(finance)])


def test_who_becomes_an_owner_is_mailed_and_who_is_one_no_longer_is_not(account, portal, portal_as):
    other = portal_as("viewer")
    wallet_of(account)
    assert swept() == [low(portal)]
    change_role(membership=other.membership, role="owner", actor=SUPPORT)
    assert (swept(), swept()) == ([low(other)], [])
    change_role(membership=portal.membership, role="viewer", actor=SUPPORT)
    assert (swept(), ToldTrouble.objects.count()) == ([], 1)


def test_an_amount_of_ones_own_stands_in_for_that_of_the_account(account, portal, portal_as):
    finance = portal_as("finance")
    for person, amount in ((portal, "30"), (finance, "45")):
        person.post(PAGE, {"kinds": ["low_balance"], "balance_below": amount})
    _, down = moves(wallet_of(account))
    assert swept() == [low(finance)]
    assert "The balance fell below 45.00 EUR: 40.00 EUR" in mail.outbox[0].body
    down(amount_cents=-1_500, reference="down")
    assert swept() == [low(portal, left="25.00 EUR")]


def test_each_environment_and_sandbox_is_mailed_apart(account, portal):
    wallet_of(account, environment="test")
    other = open_sandbox(account=account, name="CI")
    _, down = moves(wallet := Wallet.objects.get(account=other.account_id))
    down(amount_cents=3_000 - wallet.balance_cents, reference="down")
    Wallet.objects.filter(pk=wallet.pk).update(warn_below_cents=5_000)
    assert swept() == [low(portal, "test", "30.00 EUR"), low(portal, "test")]
    assert swept() == []
    portal.post("/portal/test/notifications/", {})
    wallet_of(account)
    assert swept() == [low(portal)]


def test_without_an_amount_nothing_is_mailed_and_the_page_says_so(account, portal, portal_as):
    WalletFactory(account=account, environment="live", cents=1)
    assert swept() == []
    said = text_of(portal.get(PAGE))
    assert "Leave it empty for the account’s amount. The account has no such amount yet" in said
    assert "Owners and finance set it." in text_of(portal_as("viewer").get(PAGE))
    Wallet.objects.update(warn_below_cents=5_000)
    said = text_of(portal.get(PAGE))
    assert ("for the account’s amount, 50.00 EUR." in said, "no such amount" in said) == (True, False)


def test_a_saved_form_that_was_not_touched_mails_nothing_again(account, portal):
    wallet_of(account)
    assert swept() == [low(portal)]
    portal.post(PAGE, {"kinds": ["low_balance"]})
    assert swept() == []


@pytest.mark.django_db(transaction=True)
def test_of_sweeps_at_once_one_mails(account, portal, portal_as, monkeypatch):
    """Also while the mail server is slow."""
    other = portal_as("owner")
    wallet_of(account)
    report_low_balances(tally=Tally())
    send = EmailMessage.send

    def slowly(message):
        time.sleep(0.2)
        return send(message)

    monkeypatch.setattr(EmailMessage, "send", slowly)
    assert sum(all_at_once([partial(tell.tell_troubles, tally=Tally())] * 4)) == 2
    assert sorted(each.to[0] for each in mail.outbox) == sorted([portal.user.email, other.user.email])


def test_a_process_that_died_while_it_sent_is_followed_after_five_minutes(
    account, portal, monkeypatch, move_clock
):
    class Killed(BaseException):
        pass

    def die(message):
        raise Killed

    wallet_of(account)
    with monkeypatch.context() as patched:
        patched.setattr(EmailMessage, "send", die)
        with pytest.raises(Killed):
            swept()
    assert swept() == []
    move_clock(minutes=5, seconds=1)
    assert (swept(), swept()) == ([low(portal)], [])


@pytest.mark.parametrize(
    ("name", "title", "subject"),
    [
        ("Aurora", "Low", "Aurora, live: Low"),
        ("A" * 60, "The balance is low: 40.00 EUR", f"{'A' * 32}…, live: The balance is low: 40.00 EUR"),
        ("A" * 60, "T" * 80, f"{'A' * 11}…, live: {'T' * 49}…"),
    ],
)
def test_a_subject_has_seventy_characters_at_most(name, title, subject):
    trouble = Trouble(kind=Kind.KEYS, subject="", title=title, text="", page="keys")
    assert subject_of(name, "live", trouble) == subject
    assert len(subject) <= 70


# --- The statement of a month ----------------------------------------------------------------------------------------


@pytest.fixture
def at(monkeypatch):
    def set_now(text: str) -> None:
        now = datetime.fromisoformat(text).replace(tzinfo=UTC)
        monkeypatch.setattr(clock, "_database_now", lambda: now)

    return set_now


def wants_statement(person: Person, environment: str = "live") -> None:
    choose(
        membership=person.membership,
        environment=environment,
        kinds=[Kind.STATEMENT],
        balance_below_cents=None,
    )


def statement(person: Person, month: str, environment: str = "live") -> tuple[str, str]:
    return person.user.email, f"{environment}: Statement for {month}"


def test_it_is_mailed_once_an_hour_after_the_month_ended(account, portal, portal_as, at):
    at("2026-10-20T12:00")
    finance = portal_as("finance")
    up, _ = moves(WalletFactory(account=account, environment="live"))
    wants_statement(finance)
    at("2026-11-30T23:59:59")
    up(amount_cents=100, reference="up")
    at("2026-12-01T00:59:59")
    assert swept() == []
    at("2026-12-01T01:00:00")
    assert (swept(), swept()) == ([statement(finance, "November 2026")], [])
    at("2027-01-01T00:59:59")
    assert swept() == []


def test_it_has_the_figures_of_the_month_and_leads_to_its_page(account, portal, at):
    at("2026-10-20T12:00")
    named = {"account_id": account.pk, "environment": "live", "currency": "EUR"}
    WalletFactory(account=account, environment="live")
    wants_statement(portal)
    at("2026-11-02T12:00")
    trace = Trace(booking_type="hotel", booking_reference="H-1")
    top_up(**named, amount_cents=1_234_500, reference="up")
    capture(hold_id=hold(**named, amount_cents=30_000, reference="1", trace=trace), trace=trace)
    refund(**named, amount_cents=5_050, reference="2", trace=trace)
    hold(**named, amount_cents=1_000, reference="3", trace=NOTHING)
    adjust(**named, amount_cents=-123, reference="4")
    at("2026-12-01T01:00")
    assert swept() == [statement(portal, "November 2026")]
    text, link, again = mail.outbox[0].body.split("\n\n", 1)[1].rsplit("\n\n", 2)
    assert text.splitlines() == [
        "Opening balance                           0.00 EUR",
        "Top-ups                              12,345.00 EUR",
        "Paid for bookings                      -300.00 EUR",
        "Refunded                                 50.50 EUR",
        "Adjustments                              -1.23 EUR",
        "Closing balance                      12,094.27 EUR",
        "  of which held for bookings             10.00 EUR",
        "  of which available                 12,084.27 EUR",
        "",
        "The statement, with every line:",
    ]
    assert link.endswith("/portal/live/balance/statements/2026-11/")
    assert again.startswith("It is sent once a month, if anything moved. ")


def test_who_chooses_it_gets_the_next_month_and_no_mail_for_one_without_movement(account, portal, at):
    at("2026-10-20T12:00")
    up, _ = moves(WalletFactory(account=account, environment="live", cents=100))
    at("2026-11-02T12:00")
    portal.post(PAGE, {"kinds": ["statement"]})
    assert swept() == []
    portal.post(PAGE, {})
    portal.post(PAGE, {"kinds": ["statement", "keys"]})
    assert swept() == []
    up(amount_cents=1, reference="up")
    at("2026-12-01T01:00")
    portal.post(PAGE, {"kinds": ["statement"]})
    assert swept() == [statement(portal, "November 2026")]
    at("2027-01-05T12:00")
    assert swept() == []


def test_a_sweep_that_dies_goes_on_with_those_who_were_not_mailed(
    account, portal, portal_as, at, monkeypatch
):
    at("2026-11-02T12:00")
    people = [portal, portal_as("finance"), portal_as("viewer")]
    WalletFactory(account=account, environment="live", cents=100)
    for person in people:
        wants_statement(person)
    at("2026-12-01T01:00")
    send, sent = EmailMessage.send, []

    class Killed(BaseException):
        pass

    def die_at_the_second(message):
        if len(sent) == 1:
            raise Killed
        sent.append(message.to[0])
        return send(message)

    with monkeypatch.context() as patched:
        patched.setattr(EmailMessage, "send", die_at_the_second)
        with pytest.raises(Killed):
            swept()
    at("2026-12-01T01:01")
    sent += [address for address, _ in swept()]
    at("2026-12-01T01:10")
    sent += [address for address, _ in swept()]
    assert (sorted(sent), swept()) == (sorted(person.user.email for person in people), [])


def test_test_money_has_one_only_while_the_account_has_no_live(account, portal, at):
    test_page = "/portal/test/notifications/"
    assert STATEMENT_CHOICE in text_of(portal.get(test_page))
    at("2026-11-02T12:00")
    WalletFactory(account=account, environment="test", cents=100)
    wants_statement(portal, "test")
    at("2026-12-01T01:00")
    assert swept() == [statement(portal, "November 2026", "test")]
    approve_live(account=account, approved_by=None)
    at("2027-01-01T01:00")
    assert swept() == []
    assert [
        environment for environment in ("test", "live") if Kind.STATEMENT in kinds_in(environment, account)
    ] == ["live"]


def test_a_chat_is_not_offered_the_statement(portal):
    assert STATEMENT_CHOICE not in text_of(portal.get(f"{PAGE}chat/"))
