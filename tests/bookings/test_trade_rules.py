"""The rules of the trade, over random clocks, zones and services (contract §7.1)."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.bookings import trade_rules
from apps.bookings.cancellation_steps import steps_json
from apps.bookings.trade_rules import Service
from apps.common.clock import rfc3339
from apps.common.errors import Conflict
from apps.suppliers.penalty_steps import PenaltyStep

ZONES = [
    "UTC",
    "Europe/London",
    "America/New_York",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Asia/Kathmandu",
]
TOTAL = 10_000

instants = st.datetimes(
    datetime(2026, 1, 1), datetime(2028, 1, 1), timezones=st.sampled_from([ZoneInfo(zone) for zone in ZONES])
)


@st.composite
def services(draw: st.DrawFn) -> Service:
    begins_at = draw(instants).astimezone(UTC)
    sold_later = draw(st.timedeltas(timedelta(), timedelta(days=1)))
    lasts = draw(st.timedeltas(timedelta(), timedelta(days=30)))
    return Service(begins_at + sold_later, begins_at, begins_at + lasts)


@st.composite
def supplier_steps(draw: st.DrawFn) -> list[PenaltyStep]:
    later = draw(st.lists(instants, max_size=4, unique=True))
    costs = draw(st.lists(st.integers(0, TOTAL), min_size=len(later), max_size=len(later)))
    return [PenaltyStep(at.astimezone(UTC), cost) for at, cost in zip(sorted(later), costs, strict=True)]


@given(services(), st.none() | instants, instants)
@settings(max_examples=10_000, deadline=None)
def test_no_handle_outlives_the_sale(service: Service, supplier: datetime | None, ours: datetime) -> None:
    until = trade_rules.quoted_until(supplier, ours, service)
    limits = [service.sold_until, ours, *([supplier] if supplier else [])]
    assert until in limits
    assert all(until <= limit for limit in limits)


@given(services(), supplier_steps(), instants, st.integers(0, 2 * TOTAL))
@settings(max_examples=10_000, deadline=None)
def test_no_cancellation_by_the_partner_returns_more_than_the_step_in_force(
    service: Service, supplier: list[PenaltyStep], now: datetime, quote: int
) -> None:
    steps = trade_rules.lost_from(service.begins_at, supplier, TOTAL)
    shown = steps_json(steps, total_cents=TOTAL, currency="EUR", since=now, now=now)
    assert shown is not None
    starts = [step["from"] for step in shown]
    assert starts == sorted(set(map(str, starts)))
    assert all(str(start) <= max(rfc3339(service.begins_at), rfc3339(now)) for start in starts)
    in_force = int(str(shown[0]["penaltyCents"]))
    begun = [step.penalty_cents for step in supplier if step.starts_at is not None and step.starts_at <= now]
    by_supplier = begun[-1] if begun else 0
    charged = trade_rules.partner_penalty(service, now, penalty_cents=by_supplier, total_cents=TOTAL)
    assert charged == in_force
    if now >= service.begins_at:
        assert trade_rules.partner_penalty(service, now, penalty_cents=quote, total_cents=TOTAL) == TOTAL
        assert trade_rules.partner_difference(service, now, -quote) == 0


@given(services(), st.timedeltas(timedelta(days=-40), timedelta(days=40)))
def test_what_is_over_cannot_be_cancelled(service: Service, after: timedelta) -> None:
    now = service.ends_at + after
    if after < timedelta():
        trade_rules.refuse_over(service, now)
        return
    with pytest.raises(Conflict, match="The service is over"):
        trade_rules.refuse_over(service, now)


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
