"""The rules of the trade, over random clocks, zones and services (contract §7.1)."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from apps.bookings import trade_rules
from apps.bookings.presenters import steps_json
from apps.bookings.trade_rules import Service
from apps.common.clock import rfc3339
from apps.common.errors import Conflict
from apps.suppliers.results import PenaltyStep

ZONES = [
    "UTC",
    "Europe/London",
    "America/New_York",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Asia/Kathmandu",
]
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
TOTAL = 10_000
CASES = 10_000


def instant(random: Random) -> datetime:
    """In some zone, within two months."""
    at = NEW_YEAR + timedelta(seconds=random.randrange(60 * 86_400))
    return at.astimezone(ZoneInfo(random.choice(ZONES)))


def service(random: Random) -> Service:
    begins_at = instant(random)
    sold_later, lasts = (timedelta(hours=random.randrange(most)) for most in (24, 700))
    return Service(begins_at + sold_later, begins_at, begins_at + lasts)


def test_no_handle_outlives_the_sale() -> None:
    random = Random(1)
    for _ in range(CASES):
        sold, supplier, ours = service(random), random.choice([None, instant(random)]), instant(random)
        limits = [sold.sold_until, ours, *([supplier] if supplier else [])]
        assert trade_rules.quoted_until(supplier, ours, sold) == min(limits)


def test_no_cancellation_by_the_partner_returns_more_than_the_step_in_force() -> None:
    random = Random(2)
    for _ in range(CASES):
        sold, now = service(random), instant(random)
        starts = sorted({instant(random) for _ in range(random.randrange(4))})
        supplier = [PenaltyStep(at, random.randrange(TOTAL + 1)) for at in starts]
        steps = trade_rules.lost_from(sold.begins_at, supplier, TOTAL)
        shown = steps_json(steps, total_cents=TOTAL, currency="EUR", since=now, now=now)
        assert shown is not None
        begins = [str(step["from"]) for step in shown]
        assert begins == sorted(set(begins))
        assert begins[-1] <= max(rfc3339(sold.begins_at), rfc3339(now))

        begun = [
            step.penalty_cents for step in supplier if step.starts_at is not None and step.starts_at <= now
        ]
        by_supplier = begun[-1] if begun else 0
        charged = trade_rules.partner_penalty(sold, now, penalty_cents=by_supplier, total_cents=TOTAL)
        assert charged == shown[0]["penaltyCents"]
        if now >= sold.begins_at:
            assert charged == TOTAL
        saving = -random.randrange(TOTAL)
        assert trade_rules.partner_difference(sold, now, saving) == (0 if now >= sold.begins_at else saving)


def test_what_is_over_cannot_be_cancelled() -> None:
    random = Random(3)
    over = 0
    for _ in range(CASES):
        sold, now = service(random), instant(random)
        try:
            trade_rules.refuse_over(sold, now)
        except Conflict:
            over += 1
            assert now >= sold.ends_at
        else:
            assert now < sold.ends_at
    assert 0 < over < CASES


@pytest.mark.parametrize(
    ("kind", "ages"), [("infant", [-1, 0, 1]), ("child", [2, 11]), ("adult", [12, 13, 77, 130])]
)
def test_ages_are_those_of_the_kind_on_the_day_of_travel(kind: str, ages: list[int]) -> None:
    day = date(2026, 12, 1)
    allowed = [age for age in range(-1, 131) if trade_rules.age_objection(kind, age, day) is None]
    assert set(ages) <= set(allowed)
    assert allowed == list(range(ages[0], ages[-1] + 1))


def test_an_objection_names_the_age_and_the_day() -> None:
    assert trade_rules.age_objection("adult", 5, date(2026, 12, 1)) == (
        "must be of an adult, 12 years old or older on 2026-12-01, and not 5"
    )
