"""Opening, renaming, listing and closing."""

from datetime import timedelta

import pytest
from django.db import transaction

from apps.accounts.models import Account, AccountAuditEntry, AccountStatus, Sandbox
from apps.accounts.sandboxes import sandbox_called, sandboxes_of, stored_under
from apps.accounts.terms import set_status
from apps.common import clock
from apps.common.errors import AccountNotActive, ApiKeyRevoked, Conflict, InvalidRequest, NotFound
from apps.keys import authentication
from apps.keys.models import ApiKey, KeySecret
from apps.keys.selectors import audit_of
from apps.keys.services import issue_key, rename_key, revoke_key, rotate_key
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import NOTHING, hold
from apps.onboarding.sandboxes import close_sandbox, open_sandbox, rename_sandbox, reset_sandbox
from apps.webhooks.deliveries.claim import claim
from apps.webhooks.events import BOOKING_CONFIRMED
from apps.webhooks.models import Delivery, DeliveryStatus, DisabledReason, Endpoint, Recovery, RecoveryStatus
from apps.webhooks.services.endpoints import create_endpoint, disable_endpoint
from apps.webhooks.services.resend import resend
from apps.webhooks.services.retire import end_left_behind
from tests.factories.accounts import AccountFactory
from tests.factories.keys import approved_account, issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

pytestmark = pytest.mark.django_db


def names(account: Account) -> list[str]:
    return [sandbox.name for sandbox in sandboxes_of(account.pk)]


@pytest.mark.parametrize(("currency", "cents"), [("EUR", 1_000_000), ("JPY", 10_000)])
def test_a_sandbox_opens_apart_with_the_terms_of_its_partner_and_a_wallet(currency, cents):
    account = AccountFactory(currency=currency, name="Acme", markup_bp=7)

    sandbox = open_sandbox(account=account, name="  CI ")

    partner = authentication.authenticate(issued_key(sandbox.account)[1])
    assert (partner.account_id, partner.shown_account_id) == (sandbox.account_id, account.pk)
    assert (partner.currency, partner.markup_bp) == (currency, 7)
    assert str(sandbox.account) == "Acme (CI)"
    wallet = Wallet.objects.get(account=sandbox.account_id)
    assert (wallet.environment, wallet.balance_cents) == ("test", cents)
    assert names(account) == ["Sandbox", "CI"]
    assert stored_under(account.pk, "test") == stored_under(account.pk, "live") == account.pk


def test_ten_are_in_use_at_most_and_an_eleventh_is_refused():
    account = AccountFactory()
    opened = [open_sandbox(account=account, name=f"CI {n}") for n in range(9)]

    with pytest.raises(Conflict, match="at most 10 sandboxes"):
        open_sandbox(account=account, name="CI 9")
    assert (len(names(account)), Account.objects.count()) == (10, 10)

    close_sandbox(sandbox=opened[0])
    open_sandbox(account=account, name="CI 0")
    assert len(names(account)) == 10


@pytest.mark.parametrize("name", ["", "  ", "a" * 65, "a\nb", "a\x00", "CI", "ci", "Sandbox", "SANDBOX"])
def test_a_name_is_printable_short_and_no_other_s(name):
    account = AccountFactory()
    sandbox = open_sandbox(account=account, name="CI")
    other = open_sandbox(account=account, name="x" * 64)
    assert open_sandbox(account=AccountFactory(), name="CI").name == "CI"

    for refused in (
        lambda: open_sandbox(account=account, name=name),
        lambda: rename_sandbox(sandbox=other, name=name),
    ):
        with pytest.raises(InvalidRequest) as refusal:
            refused()
        assert refusal.value.extras["details"][0]["field"] == "name"
    assert names(account) == ["Sandbox", sandbox.name, other.name]


