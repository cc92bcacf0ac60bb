"""Opening, renaming, listing and closing."""

import pytest

from apps.accounts.models import Account, AccountAuditEntry, AccountStatus
from apps.accounts.sandboxes import sandbox_called, sandboxes_of, stored_under
from apps.accounts.terms import set_status
from apps.common.errors import AccountNotActive, ApiKeyRevoked, Conflict, InvalidRequest, NotFound
from apps.keys import authentication
from apps.keys.selectors import audit_of
from apps.keys.services import rename_key
from apps.ledger.models import Wallet
from apps.ledger.money import NOTHING, hold
from apps.onboarding.sandboxes import close_sandbox, open_sandbox, rename_sandbox
from apps.webhooks.events import BOOKING_CONFIRMED
from apps.webhooks.models import DeliveryStatus
from apps.webhooks.services.endpoints import create_endpoint
from apps.webhooks.services.retire import end_left_behind
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.factories.webhooks import DeliveryFactory

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
