"""The sandboxes on the page Sandbox, and every page of the one that is shown."""

import re

import pytest

from apps.accounts.models import Account, Sandbox
from apps.accounts.sandboxes import sandbox_called, sandboxes_of
from apps.common import clock
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction, Wallet
from apps.onboarding import sandboxes
from apps.onboarding.sandboxes import close_sandbox, open_sandbox, reset_sandbox
from apps.portal.production_access import steps_of
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import EndpointFactory
from tests.portal.person import Person

pytestmark = pytest.mark.django_db

PAGE = "/portal/test/sandbox/"
SECTIONS = ("", "quick-start/", "keys/", "requests/", "bookings/", "balance/", "webhooks/", "sandbox/")


def names(account: Account) -> list[str]:
    return [sandbox.name for sandbox in sandboxes_of(account.pk)]


def once_of(answer) -> str:
    return re.search(r'name="once" value="(\w+)"', answer.content.decode())[1]


def test_a_sandbox_is_opened_and_shown(portal: Person):
    answer = portal.post(f"{PAGE}open/", {"name": "CI"}, follow=True)

    assert names(portal.account) == ["Sandbox", "CI"]
    text = answer.content.decode()
    assert "Test: CI." in text
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


def test_live_is_the_same_whichever_sandbox_is_chosen(portal: Person):
    open_sandbox(account=portal.account, name="CI")
    EndpointFactory(account=portal.account, environment="live", url="https://live.example/hooks")
    portal.post("/portal/switch/sandbox/", {"sandbox": "CI"})

    assert "live.example" in portal.get("/portal/live/webhooks/").content.decode()
    assert portal.get("/portal/live/sandbox/").status_code == 404


def test_the_choice_of_a_sandbox_is_offered_in_test_alone(portal: Person):
    open_sandbox(account=portal.account, name="CI")
    offered = 'action="/portal/switch/sandbox/"'
    assert offered in portal.get("/portal/test/").content.decode()
    assert offered not in portal.get("/portal/live/").content.decode()


def test_a_sandbox_of_another_account_cannot_be_chosen(portal: Person):
    open_sandbox(account=AccountFactory(), name="Theirs")
    for name in ("Theirs", "", "x" * 300):
        assert portal.post("/portal/switch/sandbox/", {"sandbox": name}).status_code == 404


def test_the_eleventh_and_a_name_twice_are_refused_on_the_form(portal: Person):
    for number in range(9):
        open_sandbox(account=portal.account, name=f"CI {number}")

    eleventh = portal.post(f"{PAGE}open/", {"name": "CI"})
    assert (eleventh.status_code, "at most 10 sandboxes" in eleventh.content.decode()) == (400, True)
    assert "Open another one" not in portal.get(PAGE).content.decode()
    twice = portal.post(f"{PAGE}name/", {"name": "CI 3"})
    assert (twice.status_code, "a sandbox called CI 3 already" in twice.content.decode()) == (400, True)
    assert len(names(portal.account)) == 10


def test_the_daily_limit_is_shown_on_the_form(portal: Person, monkeypatch):
    monkeypatch.setattr(sandboxes, "MAX_OPENED_A_DAY", 1)
    assert portal.post(f"{PAGE}reset/", {"shown_in": "Sandbox"}).status_code == 302

    for refused in (
        portal.post(f"{PAGE}reset/", {"shown_in": "Sandbox"}),
        portal.post(f"{PAGE}open/", {"name": "CI"}),
    ):
        assert (refused.status_code, "at most 1 times a UTC day" in refused.content.decode()) == (400, True)
    assert names(portal.account) == ["Sandbox"]


def test_a_reset_is_confirmed_and_its_forms_go_on(portal: Person):
    key, _ = issued_key(portal.account)
    WalletFactory(account=portal.account, cents=5)
    assert "is empty again" in portal.get(f"{PAGE}reset/").content.decode()
    assert not Sandbox.objects.exists()

    answer = portal.post(f"{PAGE}reset/", {"shown_in": "Sandbox"}, follow=True)

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

    portal.post(f"{PAGE}name/", {"name": "Nightly"})
    assert names(portal.account) == ["Sandbox", "Nightly"]
    portal.post(f"{PAGE}close/")
    assert names(portal.account) == ["Sandbox"]

    refused = portal.post(f"{PAGE}close/")
    assert (refused.status_code, "first sandbox" in refused.content.decode()) == (400, True)
    trail = portal.get("/portal/audit/?action=sandbox").content.decode()
    for said in ("opened the sandbox", "renamed the sandbox", "closed the sandbox"):
        assert said in trail


def test_funds_are_added_once_for_each_form(portal: Person):
    sent = {"amount": "12.34", "once": once_of(portal.get(PAGE))}
    for _ in range(2):
        assert portal.post(f"{PAGE}funds/", sent).status_code == 302

    assert Wallet.objects.get().balance_cents == 1_234
    [line] = LedgerTransaction.objects.all()
    assert line.description == f"Added by {portal.user.email}"
    assert "added funds to the sandbox" in portal.get("/portal/audit/?action=sandbox").content.decode()
    assert "Add funds" in portal.get(f"{PAGE}funds/").content.decode()
    assert once_of(portal.get("/portal/test/balance/"))
    assert 'name="once"' not in portal.get("/portal/live/balance/").content.decode()


@pytest.mark.parametrize("amount", ["", "0", "-1", "0.001", "x", "1e400", "NaN", "100000000.01"])
def test_an_amount_that_cannot_be_added_is_refused_on_the_form(portal: Person, amount: str):
    answer = portal.post(f"{PAGE}funds/", {"amount": amount, "once": once_of(portal.get(PAGE))})
    assert answer.status_code == 400
    assert not LedgerTransaction.objects.exists()
    assert portal.post(f"{PAGE}funds/", {"amount": "1", "once": "x"}).status_code == 400


def test_who_may_not_change_sees_the_list_alone(portal, portal_as):
    open_sandbox(account=portal.account, name="CI")
    viewer = portal_as("viewer")
    text = viewer.get(PAGE).content.decode()
    assert "CI" in text
    for button in ("Reset…", "Open another one", "Rename"):
        assert button not in text
    viewer.post("/portal/switch/sandbox/", {"sandbox": "CI"})
    assert "Test: CI." in viewer.get("/portal/test/").content.decode()


def test_go_live_steps_count_what_was_done_in_any_sandbox(portal: Person):
    ci = open_sandbox(account=portal.account, name="CI")
    issued_key(ci.account)
    reset_sandbox(account_id=ci.account_id)
    done = [step.name for step in steps_of(portal.account, clock.now()) if step.done]
    assert done == ["test_key"]
