"""Home: its notices, and when the quota is used up."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.accounts.models import Account
from apps.accounts.sandboxes import sandboxes_of
from apps.accounts.terms import stop_sandbox
from apps.common import clock
from apps.gateway import search_quota
from apps.gateway.search_quota import Quota
from apps.ledger.money import Trace, capture, hold
from apps.ledger.runway import outlook_of
from apps.portal.context import PortalContext
from apps.portal.notices import HELD_LONG, notices_for
from apps.portal.quota import used_up_at
from apps.request_log.selectors import Hour
from apps.webhooks.models import Attempt
from tests.factories.gateway import SearchQuotaDayFactory
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

pytestmark = pytest.mark.django_db
HOME = "/portal/test/"


def context_of(account: Account, environment: str = "test") -> PortalContext:
    account = Account.objects.get(pk=account.pk)
    sandboxes = tuple(sandboxes_of(account.pk))
    return PortalContext(
        user=None,
        account=account,
        membership=None,
        memberships=(),
        environment=environment,
        two_factor=True,
        sandboxes=sandboxes,
        sandbox=sandboxes[0],
    )


def texts_of(account: Account, environment: str = "test") -> list[tuple[str, str]]:
    portal = context_of(account, environment)
    notices = notices_for(
        portal,
        outlook=outlook_of(
            account.pk, environment, clock.now(), currency=account.currency, held_for=HELD_LONG
        ),
        quota=search_quota.read_for(portal.account, environment, clock.today()),
        used_up_at=None,
        spikes=[],
        now=clock.now(),
    )
    return [(notice.kind, notice.text) for notice in notices]


def test_what_needs_attention_is_said_the_gravest_first(account):
    EndpointFactory(account=account, environment="test", consecutive_failures=7, url="https://a.example/hook")
    EndpointFactory(
        account=account,
        environment="test",
        url="https://b.example/hook",
        status="disabled",
        disabled_reason="consecutive_failures",
        disabled_at=clock.now(),
    )
    EndpointFactory(account=account, environment="test", consecutive_failures=6)
    account.live_approved_until = clock.now() + timedelta(days=12, hours=1)
    account.save()
    SearchQuotaDayFactory(account=account, used=4_800)
    assert texts_of(account) == [
        ("error", "https://b.example/hook is disabled after 10 failures in a row. It misses events."),
        ("warning", "The approval for live keys expires in 12 days."),
        ("warning", "https://a.example/hook is at 7 of 10 failed deliveries in a row."),
        ("warning", "200 of today's 5,000 searches are left."),
    ]


def test_an_endpoint_that_fails_is_said_first_with_a_link_to_the_list(account, portal):
    endpoint = EndpointFactory(
        account=account, environment="test", consecutive_failures=8, url="https://a.example/hook"
    )
    delivery = DeliveryFactory(endpoint=endpoint)
    for number in (1, 2, 3):
        Attempt.objects.create(
            delivery=delivery,
            endpoint=endpoint,
            number=number,
            attempted_at=clock.now() - timedelta(seconds=1),
            duration_ms=5,
            status_code=500,
            error_code="status",
        )
    [(kind, text)] = texts_of(account)
    assert (kind, text.endswith(" UTC: 3 attempts, all 500 (https://a.example/hook).")) == ("error", True)
    html = portal.get(HOME).content.decode()
    assert '<a href="/portal/test/webhooks/">See the endpoints</a>' in html
    Attempt.objects.create(
        delivery=delivery,
        endpoint=endpoint,
        number=4,
        attempted_at=clock.now(),
        duration_ms=5,
        status_code=200,
    )
    assert texts_of(account) == [
        ("warning", "https://a.example/hook is at 8 of 10 failed deliveries in a row.")
    ]


def test_money_held_for_over_a_day_is_said_with_its_sum(account, move_clock):
    WalletFactory(account=account, environment="test", cents=50_000)
    for number in (1, 2):
        hold(
            account_id=account.pk,
            environment="test",
            amount_cents=1_250,
            currency="EUR",
            reference=f"order {number}",
            trace=Trace(),
        )
    assert texts_of(account) == []
    move_clock(hours=30)
    assert texts_of(account) == [
        ("info", "25.00 EUR has been held for over a day, the oldest part for 1 day.")
    ]


def spend(account: Account, cents: int, reference: str) -> None:
    owner = {"account_id": account.pk, "environment": "test", "currency": "EUR"}
    hold_id = hold(**owner, amount_cents=cents, reference=reference, trace=Trace())
    capture(hold_id=hold_id, trace=Trace())


def test_a_balance_that_pays_for_no_booking_is_said_as_an_error(account):
    WalletFactory(account=account, environment="test", cents=10_000)
    spend(account, 9_915, "order 1")
    assert texts_of(account) == [("error", "Only 0.85 EUR is left. Bookings fail until you top up.")]
    spend(account, 85, "order 2")
    assert texts_of(account) == [("error", "Your balance is empty. Bookings fail until you top up.")]


def test_a_stopped_sandbox_is_said_there_and_not_in_live(account):
    WalletFactory(account=account, environment="live", cents=100)
    stop_sandbox(account_id=account.pk)
    [(kind, text)] = texts_of(account)
    assert (kind, text.partition(".")[0]) == ("error", "The sandbox is read-only")
    assert texts_of(account, "live") == []


def test_live_without_money_a_lapse_and_a_suspension_are_said(account):
    account.status = "suspended"
    account.live_approved_until = clock.now() - timedelta(days=1)
    account.save()
    assert texts_of(account, "live") == [
        (
            "error",
            "The account is suspended. Existing bookings are not affected; contact the operator of this service.",
        ),
        ("error", "Your balance is empty. Bookings fail until you top up."),
        ("warning", "The approval for live keys has expired. Existing live keys keep working."),
    ]


DAY = date(2026, 11, 19)
NOON = datetime(2026, 11, 19, 12, tzinfo=UTC)


def hours(calls, *, until: datetime = NOON) -> list[Hour]:
    """The seven days before and today up to `until`; `calls` is a function of the hour."""
    first = datetime(2026, 11, 12, tzinfo=UTC)
    count = int((until - first) / timedelta(hours=1)) + 1
    begins = [first + timedelta(hours=number) for number in range(count)]
    return [Hour(each, calls(each), 0) for each in begins]


def quota(used: int, limit: int = 5_000) -> Quota:
    return Quota(limit, used, DAY)


def evenly(each: datetime) -> int:
    return 100 if each < NOON else 0


def in_the_afternoon(each: datetime) -> int:
    return 500 if 14 <= each.hour < 18 else 50


def test_an_even_day_ends_when_division_says():
    assert used_up_at(quota(3_000), hours(evenly), NOON) == NOON + timedelta(hours=8)


def test_a_quota_that_lasts_has_no_end():
    assert used_up_at(quota(2_400), hours(evenly), NOON) is None


def test_what_comes_in_the_afternoon_is_expected_of_the_afternoon():
    found = used_up_at(quota(600, 2_000), hours(in_the_afternoon), NOON)
    assert NOON.replace(hour=16) < found < NOON.replace(hour=17)


@pytest.mark.parametrize(
    ("of", "calls"), [(quota(0), evenly), (quota(5_000), evenly), (quota(10), lambda each: 0)]
)
def test_where_nothing_is_left_or_known_nothing_is_foretold(of, calls):
    assert used_up_at(of, hours(calls), NOON) is None
