"""What staff do in the back office, done by several of them in one moment: it happens once."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail

from apps.accounts.models import Account, AccountAuditEntry
from apps.accounts.services.live_approval import request_live_approval
from apps.common import clock
from apps.ledger.models import LedgerTransaction
from apps.ledger.services.movements import propose
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.portal.person import set_up_two_factor
from tests.support.back_office import Desk
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)

CROWD = 4
ACCOUNTS = "/admin/accounts/account/"
QUEUE = "/admin/portal/livekeyrequest/"


def crowd(act: Callable[[Desk], Any]) -> list[int]:
    """Each with a browser of their own; the statuses of what they were answered."""
    desks = [Desk() for _ in range(CROWD)]
    return [answer.status_code for answer in all_at_once([partial(act, desk) for desk in desks])]


def trail(action: str) -> int:
    return AccountAuditEntry.objects.filter(action=action).count()


@pytest.fixture
def asking() -> Account:
    account: Account = MembershipFactory(user__email="owner@aurora.example").account
    request_live_approval(account=account, note="Flights for schools")
    return account


def test_a_request_is_approved_once(asking: Account) -> None:
    page = f"{QUEUE}{asking.pk}/change/"
    assert crowd(lambda desk: desk.post(page, {"verdict": "approve"})) == [302] * CROWD
    assert (trail("access.approved"), len(mail.outbox)) == (1, 1)


def test_a_list_of_requests_is_approved_once(asking: Account) -> None:
    assert crowd(lambda desk: desk.act(QUEUE, "approve", asking)) == [200] * CROWD
    assert (trail("access.approved"), len(mail.outbox)) == (1, 1)


def test_a_request_is_approved_or_refused(asking: Account) -> None:
    page = f"{QUEUE}{asking.pk}/change/"
    verdicts = [{"verdict": "approve"}, {"verdict": "refuse", "refuse-reason": "No such company"}] * 2
    calls = [partial(Desk().post, page, verdict) for verdict in verdicts]
    all_at_once(calls)
    asking.refresh_from_db()
    approved = asking.may_issue_live_keys(clock.now())
    assert (trail("access.approved"), trail("access.refused")) == (int(approved), int(not approved))
    assert len(mail.outbox) == 1


def test_an_account_is_approved_once_for_the_year() -> None:
    account = MembershipFactory().account
    assert crowd(lambda desk: desk.act(ACCOUNTS, "approve_live_keys", account)) == [200] * CROWD
    assert (trail("access.approved"), len(mail.outbox)) == (1, 1)


@pytest.mark.parametrize("action", ["suspend", "make_read_only"])
def test_a_status_is_changed_once(action: str) -> None:
    account = MembershipFactory().account
    crowd(lambda desk: desk.act(ACCOUNTS, action, account))
    assert trail("account.status_changed") == 1


def test_an_approval_is_withdrawn_once() -> None:
    account = MembershipFactory().account
    Desk().act(ACCOUNTS, "approve_live_keys", account)
    crowd(lambda desk: desk.act(ACCOUNTS, "withdraw_live_keys", account))
    assert trail("access.withdrawn") == 1


def test_money_moves_once() -> None:
    wallet = WalletFactory(cents=1_000)
    movement = propose(
        wallet=wallet,
        type="top_up",
        amount_cents=250,
        evidence="B-1",
        reason="Arrived",
        proposed_by=UserFactory(is_staff=True),
    )
    page = f"/admin/ledger/staffmovement/{movement.pk}/change/"
    statuses = crowd(lambda desk: desk.post(page, {"verdict": "confirm"}))
    assert set(statuses) in ({302}, {200, 302})  # who comes late is shown a movement that is decided
    wallet.refresh_from_db()
    assert (wallet.balance_cents, LedgerTransaction.objects.count()) == (1_250, 2)


def test_one_arrival_is_proposed_once() -> None:
    wallet = WalletFactory(cents=1_000, environment="live")
    form = {
        "account": wallet.account_id,
        "environment": "live",
        "type": "top_up",
        "amount": "2.50",
        "evidence": "B-1",
        "reason": "Arrived",
        "description": "",
    }
    statuses = crowd(lambda desk: desk.post("/admin/ledger/staffmovement/add/", form))
    assert set(statuses) <= {200, 302}
    assert wallet.movements.count() == 1


def test_a_key_is_revoked_once() -> None:
    key, _ = issued_key()
    crowd(lambda desk: desk.act("/admin/keys/apikey/", "revoke", key))
    assert trail("keys.revoked") == 1


def test_a_second_factor_is_removed_once() -> None:
    person = MembershipFactory().user
    set_up_two_factor(person)
    one = Authenticator.objects.get(user=person, type="totp")
    crowd(lambda desk: desk.post(f"/admin/mfa/authenticator/{one.pk}/delete/", {"post": "yes"}))
    assert not Authenticator.objects.filter(user=person).exists()
    assert (trail("sign_in.two_factor_removed"), len(mail.outbox)) == (1, 1)


def test_a_delivery_is_sent_once_more_once() -> None:
    delivery = DeliveryFactory(
        endpoint=EndpointFactory(), status=DeliveryStatus.DELIVERED, next_attempt_at=None
    )
    crowd(lambda desk: desk.act("/admin/webhooks/delivery/", "send_again", delivery))
    delivery.refresh_from_db()
    assert (delivery.status, delivery.status_before_resend) == ("PENDING", "DELIVERED")
    assert (Delivery.objects.count(), Attempt.objects.count()) == (1, 0)


def test_an_endpoint_is_disabled_once() -> None:
    endpoint = EndpointFactory()
    crowd(lambda desk: desk.act("/admin/webhooks/endpoint/", "disable", endpoint))
    assert trail("webhooks.disabled") == 1
