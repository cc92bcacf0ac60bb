"""An account at a glance at the top of its page in the back office, and the mails that staff choose."""

import re
import uuid
from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse

from apps.accounts.live_approval import request_live_approval
from apps.accounts.models import Account, StaffMailChoice
from apps.common import clock
from apps.portal.staff.glance import Glance, glances_of
from apps.request_log.models import CallHour, LoggedCall
from tests.factories.accounts import AccountFactory
from tests.factories.keys import stored_key
from tests.factories.ledger import WalletFactory
from tests.support.back_office import Desk, faults_of, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    found: Account = AccountFactory(name="Borealis Tours")
    return found


def page_of(account: Account) -> str:
    return f"/admin/accounts/account/{account.pk}/change/"


def of(account: Account, environment: str, desk: Desk | None = None) -> Glance:
    (found,) = [
        each for each in glances_of(account, (desk or Desk()).user) if each.environment == environment
    ]
    return found


def words(desk: Desk, account: Account) -> str:
    return " ".join(re.sub("<[^>]+>", " ", desk.get(page_of(account)).content.decode()).split())


def test_money_calls_and_errors_are_told_apart_by_environment(account: Account) -> None:
    WalletFactory(account=account, environment="live", cents=15_000_000)
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    key, _ = stored_key(account, environment="live")
    secret = key.secrets.get().pk
    times = {"first_call_at": hour, "last_call_at": hour, "key": key, "secret_id": secret}
    for age, calls, errors in ((0, 900, 90), (23, 100, 10), (40, 5_000, 5_000)):
        row = {"hour": hour - timedelta(hours=age), "calls": calls, "errors": errors, **times}
        CallHour.objects.create(account=account, environment="live", **row)
    for error_type, count in {"price_changed": 3, "rate_limit_exceeded": 2}.items():
        for _ in range(count):
            LoggedCall.objects.create(
                request_id=uuid.uuid4(),
                account=account,
                environment="live",
                method="GET",
                path="/v1/account",
                status=409,
                error_type=error_type,
                duration_ms=1,
                created_at=clock.now(),
            )
    live, test = of(account, "live"), of(account, "test")
    assert (live.calls, live.errors, live.share) == (1_000, 100, "10.0%")
    assert live.error_types == (("price_changed", 3), ("rate_limit_exceeded", 2))
    assert (test.wallet, test.calls, test.errors, test.booking) == (None, 0, 0, None)
    text = words(Desk(), account)
    assert "150,000.00 EUR available" in text
    assert "100 (10.0%): price_changed 3, rate_limit_exceeded 2" in text


PAGE = "/admin/mails/"
BOTH = ["live_requests", "reviews"]


def chooses(desk: Desk, *kinds: str) -> Desk:
    assert told(desk.post(PAGE, {"kinds": kinds}, follow=True)) == [f"Saved. Mails go to {desk.user.email}."]
    return desk


def test_each_chooses_their_own() -> None:
    ann, bob = chooses(Desk(), "live_requests"), chooses(Desk(), *BOTH)
    chooses(ann)
    kept = dict(StaffMailChoice.objects.values_list("person", "kinds"))
    assert kept == {ann.user.pk: [], bob.user.pk: BOTH}
    page = bob.get(PAGE).content.decode()
    assert page.count("checked") == 2
    assert faults_of(bob, PAGE) == []
    assert bob.post(PAGE, {"kinds": ["everything"]}).status_code == 200
    assert StaffMailChoice.objects.get(person=bob.user).kinds == BOTH


def test_a_request_for_live_keys_is_mailed_to_those_who_chose_it(django_capture_on_commit_callbacks) -> None:
    reader = chooses(Desk("portal.view_livekeyrequest"), "live_requests")
    blind = chooses(Desk("accounts.view_account"), "live_requests")
    gone, silent = chooses(Desk(), "live_requests"), chooses(Desk(), "reviews")
    gone.user.is_active = False
    gone.user.save()
    account = AccountFactory(name="Aurora Travel")
    with django_capture_on_commit_callbacks(execute=True):
        request_live_approval(account=account, note="Flights for schools")
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == ([reader.user.email], "Aurora Travel requests live keys")
    assert "Flights for schools" in letter.body
    assert reverse("admin:portal_livekeyrequest_change", args=[account.pk]) in letter.body
    assert {blind.user.email, gone.user.email, silent.user.email}.isdisjoint(letter.to)
