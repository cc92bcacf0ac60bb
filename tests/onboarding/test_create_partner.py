import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import Account, Membership, User
from apps.common import clock
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import DEFAULT
from apps.ledger.models import Wallet

pytestmark = pytest.mark.django_db

REQUIRED = {"--name": "Alpha Travel", "--currency": "EUR", "--balance-cents": "1000000"}


def run(*arguments: str) -> str:
    out = StringIO()
    required = [part for name, value in REQUIRED.items() for part in (name, value)]
    call_command("create_partner", *required, *arguments, stdout=out)
    return out.getvalue()


def created(*arguments: str) -> dict[str, str | None]:
    return json.loads(run(*arguments, "--json"))


def balances(account_id: str) -> dict[str, tuple[int, str]]:
    wallets = Wallet.objects.filter(account_id=account_id)
    return {wallet.environment: (wallet.balance_cents, wallet.currency) for wallet in wallets}


def test_a_partner_has_an_account_a_test_wallet_a_portal_owner_and_a_test_key():
    answer = created()

    assert list(answer) == [
        "accountId",
        "testKey",
        "testKeyId",
        "liveKey",
        "liveKeyId",
        "portalEmail",
        "portalPassword",
    ]
    partner = authentication.authenticate(answer["testKey"])
    assert (partner.account_id, partner.key_id) == (answer["accountId"], answer["testKeyId"])
    assert (partner.environment, partner.account_status) == ("test", "active")
    assert (partner.scopes, partner.allowed_ips, partner.currency) == (frozenset(DEFAULT), (), "EUR")
    assert (answer["liveKey"], answer["liveKeyId"]) == (None, None)
    assert balances(answer["accountId"]) == {"test": (1_000_000, "EUR")}
    membership = Membership.objects.get()
    assert (membership.account_id, membership.role) == (answer["accountId"], "owner")
    assert membership.user.email == answer["portalEmail"]
    assert membership.user.check_password(answer["portalPassword"])


def test_without_a_balance_the_test_wallet_opens_as_every_test_wallet():
    out = StringIO()
    call_command(
        "create_partner", "--name", "Alpha Travel", "--currency", "JPY", "--live", "--json", stdout=out
    )
    assert balances(json.loads(out.getvalue())["accountId"]) == {"test": (10_000, "JPY"), "live": (0, "JPY")}


def test_with_live_the_account_is_approved_and_everything_exists_twice():
    answer = created("--live")

    partner = authentication.authenticate(answer["liveKey"])
    assert (partner.key_id, partner.environment) == (answer["liveKeyId"], "live")
    assert balances(answer["accountId"]) == {"test": (1_000_000, "EUR"), "live": (1_000_000, "EUR")}
    account = Account.objects.get()
    assert timedelta(days=364) < account.live_approved_until - clock.now() <= timedelta(days=365)


def test_every_option_takes_effect():
    answer = created(
        "--scopes=webhooks:manage, esim:read",
        "--allowed-ips=203.0.113.7,10.0.0.0/8",
        "--status=read-only",
        "--rate=SEARCH=1000000,READ=5",
        "--search-quota=0",
    )

    partner = authentication.authenticate(answer["testKey"])
    assert partner.scopes == frozenset({"webhooks:manage", "esim:read"})
    assert partner.allowed_ips == ("203.0.113.7", "10.0.0.0/8")
    assert partner.account_status == "read-only"
    assert (partner.rates, partner.search_quota) == ({"SEARCH": 1_000_000, "READ": 5}, 0)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("--name= ", "name"),
        ("--currency=EURO", "'EURO' is not an ISO 4217 currency"),
        ("--currency=eur", "'eur' is not an ISO 4217 currency"),
        ("--balance-cents=-1", "not a whole number"),
        ("--balance-cents=12.50", "not a whole number"),
        ("--balance-cents=1_0", "not a whole number"),
        (f"--balance-cents={10**15 + 1}", "balance"),
        ("--scopes=flights:fly", "'flights:fly' is not a scope"),
        ("--scopes=", "at least one scope"),
        ("--allowed-ips=0.0.0.0/1,128.0.0.0/1", "every address"),
        ("--allowed-ips=2001:db8::/32", "IPv6 ranges"),
        ("--status=closed", "'closed' is not one of active, read-only, suspended"),
        ("--rate=SEARCH", "CLASS=NUMBER"),
        ("--rate=SEARCH=many", "not a whole number"),
        ("--rate=FLY=3", "'FLY' is not one of SEARCH, BOOKING, READ"),
        (f"--rate=READ={2**31}", "limit"),
        ("--search-quota=-5", "not a whole number"),
    ],
)
def test_a_bad_argument_is_named_and_nothing_is_left_behind(argument, message):
    with pytest.raises(CommandError, match=message):
        run(argument, "--live")

    left = [model.objects.count() for model in (Account, ApiKey, Wallet, Membership, User)]
    assert left == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("twice", [["--rate=READ=1", "--rate=READ=2"], ["--rate=READ=1,READ=1"]])
def test_a_class_given_twice_is_refused(twice: list[str]):
    with pytest.raises(CommandError, match="READ appears twice"):
        run(*twice)
    assert not Account.objects.exists()
