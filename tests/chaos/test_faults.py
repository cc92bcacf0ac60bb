"""A faults dial at 20 %, over connections to a web server of several processes (reliability B7).

The shares are what was asked for, and a second run with the same seed has the same faults. What the partner was told
is what stands: one booking for each key, every cent in its place.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from apps.accounts.faults import ERROR, LOST_ANSWER, Faults
from apps.accounts.models import Sandbox
from apps.bookings.models import Booking
from apps.keys.scopes import ENFORCED
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold, HoldStatus, LedgerTransaction, TransactionType, Wallet
from apps.onboarding.partners import Terms, onboard_partner
from tests.chaos.conftest import LIMITS
from tests.contract.attempts import VALID_SEARCHES
from tests.support import stack
from tests.support.stack import HttpApi, NoAnswer, serving

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

CENTS = 10**10
SEED = 7
DIAL = Faults(error_share=2_000, lost_answer_share=2_000, seed=SEED)
MOST_TRIES = 60
CALLERS = 8


@dataclass
class Shop:
    """A partner's system: it repeats each order with its key until it is answered, and writes down what it was told."""

    api: HttpApi
    order: dict[str, object]
    met: list[str] = field(default_factory=list)
    """What became of each call that the dial could touch."""
    told: dict[str, str] = field(default_factory=dict)
    """The booking of each key."""
    repeated: int = 0

    def book(self, key: str) -> None:
        for _ in range(MOST_TRIES):
            try:
                reply = self.api.post("/v1/transfers/orders", self.order, key=key)
            except NoAnswer:
                self.met.append(LOST_ANSWER)
                continue
            if "Idempotent-Replayed" in reply.headers:
                self.repeated += 1
            else:
                self.met.append(reply.headers.get("X-Sandbox-Fault", ""))
            if reply.status == 201:
                self.told[key] = reply.body["id"]
                return
            assert (reply.status, reply.error_type) == (502, "upstream_error"), reply.body
        raise AssertionError(f"{key} was never answered")


@pytest.fixture(scope="module")
def plain_web(django_db_setup: None) -> Iterator[str]:
    with serving({"DATABASE_URL": stack.test_database_url()}, workers=2) as url:
        yield url


def opened(web: str) -> Shop:
    partner = onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=CENTS, scopes=ENFORCED, rates=LIMITS)
    )
    api = HttpApi(web, partner.test_secret)
    found = api.post("/v1/transfers/searches", VALID_SEARCHES["searchTransfers"]).body
    passenger = {
        "firstName": "Ada",
        "lastName": "Byron",
        "email": "ada@example.com",
        "phone": "+351210000000",
    }
    return Shop(api, {"quoteId": found["offers"][0]["quoteId"], "leadPassenger": passenger})


def dialled(shop: Shop) -> None:
    shares = {"errorShare": 0.2, "lostAnswerShare": 0.2, "seed": SEED}
    assert shop.api.send("PUT", "/sandbox/faults", shares, {}).status == 200


def expected(count: int) -> list[str]:
    return [DIAL.of_call(number) for number in range(1, count + 1)]


def run_of(shop: Shop, name: str, orders: int) -> list[str]:
    """What that many orders, one after the other, met with the dial set anew."""
    dialled(shop)
    begins = len(shop.met)
    for number in range(orders):
        shop.book(f"{name}-order-{number}")
    return shop.met[begins:]


def refuse_wrong_books(shop: Shop) -> None:
    """The bookings are those that the answers told, each paid or held once; nothing else was made."""
    standing = Booking.objects.filter(status="confirmed")
    assert sorted(standing.values_list("id", flat=True)) == sorted(shop.told.values())
    assert len(set(shop.told.values())) == len(shop.told)
    assert Booking.objects.exclude(status__in=("confirmed", "failed")).count() == 0
    assert Booking.objects.filter(status="failed").count() == Counter(shop.met)[ERROR]
    spent = sum(standing.values_list("total_cents", flat=True))
    wallet = Wallet.objects.get(environment="test")
    captured = LedgerTransaction.objects.filter(wallet=wallet, type=TransactionType.CAPTURE).count()
    held = Hold.objects.filter(status=HoldStatus.OPEN).count()
    assert captured + held == len(shop.told)
    assert wallet.balance_cents - wallet.held_cents == CENTS - spent
    assert check_ledger() == []


@pytest.mark.slow
def test_a_dial_at_a_fifth_is_met_by_seed_and_every_booking_is_the_one_that_was_told(
    plain_web: str, chaos_runs: int, figure: Callable[[str], None]
) -> None:
    orders = 300 if chaos_runs else 20
    shop = opened(plain_web)
    first, second = (run_of(shop, name, orders) for name in ("first", "second"))

    assert first == expected(len(first))
    assert second == first
    refuse_wrong_books(shop)
    figure(f"faults: {orders} orders, twice: the same {dict(Counter(first))} in the same places")


def test_calls_at_once_take_the_shares_as_well(
    plain_web: str, chaos_runs: int, figure: Callable[[str], None]
) -> None:
    orders = 4_200 if chaos_runs else 60
    shop = opened(plain_web)
    dialled(shop)
    with ThreadPoolExecutor(CALLERS) as callers:
        list(callers.map(shop.book, (f"at-once-{number}" for number in range(orders))))

    met = Counter(shop.met)
    assert met == Counter(expected(len(shop.met)))
    assert Sandbox.objects.get().calls_drawn == len(shop.met)
    assert (len(shop.told), shop.repeated) == (orders, met[LOST_ANSWER])
    refuse_wrong_books(shop)
    if chaos_runs:
        assert len(shop.met) >= 5_000
        for name in (ERROR, LOST_ANSWER):
            assert abs(met[name] / len(shop.met) - 0.2) < 0.02
    shares = {name: f"{100 * met[name] / len(shop.met):.1f} %" for name in (ERROR, LOST_ANSWER)}
    figure(f"faults: {len(shop.met)} calls of {CALLERS} at once: {shares}, {orders} orders, 0 doubled")
