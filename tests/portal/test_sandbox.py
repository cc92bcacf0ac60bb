"""The page Sandbox: the clock, faults, funds, and several sandboxes."""

import re
from datetime import timedelta

import pytest

from apps.accounts.clocks import move_clock
from apps.accounts.faults import Faults
from apps.accounts.models import Account, Sandbox
from apps.accounts.sandboxes import sandbox_called, sandboxes_of
from apps.common import clock
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction, Wallet
from apps.onboarding.sandboxes import close_sandbox, open_sandbox
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import EndpointFactory
from tests.portal.person import Person
from tests.portal.reading import text_of

pytestmark = pytest.mark.django_db
PATH = "/portal/test/sandbox/"


def html_of(answer):
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize(("step", "ahead"), [("24h", timedelta(hours=24)), ("30d", timedelta(days=30))])
def test_a_button_moves_the_clock(portal, step, ahead):
    assert portal.post(PATH, {"advance": step}).status_code == 302
    assert Sandbox.objects.get().clock_offset == ahead


def test_the_button_to_midnight_leads_to_the_next_day_there(portal):
    move_clock(account_id=portal.account.pk, by=timedelta(days=5))
    before = clock.today(Sandbox.objects.get())
    portal.post(PATH, {"advance": "midnight"})
    there = clock.now(Sandbox.objects.get())
    assert there.date() == before + timedelta(days=1)
    assert (there.hour, there.minute) == (0, 0)


def test_a_clock_that_would_be_too_far_ahead_stays_and_says_why(portal):
    move_clock(account_id=portal.account.pk, by=timedelta(days=390))
    text = html_of(portal.post(PATH, {"advance": "30d"}, follow=True))
    assert "at most 400 days ahead of real time" in text
    assert Sandbox.objects.get().clock_offset == timedelta(days=390)


FORM = f"{PATH}faults/"
SET = {
    "error_share": "12.34",
    "lost_answer_share": "20",
    "latency_ms": "300",
    "duplicate_delivery_share": "0",
    "shuffle_deliveries": "on",
    "seed": "7",
}


def test_faults_are_set_shown_and_turned_off(portal: Person):
    assert "All off." in text_of(portal.get(PATH))
    assert " checked" not in portal.get(FORM).content.decode()

    shown = text_of(portal.post(FORM, SET, follow=True))

    assert Faults.of(Sandbox.objects.get().faults) == Faults(
        latency_ms=300, error_share=1_234, lost_answer_share=2_000, shuffle_deliveries=1, seed=7
    )
    assert (
        "Refused calls 12.34 % Lost responses 20 % Delayed responses 300 ms Webhooks in random order yes Seed 7"
        in shown
    )
    form = portal.get(FORM).content.decode()
    assert form.count(" checked") == 1
    assert [f'value="{value}"' in form for value in ("12.34", "20", "300", "7")] == [True] * 4

    assert "All off." in text_of(portal.post(FORM, {"off": "1"}, follow=True))
    assert Sandbox.objects.get().faults == {}


SECTIONS = ("", "quick-start/", "keys/", "requests/", "bookings/", "balance/", "webhooks/", "sandbox/")


def names(account: Account) -> list[str]:
    return [sandbox.name for sandbox in sandboxes_of(account.pk)]


def once_of(answer) -> str:
    return re.search(r'name="once" value="(\w+)"', answer.content.decode())[1]


def test_a_sandbox_is_opened_and_shown(portal: Person):
    answer = portal.post(f"{PATH}open/", {"name": "CI"}, follow=True)

    assert names(portal.account) == ["Sandbox", "CI"]
    text = answer.content.decode()
    assert '<span class="pill pill-test" title="Nothing here is booked or paid.">Test</span>' in text
    assert 'aria-current="true"><span class="truncate">CI</span>' in text
    key = portal.post(
        "/portal/test/keys/new/",
        {"name": "Build", "scopes": ["account:read"], "settlement_mode": "partner_merchant"},
    )
    assert key.status_code == 302
    assert ApiKey.objects.get().account_id == sandbox_called(portal.account.pk, "CI").account_id


