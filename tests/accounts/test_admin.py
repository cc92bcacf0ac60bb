from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from apps.accounts.actors import SUPPORT
from apps.accounts.branding import branding_of, change_branding, set_logo
from apps.accounts.models import Account, AccountAuditEntry, User
from apps.accounts.terms import change_terms, set_status
from apps.common import clock
from apps.common.money import to_cents
from apps.keys import authentication
from apps.ledger.models import Wallet
from apps.onboarding.sandboxes import open_sandbox, reset_sandbox
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory
from tests.factories.keys import issued_key
from tests.support.back_office import faults_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def back_office() -> Client:
    client = Client()
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def act(client: Client, action: str, *accounts: Account) -> None:
    response = client.post(
        "/admin/accounts/account/",
        {"action": action, "_selected_action": [account.id for account in accounts]},
    )
    assert response.status_code == 302


@pytest.mark.parametrize(
    ("action", "status"),
    [("make_read_only", "read-only"), ("suspend", "suspended"), ("activate", "active")],
)
def test_a_status_set_in_the_back_office_is_in_force_with_the_next_call(back_office, action, status):
    account = AccountFactory()
    _, secret = issued_key(account)
    authentication.authenticate(secret)

    act(back_office, action, account)

    assert authentication.authenticate(secret).account_status == status
    assert [entry.object_id for entry in LogEntry.objects.all()] == [account.id]


def test_staff_see_what_documents_show_and_remove_a_logo(back_office):
    account, bare = AccountFactory(), AccountFactory()
    texts = {"name": "<i>Aurora</i>", "phone": "+351 21 000 0000"}
    change_branding(account=account, actor=SUPPORT, texts=texts)
    set_logo(account=account, actor=SUPPORT, logo=b"a png")
    page = back_office.get(f"/admin/accounts/account/{account.id}/change/").content.decode()
    assert "Name: &lt;i&gt;Aurora&lt;/i&gt; · Phone: +351 21 000 0000 · Logo: 5 bytes" in page

    act(back_office, "remove_logo", account, bare)

    assert branding_of(account).logo is None
    assert "Logo:" not in back_office.get(f"/admin/accounts/account/{account.id}/change/").content.decode()
    assert [entry.object_id for entry in LogEntry.objects.all()] == [account.id]
    last = AccountAuditEntry.objects.order_by("-created_at", "-id").first()
    assert (last.account_id, last.actor_label, last.details) == (account.id, "Support", {"logo": "removed"})


def test_live_keys_are_approved_and_withdrawn_by_hand(back_office):
    asked = AccountFactory(live_requested_at=clock.now())

    states = []
    for action in ("approve_live_keys", "withdraw_live_keys", "withdraw_live_keys"):
        act(back_office, action, asked)
        asked.refresh_from_db()
        states.append(asked.live_approval_state(clock.now()))

    assert states == ["approved", "lapsed", "lapsed"]


def test_limits_saved_in_the_form_are_in_force_with_the_next_call(back_office):
    account = AccountFactory(status="read-only")
    _, secret = issued_key(account)
    authentication.authenticate(secret)

    response = back_office.post(
        f"/admin/accounts/account/{account.id}/change/",
        {
            "name": account.name,
            "markup_bp": 500,
            "rate_search": 7,
            "rate_booking": "",
            "rate_read": "",
            "search_quota": 0,
            "status": "suspended",
            "memberships-TOTAL_FORMS": 0,
            "memberships-INITIAL_FORMS": 0,
        },
    )

    assert response.status_code == 302, response.context["errors"]
    partner = authentication.authenticate(secret)
    assert (partner.markup_bp, partner.rates, partner.search_quota) == (500, {"SEARCH": 7}, 0)
    assert partner.account_status == "read-only", "A status changes by its action, never by the form"


@pytest.mark.parametrize(("currency", "opened"), [("eur", "EUR"), ("JPY", "JPY"), ("xyz", None)])
def test_an_account_is_opened_in_a_currency_that_exists_with_both_wallets(back_office, currency, opened):
    form = {
        "name": "Nordic Trips",
        "currency": currency,
        "markup_bp": 1000,
        "memberships-TOTAL_FORMS": 0,
        "memberships-INITIAL_FORMS": 0,
    }

    answer = back_office.post("/admin/accounts/account/add/", form)

    assert answer.status_code == (302 if opened else 200)
    assert [account.currency for account in Account.objects.all()] == ([opened] if opened else [])
    wallets = Wallet.objects.order_by("environment").values_list("environment", "currency")
    assert list(wallets) == ([("test", opened)] if opened else [])
    funds = Wallet.objects.exclude(balance_cents=0).values_list("environment", "balance_cents")
    assert list(funds) == ([("test", to_cents(Decimal(10_000), opened))] if opened else [])


