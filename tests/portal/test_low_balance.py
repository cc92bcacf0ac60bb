"""`balance.low`: once below what the account warns at, again after it was not."""

import pytest

from apps.gateway.periodic import Tally
from apps.ledger.models import Wallet
from apps.ledger.money import NOTHING, adjust, hold, release, top_up
from apps.portal.notifications.low_balance import report, report_low_balances
from apps.webhooks.models import Event
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> Api:
    api = api_of_new_partner(cents=10_000)
    Wallet.objects.update(warn_below_cents=5_000)
    return api


def sweep() -> int:
    return report_low_balances(tally=Tally())


def test_it_is_sent_once_and_again_after_the_balance_was_above(api: Api) -> None:
    owner = {"account_id": partner_of(api).account_id, "environment": "test", "currency": "EUR"}
    assert api.get("/v1/account").body["balance"]["warnBelowCents"] == 5_000
    adjust(**owner, amount_cents=-5_000, reference="exactly")
    assert sweep() == 0
    hold_id = hold(**owner, amount_cents=1, reference="below", trace=NOTHING)
    assert (sweep(), sweep()) == (1, 0)
    release(hold_id=hold_id, trace=NOTHING)
    assert sweep() == 0
    hold(**owner, amount_cents=1_000, reference="again", trace=NOTHING)
    assert (sweep(), sweep()) == (1, 0)
    first, again = Event.objects.order_by("created_at").values_list("type", "payload")
    assert first[0] == "balance.low"
    for (_, payload), cents in ((first, 4_999), (again, 4_000)):
        assert f'"availableCents":{cents},"thresholdCents":5000,"currency":"EUR"' in payload


def test_a_balance_that_rose_before_it_was_reported_is_not_low(api: Api) -> None:
    owner = {"account_id": partner_of(api).account_id, "environment": "test", "currency": "EUR"}
    wallet = Wallet.objects.get()
    adjust(**owner, amount_cents=-9_000, reference="down")
    top_up(**owner, amount_cents=9_000, reference="up")
    assert not report(wallet.pk)
    assert not Event.objects.exists()


def test_without_a_threshold_nothing_is_reported(api: Api) -> None:
    Wallet.objects.update(warn_below_cents=None)
    assert sweep() == 0
    assert api.get("/v1/account").body["balance"]["warnBelowCents"] is None