def test_a_sandbox_is_renamed_the_first_one_too():
    account = AccountFactory(name="Acme")
    ci = open_sandbox(account=account, name="CI")

    rename_sandbox(sandbox=ci, name="Nightly")
    rename_sandbox(sandbox=sandboxes_of(account.pk)[0], name="Our own")
    rename_sandbox(sandbox=sandbox_called(account.pk, "Our own"), name="OUR OWN")

    assert names(account) == ["OUR OWN", "Nightly"]
    assert {str(each) for each in Account.objects.all()} == {"Acme", "Acme (Nightly)"}
    assert sandbox_called(account.pk, "Nightly").account_id == ci.account_id
    with pytest.raises(NotFound):
        sandbox_called(account.pk, "CI")


def test_a_closed_sandbox_opens_to_nobody_and_keeps_what_is_in_it():
    account = AccountFactory()
    sandbox = open_sandbox(account=account, name="CI")
    _, secret = issued_key(sandbox.account)
    endpoint, _ = create_endpoint(
        account_id=sandbox.account_id,
        environment="test",
        url="https://partner.example/hooks",
        events=[BOOKING_CONFIRMED],
    )
    delivery = DeliveryFactory(endpoint=endpoint)

    close_sandbox(sandbox=sandbox)
    assert end_left_behind() == 1

    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)
    delivery.refresh_from_db()
    endpoint.refresh_from_db()
    assert (delivery.status, endpoint.status, endpoint.deleted_at) == (
        DeliveryStatus.FAILED,
        "disabled",
        None,
    )
    assert names(account) == ["Sandbox"]
    assert Wallet.objects.get(account=sandbox.account_id).balance_cents == 1_000_000
    for late in (
        lambda: close_sandbox(sandbox=sandbox),
        lambda: rename_sandbox(sandbox=sandbox, name="Other"),
        lambda: issued_key(sandbox.account),
    ):
        with pytest.raises(Conflict, match="reset or closed"):
            late()


def test_the_first_sandbox_cannot_be_closed():
    account = AccountFactory()
    with pytest.raises(Conflict, match="first sandbox"):
        close_sandbox(sandbox=sandboxes_of(account.pk)[0])
    assert names(account) == ["Sandbox"]


def test_what_is_done_in_a_sandbox_is_in_the_trail_of_the_partner():
    account = AccountFactory()
    sandbox = open_sandbox(account=account, name="CI")
    key, _ = issued_key(sandbox.account)
    rename_key(key=key, name="Other")
    create_endpoint(
        account_id=sandbox.account_id,
        environment="test",
        url="https://partner.example/hooks",
        events=[BOOKING_CONFIRMED],
    )
    rename_sandbox(sandbox=sandbox, name="Nightly")
    close_sandbox(sandbox=sandbox)

    trail = AccountAuditEntry.objects.order_by("created_at", "id").values_list("account", "action")
    assert list(trail) == [
        (account.pk, action)
        for action in (
            "sandbox.opened",
            "keys.created",
            "keys.renamed",
            "webhooks.created",
            "sandbox.renamed",
            "keys.revoked",
            "sandbox.closed",
        )
    ]
    key.refresh_from_db()
    assert [entry.action for entry in audit_of(key)] == ["keys.revoked", "keys.renamed", "keys.created"]


def test_money_moves_in_a_sandbox_only_while_the_partner_is_active():
    account = AccountFactory()
    sandbox = open_sandbox(account=account, name="CI")
    terms = {
        "account_id": sandbox.account_id,
        "environment": "test",
        "amount_cents": 100,
        "currency": "EUR",
        "trace": NOTHING,
    }
    hold(**terms, reference="first")

    set_status(account=account, status=AccountStatus.SUSPENDED)

    with pytest.raises(AccountNotActive):
        hold(**terms, reference="second")


@pytest.fixture
def account() -> Account:
    return WalletFactory(account=approved_account(name="Acme"), cents=5).account


