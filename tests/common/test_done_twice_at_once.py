"""What staff do in the back office, done by several of them in one moment: it happens once."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail

from apps.accounts.live_approval import request_live_approval
from apps.accounts.models import Account, AccountAuditEntry
from apps.common import clock
from apps.ledger.models import LedgerTransaction
from apps.ledger.movements import propose
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


def an_account() -> Account:
    account: Account = MembershipFactory().account
    return account


def one_who_asks() -> Account:
    account = an_account()
    request_live_approval(account=account, note="Flights for schools")
    return account


def an_approved_account() -> Account:
    account = an_account()
    Desk().act(ACCOUNTS, "approve_live_keys", account)
    return account


@pytest.mark.parametrize(
    ("listing", "action", "make", "recorded"),
    [
        (QUEUE, "approve", one_who_asks, "access.approved"),
        (ACCOUNTS, "approve_live_keys", an_account, "access.approved"),
        (ACCOUNTS, "withdraw_live_keys", an_approved_account, "access.withdrawn"),
        (ACCOUNTS, "suspend", an_account, "account.status_changed"),
        (ACCOUNTS, "make_read_only", an_account, "account.status_changed"),
        ("/admin/keys/apikey/", "revoke", lambda: issued_key()[0], "keys.revoked"),
        ("/admin/webhooks/endpoint/", "disable", EndpointFactory, "webhooks.disabled"),
    ],
)
def test_an_action_of_a_list_is_carried_out_once(
    listing: str, action: str, make: Callable[[], Any], recorded: str
) -> None:
    row = make()
    mail.outbox.clear()
    assert crowd(lambda desk: desk.act(listing, action, row)) == [200] * CROWD
    assert trail(recorded) == 1
    assert len(mail.outbox) <= 1


def test_a_request_is_approved_once() -> None:
    asking = one_who_asks()
    page = f"{QUEUE}{asking.pk}/change/"
    assert crowd(lambda desk: desk.post(page, {"verdict": "approve"})) == [302] * CROWD
    assert (trail("access.approved"), len(mail.outbox)) == (1, 1)


def test_a_request_is_approved_or_refused() -> None:
    asking = one_who_asks()
    page = f"{QUEUE}{asking.pk}/change/"
    verdicts = [{"verdict": "approve"}, {"verdict": "refuse", "refuse-reason": "No such company"}] * 2
    calls = [partial(Desk().post, page, verdict) for verdict in verdicts]
    all_at_once(calls)
    asking.refresh_from_db()
    approved = asking.may_issue_live_keys(clock.now())
    assert (trail("access.approved"), trail("access.refused")) == (int(approved), int(not approved))
    assert len(mail.outbox) == 1


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
