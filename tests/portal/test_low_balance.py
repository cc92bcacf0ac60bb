"""`balance.low`: once below what the account warns at, again after it was not."""

from functools import partial
from unittest.mock import patch

import pytest

from apps.accounts.actors import SUPPORT
from apps.gateway.periodic import ITSELF, Tally
from apps.ledger.models import Wallet
from apps.ledger.money import NOTHING, adjust, hold, release, top_up, warn_below
from apps.onboarding.sandboxes import reset_sandbox
from apps.portal.notifications import low_balance
from apps.portal.notifications.low_balance import report, report_low_balances
from apps.webhooks.events import BALANCE_LOW, BOOKING_CONFIRMED, emit_many
from apps.webhooks.models import Delivery, Event
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import EndpointFactory
from tests.support.api import Api
from tests.support.threads import all_at_once

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


def wallet_of(cents: int, *, warn_below_cents: int = 5_000, environment: str = "test") -> Wallet:
    wallet = WalletFactory(cents=cents, environment=environment)
    Wallet.objects.filter(pk=wallet.pk).update(warn_below_cents=warn_below_cents)
    return wallet


def owner_of(wallet: Wallet) -> dict[str, str]:
    named = {"account_id": wallet.account_id, "environment": wallet.environment}
    return {**named, "currency": wallet.currency}


def test_a_top_up_that_is_spent_before_the_next_sweep_counts_and_a_release_does_not() -> None:
    wallet = wallet_of(4_000)
    owner = owner_of(wallet)
    assert (sweep(), sweep()) == (1, 0)
    top_up(**owner, amount_cents=900, reference="too little")
    adjust(**owner, amount_cents=-800, reference="spent")
    assert sweep() == 0
    top_up(**owner, amount_cents=900, reference="enough")
    hold_id = hold(**owner, amount_cents=1_000, reference="spent", trace=NOTHING)
    assert (sweep(), sweep()) == (1, 0)
    release(hold_id=hold_id, trace=NOTHING)
    hold(**owner, amount_cents=2_000, reference="at once", trace=NOTHING)
    assert sweep() == 0


def test_a_threshold_that_changes_while_less_is_available_reports_no_second_fall() -> None:
    wallet = wallet_of(4_000)
    change = partial(warn_below, account_id=wallet.account_id, environment=wallet.environment, actor=SUPPORT)
    assert sweep() == 1
    change(cents=6_000)
    assert sweep() == 0
    change(cents=4_000)
    assert sweep() == 0
    change(cents=4_001)
    assert (sweep(), sweep()) == (1, 0)


def test_each_environment_has_its_own_threshold() -> None:
    test = wallet_of(4_000, warn_below_cents=5_000)
    live = WalletFactory(account=test.account, cents=4_000, environment="live")
    Wallet.objects.filter(pk=live.pk).update(warn_below_cents=3_000)
    assert (sweep(), list(Event.objects.values_list("environment", flat=True))) == (1, ["test"])


def test_a_sandbox_that_was_reset_reports_nothing_and_live_under_the_same_row_does() -> None:
    test = wallet_of(4_000)
    live = WalletFactory(account=test.account, cents=4_000, environment="live")
    reset_sandbox(account_id=test.account_id)
    assert sweep() == 0
    Wallet.objects.filter(pk=live.pk).update(warn_below_cents=5_000)
    assert (sweep(), list(Event.objects.values_list("environment", flat=True))) == (1, ["live"])


def test_it_is_delivered_to_the_endpoints_that_subscribed() -> None:
    wallet = wallet_of(4_000)
    subscribed = EndpointFactory(account=wallet.account, events=[BOOKING_CONFIRMED, BALANCE_LOW])
    EndpointFactory(account=wallet.account, events=[BOOKING_CONFIRMED])
    EndpointFactory(account=wallet.account, events=[BALANCE_LOW], environment="live")
    EndpointFactory(events=[BALANCE_LOW])
    assert sweep() == 1
    assert list(Delivery.objects.values_list("endpoint", "event_type")) == [(subscribed.pk, BALANCE_LOW)]


def test_a_sweep_that_dies_with_the_event_leaves_both_to_the_next_one() -> None:
    wallet, other = wallet_of(4_000), wallet_of(4_000)
    emit = emit_many

    def dying(*, account_id: str, **named: object) -> list[str]:
        emitted = emit(account_id=account_id, **named)  # type: ignore[arg-type]
        if account_id == wallet.account_id:
            raise ZeroDivisionError
        return emitted

    tally = Tally()
    with patch.object(low_balance, "emit_many", dying):
        assert report_low_balances(tally=tally) == 1
    assert tally.failures == {ITSELF: "ZeroDivisionError"}
    assert list(Event.objects.values_list("account", flat=True)) == [other.account_id]
    assert (sweep(), sweep(), Event.objects.count()) == (1, 0, 2)


@pytest.mark.django_db(transaction=True)
def test_of_sweeps_at_once_one_reports() -> None:
    wallet = wallet_of(4_000)
    for fall in range(1, 6):
        assert sum(all_at_once([sweep] * 4)) == 1
        assert Event.objects.count() == fall
        top_up(**owner_of(wallet), amount_cents=2_000, reference=f"up {fall}")
        adjust(**owner_of(wallet), amount_cents=-2_000, reference=f"down {fall}")
