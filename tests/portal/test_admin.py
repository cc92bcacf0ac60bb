"""The queue of requests for live keys and the staff dashboard in the back office."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.core import mail

from apps.accounts.live_approval import request_live_approval
from apps.accounts.models import Account, AccountAuditEntry, User
from apps.common import clock
from apps.gateway.models import TaskRecord
from apps.ledger.models import Wallet
from apps.ledger.money import top_up
from apps.ledger.movements import propose
from apps.portal.staff.to_do import SHOWN, Item, to_do
from apps.request_log.models import LostCalls
from apps.suppliers.alerts import alert
from apps.webhooks.models import DeliveryStatus, EndpointStatus
from tests.factories.accounts import AccountFactory, MembershipFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.api import Api
from tests.support.back_office import Desk, faults_of, told
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/admin/portal/livekeyrequest/"


@pytest.fixture
def asking(db: None) -> Account:
    account = AccountFactory(name="Aurora Travel")
    MembershipFactory(account=account, user__email="owner@aurora.example")
    MembershipFactory(account=account, user__email="reader@aurora.example", role="viewer")
    request_live_approval(account=account, note="Flights for schools")
    return account


def page_of(account: Account) -> str:
    return f"{LIST}{account.pk}/change/"


def state_of(account: Account) -> str:
    account.refresh_from_db()
    return account.live_approval_state(clock.now())


def test_the_queue_shows_what_they_have_tried(asking: Account) -> None:
    AccountFactory(name="Has not asked")
    WalletFactory(account=asking, cents=10**6)
    _, secret = issued_key(asking)
    FlightShop(Api(secret)).ordered()
    endpoint = EndpointFactory(account=asking)
    DeliveryFactory(endpoint=endpoint, status=DeliveryStatus.DELIVERED, next_attempt_at=None)
    (row,) = Desk().get(LIST).context["cl"].result_list
    assert (row.pk, row.made, row.delivered, row.renews) == (asking.pk, 1, True, False)
    page = Desk().get(page_of(asking)).content.decode()
    assert "Flights for schools" in page
    assert "First test booking, Webhook verified" in page


def test_an_approval_is_told_to_the_owners_and_nobody_else(
    asking: Account, django_capture_on_commit_callbacks
) -> None:
    desk = Desk()
    with django_capture_on_commit_callbacks(execute=True):
        answer = desk.decide(page_of(asking), "approve")
    assert told(answer) == ["Approved. The owners get a mail."]
    assert state_of(asking) == "approved"
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["owner@aurora.example"], "You can create live keys now")
    assert "We never send a key by email." in letter.body
    assert list(desk.get(LIST).context["cl"].result_list) == []


def test_the_first_live_wallet_opens_with_the_approval(asking: Account) -> None:
    assert not Wallet.objects.filter(account=asking, environment="live").exists()
    desk = Desk()
    desk.decide(page_of(asking), "approve")
    (wallet,) = Wallet.objects.filter(account=asking, environment="live")
    assert (wallet.currency, wallet.balance_cents) == (asking.currency, 0)
    top_up(account_id=asking.pk, environment="live", amount_cents=500, currency="EUR", reference="bank-1")
    request_live_approval(account=asking)
    desk.decide(page_of(asking), "approve")
    wallet.refresh_from_db()
    assert wallet.balance_cents == 500


def test_a_refusal_says_why_by_mail_and_in_the_trail(
    asking: Account, django_capture_on_commit_callbacks
) -> None:
    desk = Desk()
    assert "This field is required." in desk.decide(page_of(asking), "refuse").content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        desk.decide(page_of(asking), "refuse", reason="We found no company of that name")
    assert state_of(asking) == "none"
    (letter,) = mail.outbox
    assert "We found no company of that name" in letter.body
    entry = AccountAuditEntry.objects.get(account=asking, action="access.refused")
    assert (entry.actor, entry.details) == (desk.user, {"reason": "We found no company of that name"})


def test_who_may_only_look_decides_nothing(asking: Account) -> None:
    desk = Desk("portal.view_livekeyrequest")
    assert "verdict" not in desk.get(page_of(asking)).content.decode()
    desk.decide(page_of(asking), "approve")
    desk.act(LIST, "approve", asking)
    assert state_of(asking) == "requested"
    nobody = Desk("accounts.view_account")
    assert [nobody.get(path).status_code for path in (LIST, page_of(asking))] == [403, 403]


def test_what_was_decided_meanwhile_leads_back_to_the_queue(asking: Account) -> None:
    desk = Desk()
    desk.decide(page_of(asking), "approve")
    late = Desk()
    again = late.decide(page_of(asking), "refuse", reason="Too late")
    (said,) = told(again)
    assert said.startswith(f"Aurora Travel: approved by {desk.user.email}, 0")
    assert said.endswith("ago. Your click changed nothing.")
    assert (again.redirect_chain[-1][0], state_of(asking)) == (LIST, "approved")
    assert not Desk("accounts.view_account").get(page_of(asking)).wsgi_request.session.get("_messages")


INDEX = "/admin/"


def waiting(person: User) -> dict[str, int]:
    return {group.title: group.total for group in to_do(person)}


def items(person: User, title: str) -> list[Item]:
    return [item for group in to_do(person) if group.title == title for item in group.items]


def propose_one(wallet: Wallet, by: User, evidence: str) -> None:
    propose(
        wallet=wallet, type="top_up", amount_cents=1, evidence=evidence, reason="Transfer", proposed_by=by
    )


def test_a_quiet_day_says_so() -> None:
    desk = Desk()
    assert waiting(desk.user) == {}
    page = desk.get(INDEX).content.decode()
    assert "Nothing to do" in page
    assert "Requests for live keys</h" not in page


def test_everything_that_waits_is_listed_and_leads_to_where_it_is_done() -> None:
    desk, other = Desk(), Desk()
    request_live_approval(account=AccountFactory(name="Aurora Travel"), note="Flights for schools")
    wallet = WalletFactory(environment="live", cents=9_000)
    Wallet.objects.filter(pk=wallet.pk).update(warn_below_cents=10_000)
    propose_one(wallet, desk.user, "bank-1")
    propose_one(wallet, other.user, "bank-2")
    alert("duffel", "wallet_empty", "")
    EndpointFactory(
        status=EndpointStatus.DISABLED, disabled_reason="consecutive_failures", disabled_at=clock.now()
    )
    DeliveryFactory(next_attempt_at=clock.now() - timedelta(minutes=5))
    refused = DeliveryFactory(status="RETRYING", next_attempt_at=clock.now() + timedelta(hours=1))
    refused.attempts.create(
        endpoint=refused.endpoint,
        number=1,
        attempted_at=clock.now(),
        duration_ms=10,
        status_code=500,
        error_code="status",
    )
    LostCalls.objects.create(calls=1_200)
    LostCalls.objects.create(calls=7, noticed_at=clock.now() - timedelta(hours=25))
    TaskRecord.objects.create(task="webhooks.prune", failing={"": 2})
    TaskRecord.objects.create(task="webhooks.sweep")

    assert waiting(desk.user) == {
        "Requests for live keys": 1,
        "Top-ups and adjustments to confirm": 2,
        "Low balances": 1,
        "Supplier alerts": 1,
        "Failing endpoints": 1,
        "Endpoints disabled after 10 failures": 1,
        "Late webhook deliveries": 1,
        "Calls missing from the request log": 1,
        "Periodic tasks that fail or are late": 1,
    }
    (asked,) = items(desk.user, "Requests for live keys")
    assert (asked.account, asked.note, asked.action) == ("Aurora Travel", "Flights for schools", "Decide")
    low, *_ = items(desk.user, "Low balances")
    assert (low.label, low.note) == ("90.00 EUR available", "warns below 100.00 EUR")
    assert low.address.endswith(f"/add/?account={wallet.account_id}&environment=live")
    proposed = items(desk.user, "Top-ups and adjustments to confirm")
    assert [(each.label, each.note, each.action) for each in proposed] == [
        ("0.01 EUR", "proposed by you", "View"),
        ("0.01 EUR", "", "Confirm"),
    ]
    groups = to_do(desk.user)
    pages = [INDEX, *(group.address for group in groups)]
    pages += [item.address for group in groups for item in group.items]
    assert [fault for page in pages for fault in faults_of(desk, page)] == []


def test_a_queue_shows_its_oldest_and_how_many_there_are(django_assert_max_num_queries: Any) -> None:
    now = clock.now()
    for hours in range(SHOWN + 3):
        AccountFactory(name=f"Waits {hours} h", live_requested_at=now - timedelta(hours=hours))
    desk = Desk()
    to_do(desk.user)  # the first time it writes rows of the periodic tasks
    with django_assert_max_num_queries(6):
        (group,) = to_do(desk.user, now)
    assert (group.total, [each.label for each in group.items]) == (
        SHOWN + 3,
        [f"Waits {hours} h" for hours in range(SHOWN + 2, 2, -1)],
    )
    assert ">Show all</a>" in desk.get(INDEX).content.decode()
    with django_assert_max_num_queries(12):
        desk.get(INDEX)


def test_each_sees_what_is_theirs_to_look_after() -> None:
    alert("duffel", "wallet_empty", "")
    request_live_approval(account=AccountFactory())
    assert waiting(Desk("suppliers.view_supplieralert").user) == {"Supplier alerts": 1}
    looks = Desk("portal.view_livekeyrequest")
    assert [each.action for each in items(looks.user, "Requests for live keys")] == ["View"]
    stranger = Desk("accounts.view_account")
    assert waiting(stranger.user) == {}
    assert "Your role shows no queue." in stranger.get(INDEX).content.decode()


def menu(desk: Desk, page: str) -> str:
    html = desk.get(page).content.decode()
    return html[html.index('<nav id="office-menu"') : html.index("</nav>", html.index("office-menu"))]


def test_the_menu_has_every_list_that_one_may_see() -> None:
    whole = menu(Desk(), INDEX)
    listed = [f"/admin/{app}/{model}/" for app, model in LISTED]
    assert [address for address in listed if f'"{address}"' not in whole] == []
    assert "<summary>Other</summary>" not in whole
    assert 'aria-current="page">To do<' in whole
    own = menu(Desk("webhooks.view_endpoint"), "/admin/webhooks/endpoint/")
    assert 'href="/admin/webhooks/endpoint/" aria-current="page"' in own
    assert own.count("<summary>") == 2  # webhooks, and the page of mails that each of us has


LISTED = sorted((model._meta.app_label, model._meta.model_name) for model in admin.site._registry)


@pytest.mark.parametrize(("app", "model"), LISTED)
def test_every_list_opens_and_obeys_the_policy(app: str, model: str) -> None:
    assert faults_of(Desk(), f"/admin/{app}/{model}/") == []


@pytest.mark.parametrize(("app", "model"), LISTED)
def test_staff_without_rights_see_no_list(app: str, model: str) -> None:
    rights = "auth.view_permission"  # of a model that the back office does not show
    assert Desk(rights).get(f"/admin/{app}/{model}/").status_code == 403