def test_every_page_shows_the_chosen_sandbox_alone(portal: Person):
    ci = open_sandbox(account=portal.account, name="CI")
    for account, mark in ((portal.account, "first"), (ci.account, "second")):
        issued_key(account, name=f"key-{mark}")
        EndpointFactory(account=account, url=f"https://{mark}.example/hooks")
    pages = ("keys/", "webhooks/")

    for chosen, seen, unseen in (("CI", "second", "first"), ("Sandbox", "first", "second")):
        portal.post("/portal/switch/sandbox/", {"sandbox": chosen})
        for page in pages:
            text = portal.get(f"/portal/test/{page}").content.decode()
            assert (seen in text, unseen in text) == (True, False), page
        assert [portal.get(f"/portal/test/{page}").status_code for page in SECTIONS] == [200] * len(SECTIONS)
    foreign = ApiKey.objects.get(name="key-second")
    assert portal.get(f"/portal/test/keys/{foreign.pk}/").status_code == 404


def test_a_sandbox_of_another_account_cannot_be_chosen(portal: Person):
    open_sandbox(account=AccountFactory(), name="Theirs")
    for name in ("Theirs", "", "x" * 300):
        assert portal.post("/portal/switch/sandbox/", {"sandbox": name}).status_code == 404


def test_a_reset_is_confirmed_and_its_forms_go_on(portal: Person):
    key, _ = issued_key(portal.account)
    WalletFactory(account=portal.account, cents=5)
    assert "All of its data is removed." in portal.get(f"{PATH}reset/").content.decode()
    assert not Sandbox.objects.exists()

    answer = portal.post(f"{PATH}reset/", {"shown_in": "Sandbox"}, follow=True)

    assert "“Sandbox” is empty again." in answer.content.decode()
    assert names(portal.account) == ["Sandbox"]
    assert (
        Wallet.objects.get(account=sandboxes_of(portal.account.pk)[0].account_id).balance_cents == 1_000_000
    )
    renamed = portal.post(f"/portal/test/keys/{key.pk}/name/", {"name": "Other", "shown_in": "Sandbox"})
    assert renamed.status_code == 302
    assert "Other" in portal.get("/portal/test/keys/").content.decode()


def test_a_form_of_a_sandbox_that_was_closed_does_nothing_in_another(portal: Person):
    sandbox = open_sandbox(account=portal.account, name="CI")
    portal.post("/portal/switch/sandbox/", {"sandbox": "CI"})
    close_sandbox(sandbox=sandbox)

    late = portal.post("/portal/test/quick-start/key/", {"shown_in": "CI"})

    assert late.status_code == 404
    assert not ApiKey.objects.exists()
    assert portal.get("/portal/test/keys/").status_code == 200


def test_a_sandbox_is_renamed_and_closed_but_never_the_first(portal: Person):
    open_sandbox(account=portal.account, name="CI")
    portal.post("/portal/switch/sandbox/", {"sandbox": "CI"})

    portal.post(f"{PATH}name/", {"name": "Nightly"})
    assert names(portal.account) == ["Sandbox", "Nightly"]
    portal.post(f"{PATH}close/")
    assert names(portal.account) == ["Sandbox"]

    refused = portal.post(f"{PATH}close/")
    assert (refused.status_code, "first sandbox" in refused.content.decode()) == (400, True)
    trail = portal.get("/portal/audit/?action=sandbox").content.decode()
    for said in ("opened the sandbox", "renamed the sandbox", "closed the sandbox"):
        assert said in trail


def test_funds_are_added_once_for_each_form(portal: Person):
    sent = {"amount": "12.34", "once": once_of(portal.get(PATH))}
    for _ in range(2):
        assert portal.post(f"{PATH}funds/", sent).status_code == 302

    assert Wallet.objects.get().balance_cents == 1_234
    [line] = LedgerTransaction.objects.all()
    assert line.description == f"Added by {portal.user.email}"
    assert "added funds to the sandbox" in portal.get("/portal/audit/?action=sandbox").content.decode()
    assert "Add funds" in portal.get(f"{PATH}funds/").content.decode()
    assert once_of(portal.get("/portal/test/balance/"))
    assert 'name="once"' not in portal.get("/portal/live/balance/").content.decode()
