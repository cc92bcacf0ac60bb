import random
from collections import Counter
from datetime import datetime, timedelta
from statistics import fmean

import pytest

from apps.ledger.runway import HORIZON, Runway, Spending, foretell
from tests.ledger.histories import DAYS, HOUR, KINDS, NOW, bookings

LATEST = timedelta(hours=12)
THIS_HOUR = NOW.replace(minute=0)


def flat(cents: int, hours: int) -> Spending:
    return Spending(THIS_HOUR - HOUR * hours, [cents] * hours)


def foretold_and_real(kind: str, seed: int) -> tuple[datetime | None, datetime]:
    """The first refusal as foretold from four weeks of history, and as it came. The balance is of one to three mean days."""
    chance = random.Random(f"{kind} {seed}")
    begins = THIS_HOUR - timedelta(days=DAYS)
    made = list(bookings(KINDS[kind](chance), chance, begins, NOW + timedelta(days=20)))
    past = [each for each in made if each.at < NOW]
    hours = [0] * (DAYS * 24)
    for each in past:
        if each.at < THIS_HOUR:
            hours[int((each.at - begins) / HOUR)] += each.cents
    available = round(chance.uniform(1, 3) * sum(hours[-168:]) / 7)
    runway = foretell(
        Spending(begins, hours),
        available_cents=available,
        usual_cents=round(fmean(each.cents for each in past[-100:])),
        now=NOW,
    )
    assert runway is not None
    return runway.first_refusal_at, first_refusal([each for each in made if each.at >= NOW], available)


def first_refusal(coming: list, available: int) -> datetime:
    for booking in coming:
        if booking.cents > available:
            return booking.at
        available -= booking.cents
    raise AssertionError("The balance outlasts what was generated")


def test_the_first_refusal_is_foretold_within_twelve_hours_in_eight_of_ten(request):
    """25 histories of each of four kinds; 250 of each with --chaos-runs.

    Who knew the true rate would be within 12 hours in 85 of 100: whether a large booking comes on Friday evening or after the
    weekend is chance.
    """
    seeds = range(250 if request.config.getoption("--chaos-runs") else 25)
    near = Counter()
    for kind in KINDS:
        for seed in seeds:
            foretold, real = foretold_and_real(kind, seed)
            near[kind] += foretold is not None and abs(foretold - real) <= LATEST
    shares = {kind: near[kind] / len(seeds) for kind in KINDS}
    print("foretold within 12 h:", shares)
    assert len(shares) == 4
    assert fmean(shares.values()) >= 0.8, shares
    assert min(shares.values()) >= 0.65, shares


def test_an_even_pace_ends_when_division_says():
    runway = foretell(flat(1_000, 14 * 24), available_cents=48_500, usual_cents=500, now=NOW)
    assert runway == Runway(24_000, NOW + timedelta(hours=48))


def test_what_was_all_given_back_foretells_nothing():
    given_back = Spending(THIS_HOUR - HOUR * 48, [1_000, -1_000] * 24)
    assert foretell(given_back, available_cents=48_500, usual_cents=500, now=NOW) is None


@pytest.mark.parametrize("hours_more", [0, 1])
def test_what_lasts_beyond_the_horizon_is_not_dated(hours_more):
    lasts = int(HORIZON / HOUR) + hours_more
    runway = foretell(flat(100, 24), available_cents=100 * lasts - 50, usual_cents=0, now=THIS_HOUR)
    ends = None if hours_more else THIS_HOUR + HORIZON - HOUR / 2
    assert runway == Runway(2_400, ends)


def test_before_the_first_week_is_over_the_latest_whole_days_count():
    spending = Spending(THIS_HOUR - HOUR * 53, [1_000] * 5 + [2_000] * 48)
    assert foretell(spending, available_cents=48_500, usual_cents=500, now=THIS_HOUR) == Runway(
        48_000, THIS_HOUR + timedelta(hours=24)
    )


def test_a_week_without_sales_ends_what_is_looked_at():
    hours = [500] * 168 + [0] * 168 + [1_000] * 336
    runway = foretell(
        Spending(THIS_HOUR - HOUR * len(hours), hours), available_cents=48_000, usual_cents=0, now=NOW
    )
    assert runway.per_day_cents == 24_000


