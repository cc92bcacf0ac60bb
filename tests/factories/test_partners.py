from collections.abc import Callable

import pytest

from apps.accounts.models import Account, Membership, User
from apps.common import clock
from apps.keys.authentication import authenticate
from apps.keys.models import ApiKey, KeySecret
from apps.keys.scopes import ENFORCED
from apps.ledger.consistency import check_ledger
from apps.ledger.models import LedgerEntry, LedgerTransaction, Wallet
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from tests.factories.partners import new_partner

pytestmark = pytest.mark.django_db

MODELS = (Account, User, Membership, Wallet, LedgerTransaction, LedgerEntry, ApiKey, KeySecret)
ITS_OWN = {"id", "email", "password", "digest", "prefix", "reference", "date_joined", "updated_at"}


@pytest.fixture(autouse=True)
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    instant = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: instant)


def written(make: Callable[[Terms], Onboarded], terms: Terms) -> dict[str, list[str]]:
    """Every row that `make` writes, without what is each row's own."""
    before = {model: set(model._default_manager.values_list("pk", flat=True)) for model in MODELS}
    make(terms)
    return {
        model.__name__: sorted(
            str(
                {
                    name: value
                    for name, value in row.items()
                    if name not in ITS_OWN and not name.endswith("_id")
                }
            )
            for row in model._default_manager.exclude(pk__in=before[model]).values()
        )
        for model in MODELS
    }


@pytest.mark.parametrize(
    "terms",
    [
        Terms(name="Acme", currency="EUR", balance_cents=0),
        Terms(
            name="Acme",
            currency="JPY",
            balance_cents=10_000,
            live=True,
            scopes=ENFORCED,
            allowed_ips=["203.0.113.7"],
            rates={"SEARCH": 5, "READ": 7},
            search_quota=9,
        ),
    ],
    ids=["the least", "everything"],
)
def test_a_new_partner_is_as_one_that_was_onboarded(terms: Terms):
    ours = written(new_partner, terms)
    assert all(ours.values()) or not terms.balance_cents
    assert ours == written(onboard_partner, terms)
    assert check_ledger() == []


def test_its_secrets_and_its_password_are_good():
    new = new_partner(Terms(name="Acme", currency="EUR", balance_cents=0, live=True))
    assert authenticate(new.test_secret).key_id == new.test_key.id
    assert new.live_key is not None
    assert authenticate(str(new.live_secret)).key_id == new.live_key.id
    assert User.objects.get(email=new.portal_email).check_password(new.portal_password)
