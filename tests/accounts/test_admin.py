import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from apps.accounts.models import Account, User
from apps.common import clock
from apps.keys import catalogue
from tests.factories.accounts import AccountFactory, UserFactory
from tests.factories.keys import issued_key

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
    catalogue.find(secret)

    act(back_office, action, account)

    assert catalogue.find(secret).account_status == status
    assert [entry.object_id for entry in LogEntry.objects.all()] == [account.id]


def test_live_keys_are_approved_and_refused_by_hand(back_office):
    asked = [AccountFactory(live_requested_at=clock.now()) for _ in range(2)]

    act(back_office, "approve_live_keys", asked[0])
    act(back_office, "refuse_live_keys", asked[1])

    states = []
    for account in asked:
        account.refresh_from_db()
        states.append(account.live_approval_state(clock.now()))
    assert states == ["approved", "none"]


def test_limits_saved_in_the_form_are_in_force_with_the_next_call(back_office):
    account = AccountFactory(status="read-only")
    _, secret = issued_key(account)
    catalogue.find(secret)

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
    partner = catalogue.find(secret)
    assert (partner.markup_bp, partner.rates, partner.search_quota) == (500, {"SEARCH": 7}, 0)
    assert partner.account_status == "read-only", "A status changes by its action, never by the form"


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

    assert [back_office.get(f"/admin/accounts/{path}").status_code for path in paths] == [200] * len(paths)


def test_a_person_is_added_with_an_email_address(back_office):
    password = "a long and unusual one"
    response = back_office.post(
        "/admin/accounts/user/add/",
        {"email": "ana@partner.example", "password1": password, "password2": password},
    )

    assert response.status_code == 302
    assert User.objects.get(email="ana@partner.example").check_password(password)
