"""What a step says is what a cancellation costs, at any instant: asked of the simulators and of real suppliers' terms.

`make chaos` asks at 10,000 random instants each, the suite at fewer. The clock moves; nobody sleeps.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from apps.bookings.presenters import StepsJson, steps_json
from apps.flights.rules import penalty_steps as flight_steps
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.hotels.suppliers.liteapi.money import penalty_cents, steps_of_text
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.suppliers.currency import Exchange
from apps.suppliers.registry import GuardedAdapter
from apps.suppliers.results import PenaltyStep, PenaltySteps, without_idle
from apps.suppliers.simulation import AlreadyWrittenError, Write
from apps.transfers.rules import clock_of
from apps.transfers.suppliers.base import Place
from apps.transfers.suppliers.hotelbeds.mapping import Amount, is_certain, policy_of
from apps.transfers.suppliers.simulator.adapter import TransferSimulator
from tests.flights.suppliers import requests as flights
from tests.hotels.suppliers import requests as hotels
from tests.transfers.suppliers import requests as transfers

pytestmark = pytest.mark.django_db

BOOKED = datetime(2027, 1, 4, 10, 30, tzinfo=UTC)
SECOND = timedelta(seconds=1)
RATES = (None, Decimal("1.0837"), Decimal("0.00613"), Decimal("162.31"))
INSTANTS_OF_A_BOOKING = 20


@pytest.fixture
def instants(request: pytest.FixtureRequest) -> int:
    return 10_000 if request.config.getoption("--chaos-runs") else 400


class Memory:
    """A simulator's store, without a database."""

    def __init__(self) -> None:
        self.writes: list[Write] = []

    def add(self, write: Write) -> None:
        if self.find(write.kind, write.client_ref):
            raise AlreadyWrittenError
        self.writes.append(write)

    def find(self, kind: str, client_ref: str) -> Write | None:
        return next((one for one in self.writes if (one.kind, one.client_ref) == (kind, client_ref)), None)

    def latest(self, reference: str) -> Write | None:
        return next((one for one in reversed(self.writes) if one.reference == reference), None)


@dataclass
class Booked:
    """A booking at a simulator: what it says that cancelling costs, and how to ask what it costs now."""

    steps: PenaltySteps | None
    total_cents: int
    currency: str
    cost_now: Callable[[], int]

    def shown(self, now: datetime) -> StepsJson:
        found = steps_json(
            self.steps, total_cents=self.total_cents, currency=self.currency, since=BOOKED, now=now
        )
        assert found is not None
        return found


@dataclass
class Simulated:
    """A simulator whose clock a test moves, selling in the currency of the account or in another."""

    now: datetime = BOOKED

    def clock(self) -> datetime:
        return self.now


def exchange(random: Random) -> Exchange | None:
    rate = random.choice(RATES)
    return None if rate is None else Exchange("EUR", "USD", rate, BOOKED.date())


def a_hotel(random: Random, clock: Simulated) -> Booked:
    simulator = HotelSimulator(Memory(), now=clock.clock)
    nights, days = random.randint(1, 9), random.randint(2, 60)
    check_in = BOOKED.date() + timedelta(days=days)
    search = hotels.a_search(check_in=check_in, check_out=check_in + timedelta(days=nights))
    rate = random.choice(list(hotels.rates(simulator.search(search))))
    guarded: Any = GuardedAdapter(simulator, exchange=exchange(random))
    stay = simulator.book(hotels.a_stay(rate))
    told = guarded.read_booking(stay.supplier_reference)
    return Booked(
        told.penalty_steps,
        told.total_cents,
        told.currency,
        lambda: int(guarded.quote_cancellation(stay.supplier_reference).penalty_cents),
    )


def a_flight(random: Random, clock: Simulated) -> Booked:
    simulator = FlightSimulator(Memory(), now=clock.clock)
    out = BOOKED.date() + timedelta(days=random.randint(1, 60))
    back = random.choice([None, out + timedelta(days=random.randint(1, 20))])
    offer = random.choice(simulator.search(flights.a_search(departure_date=out, return_date=back)))
    guarded: Any = GuardedAdapter(simulator, exchange=exchange(random))
    reference = simulator.book(flights.an_order(offer)).supplier_reference
    told = guarded.read_order(reference)
    steps = flight_steps(
        told.conditions, told.slices, total_cents=told.total_cents, airline_total_cents=told.total_cents
    )
    return Booked(
        steps,
        told.total_cents,
        told.currency,
        lambda: int(guarded.quote_cancellation(reference).penalty_cents),
    )


