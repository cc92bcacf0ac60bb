"""How the simulated operator makes a profile, and how it is used up."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.esim.suppliers.simulator import catalogue
from apps.esim.suppliers.simulator.profiles import LATE_BY, OrderRecord, issue, luhn_digit, usage_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
REFERENCES = [f"sim_{n:016x}" for n in range(40)]


def record_of(supplier_plan_id: str, reference: str = REFERENCES[0]) -> OrderRecord:
    plan = catalogue.plans()[supplier_plan_id]
    return issue(plan, plan.price_cents, reference, NOW)


@pytest.mark.parametrize(
    ("digits", "check"), [("7992739871", 3), ("49015420323751", 8), ("8901410321111851072", 0), ("0", 0)]
)
def test_the_check_digit_is_luhns(digits: str, check: int) -> None:
    """A textbook's number, an IMEI and an ICCID as published."""
    assert luhn_digit(digits) == check


def test_a_late_plan_shows_no_profile_before_it_is_ready() -> None:
    record = record_of("sim-oceania-1gb-7d")
    just_before = record.at(NOW + LATE_BY - timedelta(microseconds=1))
    assert just_before.profile is None
    assert just_before.supplier_reference == record.order.supplier_reference
    assert record.at(NOW + LATE_BY) == record.order


def test_usage_begins_within_the_hour_and_never_goes_back() -> None:
    for reference in REFERENCES:
        record = record_of("sim-pt-3gb-30d", reference)
        assert usage_of(record, NOW).status == "not_installed"
        assert usage_of(record, NOW + timedelta(minutes=61)).status == "active"
        used = [usage_of(record, NOW + timedelta(hours=hours)).used_mb for hours in range(0, 24 * 40, 7)]
        assert used == sorted(used)
        assert used[0] == 0 < used[-1] <= 3 * 1024


def test_after_its_days_a_profile_is_expired_and_used_no_more() -> None:
    record = record_of("sim-pt-1gb-7d")
    after = usage_of(record, NOW + timedelta(days=8))
    assert after.status == "expired"
    assert usage_of(record, NOW + timedelta(days=80)) == after
    assert after.valid_until is not None
    assert timedelta(days=7, minutes=10) <= after.valid_until - NOW <= timedelta(days=7, hours=1)