def test_the_first_sandbox_begins_anew_and_live_is_untouched(account):
    test_key, test_secret = issued_key(account)
    _, live_secret = issued_key(account, environment="live")
    live_endpoint = EndpointFactory(account=account, environment="live", consecutive_failures=3)
    WalletFactory(account=account, environment="live", cents=9)

    new = reset_sandbox(account_id=account.pk)

    assert (new.owner_id, new.is_first, new.name) == (account.pk, True, "Sandbox")
    assert new.account_id != account.pk
    partner = authentication.authenticate(test_secret)
    assert (partner.account_id, partner.shown_account_id, partner.key_id) == (
        new.account_id,
        account.pk,
        test_key.pk,
    )
    assert authentication.authenticate(live_secret).account_id == account.pk
    assert Wallet.objects.get(account=new.account_id).balance_cents == 1_000_000
    assert set(Wallet.objects.filter(account=account).values_list("environment", "balance_cents")) == {
        ("test", 5),
        ("live", 9),
    }
    live_endpoint.refresh_from_db()
    assert (live_endpoint.account_id, live_endpoint.consecutive_failures, live_endpoint.status) == (
        account.pk,
        3,
        "enabled",
    )
    assert [each.account_id for each in sandboxes_of(account.pk)] == [new.account_id]
    assert stored_under(account.pk, "test") == new.account_id
    assert AccountAuditEntry.objects.get(action="sandbox.reset").account_id == account.pk


def test_it_is_reset_as_often_as_one_likes_and_keeps_its_name(account):
    ci = open_sandbox(account=account, name="CI")
    _, secret = issued_key(ci.account)
    first = reset_sandbox(account_id=ci.account_id)
    rename_sandbox(sandbox=first, name="Nightly")
    second = reset_sandbox(account_id=first.account_id)

    assert (second.name, second.is_first) == ("Nightly", False)
    assert authentication.authenticate(secret).account_id == second.account_id
    assert [each.name for each in sandboxes_of(account.pk)] == ["Sandbox", "Nightly"]
    assert Sandbox.objects.filter(retired_at__isnull=False).count() == 2


def test_all_keys_and_secrets_move_and_the_clock_and_the_faults_go(account):
    key, old_secret = issued_key(account)
    new_secret = rotate_key(key=key, overlap=timedelta(hours=24))
    revoked, revoked_secret = issued_key(account)
    revoke_key(key=revoked)
    ahead = timedelta(days=30)
    Sandbox.objects.create(
        account=account, owner=account, name="Sandbox", is_first=True, clock_offset=ahead, faults={"seed": 1}
    )
    KeySecret.objects.filter(expires_at__isnull=False).update(
        expires_at=clock.now() + ahead + timedelta(hours=5)
    )
    ApiKey.objects.filter(pk=key.pk).update(created_at=clock.now() + ahead)
    KeySecret.objects.update(created_at=clock.now() + ahead)

    new = reset_sandbox(account_id=account.pk)

    assert set(ApiKey.objects.values_list("account", flat=True)) == {new.account_id}
    partners = [authentication.authenticate(secret) for secret in (old_secret, new_secret)]
    assert [(each.clock_offset, dict(each.faults)) for each in partners] == [(timedelta(0), {})] * 2
    ends_in = partners[0].secret_expires_at - clock.now()
    assert timedelta(hours=4, minutes=59) < ends_in <= timedelta(hours=5)
    assert ApiKey.objects.get(pk=key.pk).created_at <= clock.now()
    assert not KeySecret.objects.filter(created_at__gt=clock.now()).exists()
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(revoked_secret)
    assert ApiKey.objects.get(pk=revoked.pk).revoked_at <= clock.now()