def a_transfer(random: Random, clock: Simulated) -> Booked:
    simulator = TransferSimulator(Memory(), now=clock.clock)
    at = datetime(2027, 1, 5) + timedelta(minutes=15 * random.randint(0, 5_000))
    airport = Place("IATA", random.choice(["PMI", "JFK", "SYD", "LIS", "DXB"]))
    offer = random.choice(simulator.search(transfers.a_search(start=airport, outbound=at)))
    guarded: Any = GuardedAdapter(simulator, exchange=exchange(random))
    order = simulator.book(transfers.an_order(offer, start=airport, outbound=at))
    told = guarded.read_order(order.supplier_reference)
    return Booked(
        transfer_steps(told),
        told.total_cents,
        told.currency,
        lambda: int(guarded.quote_cancellation(order.supplier_reference).penalty_cents),
    )


@pytest.mark.parametrize("sell", [a_hotel, a_flight, a_transfer])
def test_what_a_step_says_is_what_cancelling_costs_at_the_simulator(
    sell: Callable[[Random, Simulated], Booked], instants: int
) -> None:
    random = Random(sell.__name__)
    asked, differences = 0, []
    costs: set[int] = set()
    while asked < instants:
        clock = Simulated()
        booked = sell(random, clock)
        promised = booked.shown(BOOKED)
        assert promised == sorted(promised, key=instant_of)
        assert len({step["from"] for step in promised}) == len(promised)
        for clock.now in moments(random, promised):
            costs_now = booked.cost_now()
            said = in_force(promised, clock.now), booked.shown(clock.now)[0]["penaltyCents"]
            if said != (costs_now, costs_now):
                differences.append((clock.now, said, costs_now))
            costs.add(costs_now)
            asked += 1
    assert (asked >= instants, differences) == (True, [])
    assert len(costs) > 3


def moments(random: Random, steps: StepsJson) -> Iterator[datetime]:
    """At random, and around each step's beginning."""
    for _ in range(INSTANTS_OF_A_BOOKING - 3 * len(steps)):
        yield BOOKED + timedelta(seconds=random.randint(0, 90 * 86_400))
    for step in steps:
        begins = max(instant_of(step), BOOKED + SECOND)
        yield from (begins - SECOND, begins, begins + SECOND)


def instant_of(step: dict[str, object]) -> datetime:
    return datetime.fromisoformat(str(step["from"]))


def in_force(steps: StepsJson, now: datetime) -> object:
    return [step for step in steps if instant_of(step) <= now][-1]["penaltyCents"]


# --- The terms of real suppliers --------------------------------------------------------------------------------------
Ladder = list[tuple[datetime, int]]
"""What was meant: from which instant on cancelling costs how many cents. In order."""


def cost_at(ladder: Ladder, now: datetime) -> int:
    return next((cents for at, cents in reversed(ladder) if at <= now), 0)


def a_ladder(random: Random, total_cents: int, *, rising: bool = False) -> Ladder:
    hours = sorted(random.sample(range(1, 2_000), random.randint(1, 4)))
    cents = [random.randint(1, total_cents) for _ in hours]
    return [
        (BOOKED.replace(minute=0) + timedelta(hours=hour), cost)
        for hour, cost in zip(hours, sorted(cents) if rising else cents, strict=True)
    ]


def test_what_liteapis_words_mean_is_what_cancelling_costs(instants: int) -> None:
    """The amounts are written in one of their forms; what was meant is known apart from that."""
    random = Random("liteapi")
    asked, differences = 0, []
    while asked < instants:
        total = random.randint(2_000, 900_000)
        ladder = a_ladder(random, total)
        policy = in_words_of_liteapi(random, ladder)
        steps = steps_of_text(policy, total_cents=total, currency="EUR")
        promised = steps_json(steps, total_cents=total, currency="EUR", since=BOOKED, now=BOOKED)
        assert promised is not None, policy
        for now in moments(random, promised):
            meant = cost_at(ladder, now)
            charged = penalty_cents(policy, total_cents=total, currency="EUR", now=now)
            if not meant == charged == in_force(promised, now):
                differences.append((policy, now, meant, charged))
            asked += 1
    assert (asked >= instants, differences) == (True, [])