def test_nights_are_slept_through():
    hours = [2_000 if (THIS_HOUR - HOUR * ago).hour in range(8, 20) else 0 for ago in range(28 * 24, 0, -1)]
    runway = foretell(
        Spending(THIS_HOUR - timedelta(days=28), hours), available_cents=24_000, usual_cents=0, now=NOW
    )
    assert runway.per_day_cents == 24_000
    assert timedelta(hours=22) < runway.first_refusal_at - NOW < timedelta(hours=25)
    evening = NOW.replace(hour=20)
    tonight = foretell(
        Spending(THIS_HOUR - timedelta(days=28), hours), available_cents=3_000, usual_cents=0, now=evening
    )
    assert 8 <= tonight.first_refusal_at.hour <= 10


@pytest.mark.parametrize(
    ("back", "net", "days"),
    [(50, 110, 16.7), (1_020, 4_000, 22.2)],
    ids=["16.7 days, not 11.6", "22.2 days, not 17.8"],
)
def test_refunds_at_an_hour_of_their_own_do_not_shorten_the_runway(back: int, net: int, days: float) -> None:
    """The pace is net of refunds. At 3 o'clock `back` is refunded; the other hours spend alike, so that a day costs `net`."""
    hours = [
        -23 * back if (THIS_HOUR - HOUR * ago).hour == 3 else net + back for ago in range(28 * 24, 0, -1)
    ]
    runway = foretell(
        Spending(THIS_HOUR - timedelta(days=28), hours),
        available_cents=round(23 * net * days),
        usual_cents=0,
        now=THIS_HOUR,
    )
    assert runway is not None
    assert runway.per_day_cents == 23 * net
    assert runway.first_refusal_at is not None
    assert round((runway.first_refusal_at - THIS_HOUR) / timedelta(days=1), 1) == days


def test_what_grew_is_taken_to_grow_on():
    weeks = [1_000, 1_200, 1_440, 1_728]
    hours = [cents for cents in weeks for _ in range(168)]
    grown = foretell(
        Spending(THIS_HOUR - timedelta(days=28), hours), available_cents=100_000, usual_cents=0, now=NOW
    )
    even = foretell(flat(1_728, 14 * 24), available_cents=100_000, usual_cents=0, now=NOW)
    assert grown.per_day_cents == pytest.approx(even.per_day_cents, abs=1)
    assert grown.first_refusal_at < even.first_refusal_at


def test_a_weekend_without_sales_is_waited_for():
    hours = [0 if (THIS_HOUR - HOUR * ago).weekday() >= 5 else 1_000 for ago in range(28 * 24, 0, -1)]
    friday = NOW + timedelta(days=1)
    assert (NOW.weekday(), friday.weekday()) == (3, 4)
    runway = foretell(
        Spending(THIS_HOUR - timedelta(days=28), hours), available_cents=30_000, usual_cents=0, now=friday
    )
    assert runway.first_refusal_at.weekday() == 0


@pytest.mark.parametrize(
    ("spending", "available"),
    [
        (flat(0, 28 * 24), 1_000),
        (flat(1_000, 23), 1_000),
        (Spending(THIS_HOUR - HOUR * 100, [0] * 90 + [100] * 10), 1_000),
        (flat(-500, 28 * 24), 1_000),
    ],
    ids=["nothing spent", "less than a day", "less than a day since the first", "refunds alone"],
)
def test_nothing_is_foretold_from_too_little(spending, available):
    assert foretell(spending, available_cents=available, usual_cents=0, now=NOW) is None


def test_a_balance_below_the_usual_booking_is_refused_at_once():
    assert (
        foretell(flat(100, 28 * 24), available_cents=85, usual_cents=9_000, now=NOW).first_refusal_at == NOW
    )


def test_days_without_any_spending_are_not_divided_by():
    hours = [1_000] * 168 + [0] * 168 + [1_000] * 48
    runway = foretell(
        Spending(THIS_HOUR - HOUR * len(hours), hours), available_cents=10_000, usual_cents=0, now=NOW
    )
    assert runway is not None
    assert runway.first_refusal_at is not None
