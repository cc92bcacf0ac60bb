"""The queue of requests for live keys in the back office."""

import pytest
from django.core import mail

from apps.accounts.live_approval import request_live_approval
from apps.accounts.models import Account, AccountAuditEntry
from apps.common import clock
from apps.ledger.models import Wallet
from apps.ledger.money import top_up
from apps.portal.admin import LiveKeyRequestAdmin
from apps.webhooks.models import DeliveryStatus
from tests.factories.accounts import AccountFactory, MembershipFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.api import Api
from tests.support.back_office import Desk, faults_of, told
from tests.support.flight_shop import FlightShop

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
    assert "Test key, First booking, Webhook verified" in page


def test_an_approval_is_told_to_the_owners_and_nobody_else(
    asking: Account, django_capture_on_commit_callbacks
) -> None:
    desk = Desk()
    with django_capture_on_commit_callbacks(execute=True):
        answer = desk.decide(page_of(asking), "approve")
    assert told(answer) == ["Approved. The owners are told by mail."]
    assert state_of(asking) == "approved"
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["owner@aurora.example"], "You can create live keys now")
    assert "We never send a key by mail." in letter.body
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


def test_several_are_approved_from_the_list(asking: Account) -> None:
    other = AccountFactory()
    request_live_approval(account=other)
    Desk().act(LIST, "approve", asking, other)
    assert [state_of(account) for account in (asking, other)] == ["approved", "approved"]


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


def test_who_clicks_at_the_same_moment_is_told_too(asking: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page was read while the request was open; the other decision comes between reading and deciding."""
    first, second = Desk(), Desk()
    decide = LiveKeyRequestAdmin._refuse

    def late(self: LiveKeyRequestAdmin, *given: object) -> str:
        monkeypatch.undo()
        first.decide(page_of(asking), "approve")
        return decide(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(LiveKeyRequestAdmin, "_refuse", late)
    (said,) = told(second.decide(page_of(asking), "refuse", reason="Too late"))
    assert said.startswith(f"Aurora Travel: approved by {first.user.email}")
    assert (state_of(asking), AccountAuditEntry.objects.filter(action="access.refused").count()) == (
        "approved",
        0,
    )


def test_the_pages_are_lean_and_obey_the_policy(asking: Account) -> None:
    for _ in range(12):
        request_live_approval(account=AccountFactory(), note="x" * 1000)
    desk = Desk()
    assert [
        fault for path in (LIST, f"{LIST}?q=Aurora", page_of(asking)) for fault in faults_of(desk, path)
    ] == []