def in_words_of_liteapi(random: Random, ladder: Ladder) -> str:
    infos = []
    for at, cents in random.sample(ladder, len(ladder)):
        zone = random.choice(["GMT", "UTC", "Europe/Lisbon", "America/New_York", "GMT+2", None])
        clock = {"GMT+2": ZoneInfo("Etc/GMT-2"), None: UTC}.get(zone) or ZoneInfo(str(zone))
        form = random.choice(["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"])
        infos.append(
            {
                "cancelTime": at.astimezone(clock).strftime(form),
                "amount": cents / 100,
                "currency": "EUR",
                "type": random.choice(["amount", None]),
                **({} if zone is None else {"timezone": zone}),
            }
        )
    return json.dumps({"cancelPolicyInfos": infos, "hotelRemarks": [], "refundableTag": "RFN"})


UNREADABLE: list[Callable[[dict[str, Any]], None]] = [
    lambda policy: policy.update(refundableTag="MAYBE"),
    lambda policy: policy.update(cancelPolicyInfos=[]),
    lambda policy: policy["cancelPolicyInfos"][0].update(timezone="Hotel/Local"),
    lambda policy: policy["cancelPolicyInfos"][0].update(type="nights"),
    lambda policy: policy["cancelPolicyInfos"][0].update(currency="XTS"),
    lambda policy: policy["cancelPolicyInfos"][0].update(cancelTime="48 hours before"),
    lambda policy: policy["cancelPolicyInfos"][0].pop("amount"),
]


def test_unreadable_words_of_liteapi_give_nothing(instants: int) -> None:
    random = Random("unreadable")
    found = []
    for _ in range(instants):
        policy = json.loads(in_words_of_liteapi(random, a_ladder(random, 10_000)))
        random.choice(UNREADABLE)(policy)
        found.append(steps_of_text(json.dumps(policy), total_cents=10_000, currency="EUR"))
    assert found == [None] * instants


PLACES = {"PMI": "Europe/Madrid", "JFK": "America/New_York", "SYD": "Australia/Sydney", "DXB": "Asia/Dubai"}


def test_what_hotelbeds_words_mean_is_what_cancelling_costs(instants: int) -> None:
    random = Random("hotelbeds")
    asked, differences = 0, []
    while asked < instants:
        total = random.randint(2_000, 90_000)
        code = random.choice(list(PLACES))
        ladder = a_ladder(random, total, rising=True)
        price = Amount(Decimal(total) / 100, "EUR")
        told = [
            {
                "from": at.astimezone(ZoneInfo(PLACES[code])).replace(tzinfo=None).isoformat(),
                "amount": Decimal(cents) / 100,
                "currencyId": "EUR",
            }
            for at, cents in random.sample(ladder, len(ladder))
        ]
        there = clock_of(transfers.a_search(end=Place("IATA", code)))
        if len({cents for _, cents in ladder}) < len(ladder):
            continue
        offer = transfers_offer(told, price, there)
        promised = steps_json(
            transfer_steps(offer), total_cents=total, currency="EUR", since=BOOKED, now=BOOKED
        )
        assert promised is not None, told
        for now in moments(random, promised):
            if cost_at(ladder, now) != in_force(promised, now):
                differences.append((told, now))
            asked += 1
    assert (asked >= instants, differences) == (True, [])


def transfer_steps(told: Any) -> PenaltySteps | None:
    """The supplier's own steps, without the loss at the pick-up that the service adds."""
    if not told.policy_is_certain:
        return None
    return without_idle(PenaltyStep(step.starts_at, step.amount_cents) for step in told.cancellation_policy)


def transfers_offer(told: list[dict[str, Any]], price: Amount, there: Any) -> Any:
    (offer, *_) = TransferSimulator(Memory()).search(transfers.a_search())
    return type(offer)(
        total_cents=price.cents,
        currency=price.currency,
        vehicle=offer.vehicle,
        duration_minutes=None,
        cancellation_policy=policy_of(told, price, clock=there, now=BOOKED),
        expires_at=None,
        supplier_data={},
        policy_is_certain=is_certain(told, price, clock=there),
    )