def test_a_name_is_one_line_of_printable_characters_as_at_the_command_line(back_office):
    """It is in the subjects of mails: one of two lines is refused there, and nobody is mailed."""
    page = f"/admin/accounts/account/{AccountFactory(name='Aurora Travel').id}/change/"
    form = {"markup_bp": 1000, "memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}
    for name in ("Aurora\nTravel", "Aurora\x07"):
        answer = back_office.post(page, {**form, "name": name})
        assert answer.status_code == 200
        assert list(answer.context["adminform"].form.errors) == ["name"]
    assert back_office.post(page, {**form, "name": "Börealis 旅行"}).status_code == 302
    assert Account.objects.get().name == "Börealis 旅行"


def test_an_account_cannot_be_deleted(back_office):
    account = AccountFactory()

    assert back_office.post(f"/admin/accounts/account/{account.id}/delete/").status_code == 403
    assert Account.objects.filter(id=account.id).exists()


def test_staff_without_the_right_does_not_change_accounts():
    client = Client()
    client.force_login(UserFactory(is_staff=True))

    assert client.get("/admin/accounts/account/").status_code == 403


def test_every_page_opens(back_office):
    account = AccountFactory()
    person = UserFactory()
    paths = [
        "account/",
        "account/add/",
        f"account/?q={account.id}",
        f"account/{account.id}/change/",
        "user/?q=ana",
        "user/add/",
        f"user/{person.id}/change/",
    ]

    MembershipFactory.create_batch(9, account=account)
    AccountFactory.create_batch(9)
    set_status(account=account, status="suspended")
    trail = AccountAuditEntry.objects.latest("id")
    paths += [
        "accountauditentry/",
        f"accountauditentry/?q={account.id}",
        f"accountauditentry/{trail.id}/change/",
    ]

    assert [fault for path in paths for fault in faults_of(back_office, f"/admin/accounts/{path}")] == []


def test_the_trail_is_read_and_not_edited(back_office):
    account = AccountFactory()
    set_status(account=account, status="suspended")
    page = f"/admin/accounts/accountauditentry/{AccountAuditEntry.objects.get().id}"

    answers = [
        back_office.post(f"{page}/change/", {"action": "x"}),
        back_office.post(f"{page}/delete/", {"post": "yes"}),
        back_office.get("/admin/accounts/accountauditentry/add/"),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403]


def test_a_person_is_added_with_an_email_address(back_office):
    password = "a long and unusual one"
    response = back_office.post(
        "/admin/accounts/user/add/",
        {"email": "ana@partner.example", "password1": password, "password2": password},
    )

    assert response.status_code == 302
    assert User.objects.get(email="ana@partner.example").check_password(password)


def test_a_member_is_added_and_the_trail_says_so(back_office):
    account, person = AccountFactory(), UserFactory(email="ana@partner.example")
    form = {
        "name": account.name,
        "markup_bp": account.markup_bp,
        "memberships-TOTAL_FORMS": 1,
        "memberships-INITIAL_FORMS": 0,
        "memberships-0-user": person.pk,
        "memberships-0-role": "owner",
    }

    assert back_office.post(f"/admin/accounts/account/{account.id}/change/", form).status_code == 302

    assert [(one.user, one.role) for one in account.memberships.all()] == [(person, "owner")]
    entry = AccountAuditEntry.objects.get(account=account)
    assert (entry.action, entry.actor_label) == ("team.added", "Support")


@pytest.mark.parametrize("shown", [0, 1])
def test_adding_a_member_again_is_no_way_to_change_a_role(back_office, shown):
    """Whether or not the page was read before the person became a member."""
    owner = MembershipFactory(role="owner")
    account = owner.account
    form = {
        "name": account.name,
        "markup_bp": account.markup_bp,
        "memberships-TOTAL_FORMS": shown + 1,
        "memberships-INITIAL_FORMS": shown,
        "memberships-0-id": owner.pk if shown else "",
        f"memberships-{shown}-user": owner.user.pk,
        f"memberships-{shown}-role": "viewer",
    }

    answer = back_office.post(f"/admin/accounts/account/{account.id}/change/", form)

    assert answer.status_code == 200
    assert "Owners change roles, in the portal." in answer.content.decode()
    assert [(one.user, one.role) for one in account.memberships.all()] == [(owner.user, "owner")]
    assert not AccountAuditEntry.objects.exists()


def test_sandboxes_are_in_no_list_of_partners_and_on_the_page_of_theirs(back_office):
    account = AccountFactory(name="Nordic Trips")
    sandbox = open_sandbox(account=account, name="CI")
    old = reset_sandbox(account_id=account.pk)
    key, _ = issued_key(sandbox.account)
    own_page = f"/admin/accounts/account/{sandbox.account_id}/change/"

    listed = back_office.get("/admin/accounts/account/?q=Nordic").content.decode()
    page = back_office.get(f"/admin/accounts/account/{account.pk}/change/").content.decode()
    own = back_office.get(own_page)

    assert (account.pk in listed, sandbox.account_id in listed, old.account_id in listed) == (
        True,
        False,
        False,
    )
    assert own_page in page
    assert own.status_code == 200
    assert f"/admin/accounts/account/{account.pk}/change/" in own.content.decode()
    assert back_office.post(own_page, {"name": "Another"}).status_code == 403
    assert back_office.get(f"/admin/accounts/account/{sandbox.account_id}/invite-owner/").status_code == 403
    keys = back_office.get("/admin/keys/apikey/?q=Nordic").content.decode()
    assert (key.pk in keys, "Nordic Trips (CI)" in keys) == (True, True)


def test_a_partner_that_is_renamed_takes_its_sandboxes_along(back_office):
    account = AccountFactory(name="Nordic Trips")
    sandbox = open_sandbox(account=account, name="CI")

    change_terms(account=account, actor=SUPPORT, name="Southern Trips", markup_bp=5)

    assert Account.objects.get(pk=sandbox.account_id).name == "Southern Trips (CI)"
    assert Account.objects.get(pk=account.pk).name == "Southern Trips"