def test_endpoints_move_with_their_settings_and_without_their_failures(account):
    healthy = EndpointFactory(account=account, consecutive_failures=7, description="Ours")
    failed = EndpointFactory(
        account=account,
        status="disabled",
        disabled_at=clock.now(),
        disabled_reason=DisabledReason.CONSECUTIVE_FAILURES,
        consecutive_failures=10,
    )
    by_hand = disable_endpoint(endpoint=EndpointFactory(account=account))
    deleted = EndpointFactory(
        account=account,
        status="disabled",
        disabled_at=clock.now(),
        deleted_at=clock.now(),
        secret_encrypted="",
    )
    secret = healthy.secret

    new = reset_sandbox(account_id=account.pk)

    for endpoint in (healthy, failed, by_hand, deleted):
        endpoint.refresh_from_db()
    assert [each.account_id for each in (healthy, failed, by_hand)] == [new.account_id] * 3
    assert deleted.account_id == account.pk
    assert [each.status for each in (healthy, failed, by_hand)] == ["enabled", "enabled", "disabled"]
    assert [each.consecutive_failures for each in (healthy, failed, by_hand)] == [0, 0, 0]
    assert (failed.disabled_reason, failed.disabled_at) == (None, None)
    assert by_hand.disabled_reason == DisabledReason.BY_PARTNER
    assert (healthy.secret, healthy.description) == (secret, "Ours")


def test_nothing_of_before_is_sent_and_what_comes_after_is(account):
    endpoint = EndpointFactory(account=account)
    due = DeliveryFactory(endpoint=endpoint)
    done = DeliveryFactory(
        endpoint=endpoint, status=DeliveryStatus.DELIVERED, next_attempt_at=None, completed_at=clock.now()
    )
    recovery = Recovery.objects.create(
        account=account, environment="test", endpoint=endpoint, selection={}, per_minute=60
    )
    assert len(claim(batches=9)) == 1

    new = reset_sandbox(account_id=account.pk)

    assert end_left_behind() == 1
    due.refresh_from_db()
    recovery.refresh_from_db()
    assert (due.status, due.next_attempt_at, due.lease_token) == (DeliveryStatus.FAILED, None, None)
    assert recovery.status == RecoveryStatus.STOPPED
    # Written or sent again in the moment of the reset, by a call that had read the endpoint before.
    late = DeliveryFactory(endpoint=endpoint)
    Delivery.objects.filter(pk=late.pk).update(account=account, status="RETRYING")
    resend(delivery=done)
    assert claim(batches=9) == []

    after = DeliveryFactory(endpoint=Endpoint.objects.get(pk=endpoint.pk))
    [batch] = claim(batches=9)
    assert (batch.account_id, [job.delivery_id for job in batch.jobs]) == (new.account_id, [after.pk])

    assert end_left_behind() == 2
    assert Delivery.objects.get(pk=late.pk).status == DeliveryStatus.FAILED
    assert Delivery.objects.get(pk=done.pk).status == DeliveryStatus.DELIVERED
    assert Delivery.objects.get(pk=after.pk).next_attempt_at is not None


def test_a_reset_that_is_rolled_back_leaves_all_as_it_was(account):
    _, secret = issued_key(account)
    endpoint = EndpointFactory(account=account, consecutive_failures=2)

    with transaction.atomic():
        reset_sandbox(account_id=account.pk)
        transaction.set_rollback(True)

    endpoint.refresh_from_db()
    assert (endpoint.account_id, endpoint.consecutive_failures) == (account.pk, 2)
    assert authentication.authenticate(secret).account_id == account.pk
    assert (Account.objects.count(), Sandbox.objects.count()) == (1, 0)
    assert LedgerTransaction.objects.count() == 1


def test_what_was_reset_takes_no_second_reset_and_no_new_keys(account):
    ci = open_sandbox(account=account, name="CI")
    for stored in (account, ci.account):
        reset_sandbox(account_id=stored.pk)
        with pytest.raises(Conflict, match="reset or closed"):
            reset_sandbox(account_id=stored.pk)
        with pytest.raises(Conflict, match="reset or closed"):
            issue_key(account=stored, environment="test", name="Late")
    assert issued_key(account, environment="live")[0].account_id == account.pk
