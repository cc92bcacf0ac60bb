import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.accounts.models import Account, User
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from apps.keys.services import revoke_key
from apps.ledger.models import Wallet
from apps.onboarding.sandboxes import reset_sandbox

pytestmark = pytest.mark.django_db


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "var" / "demo-partner.json"


def run(store: Path) -> dict[str, str | None]:
    out = StringIO()
    call_command("demo_partner", "--json", f"--store={store}", stdout=out)
    return json.loads(out.getvalue())


def test_the_first_run_makes_a_partner_that_may_do_everything_in_test(store):
    demo = run(store)

    partner = authentication.authenticate(demo["testKey"])
    account = Account.objects.get()
    wallet = Wallet.objects.get()
    assert (account.id, account.name) == (demo["accountId"], "Demo Travel")
    assert (partner.account_id, partner.scopes) == (account.id, frozenset(ENFORCED))
    assert (wallet.environment, wallet.balance_cents, wallet.currency) == ("test", 1_000_000, "EUR")
    assert demo["portalEmail"] == "demo@example.com"
    assert User.objects.get().check_password(demo["portalPassword"])
    assert (demo["liveKey"], demo["liveKeyId"]) == (None, None)


def test_later_runs_find_it_again(store):
    assert run(store) == run(store) == run(store)
    assert (Account.objects.count(), ApiKey.objects.count()) == (1, 1)


def test_only_this_user_can_read_the_file(store):
    demo = run(store)

    assert store.stat().st_mode & 0o777 == 0o600
    assert json.loads(store.read_text()) == demo


def test_a_revoked_key_is_replaced_on_the_same_account(store):
    first = run(store)
    revoke_key(key=ApiKey.objects.get())

    second = run(store)

    assert second["accountId"] == first["accountId"]
    assert second["testKeyId"] != first["testKeyId"]
    assert authentication.authenticate(second["testKey"]).key_id == second["testKeyId"]
    assert User.objects.get().check_password(second["portalPassword"])
    assert Wallet.objects.get().balance_cents == 1_000_000


def test_after_a_reset_of_its_sandbox_the_key_still_works_and_the_next_one_too(store):
    first = run(store)
    new = reset_sandbox(account_id=first["accountId"])
    assert run(store) == first

    revoke_key(key=ApiKey.objects.get())

    assert authentication.authenticate(run(store)["testKey"]).account_id == new.account_id


def test_a_file_from_another_database_is_not_believed(store):
    other = run(store)
    store.write_text(json.dumps({**other, "testKey": "svc_test_" + "0" * 38}))

    assert run(store)["testKey"] != other["testKey"]


@pytest.mark.parametrize("text", ["", "not json", "[]", "{}", '{"testKey": null}', "null"])
def test_an_unreadable_file_is_replaced(store, text):
    store.parent.mkdir()
    store.write_text(text)

    demo = run(store)

    assert json.loads(store.read_text()) == demo
