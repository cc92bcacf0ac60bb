"""What is shown of the usage while the supplier does not tell."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.esim.models import LastUsage, Plan
from apps.esim.services.usage import went_unanswered
from apps.suppliers.errors import Missing, SupplierError, Unavailable
from tests.esim.services.metering import Meter, usage
from tests.esim.shop import an_order
from tests.support.api import Api

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
BEFORE, AFTER = NOON - timedelta(minutes=1), NOON + timedelta(minutes=1)


@pytest.mark.parametrize("error", [Unavailable("away"), Missing("gone")])
def test_while_the_supplier_is_away_the_last_values_stand_without_a_status(
    api: Api, order, meter: Meter, move_clock, error: SupplierError
) -> None:
    known = usage(api, order)
    move_clock(hours=2)
    meter.reading = error
    assert usage(api, order) == {**known, "status": None}


def test_of_a_supplier_that_this_release_does_not_know_the_last_values_stand_without_a_status(
    api: Api, order: dict[str, str], meter: Meter
) -> None:
    known = usage(api, order)
    Booking.objects.filter(pk=order["id"]).update(supplier_name="of another release")
    assert usage(api, order) == {**known, "status": None}


def test_before_anything_is_known_the_plan_is_unused(api: Api, order, meter: Meter) -> None:
    meter.reading = Unavailable("away")
    assert usage(api, order) == {
        "orderId": order["id"],
        "iccid": order["iccid"],
        "status": None,
        "dataTotalMb": 1024,
        "dataUsedMb": 0,
        "dataRemainingMb": 1024,
        "validUntil": None,
        "lastUpdatedAt": order["updatedAt"],
    }


def test_a_status_the_supplier_does_not_know_is_the_last_one_known(api: Api, order, meter: Meter) -> None:
    usage(api, order)
    meter.reading = replace(Meter.reading, status=None, used_mb=400)
    answer = usage(api, order)
    assert (answer["status"], answer["dataUsedMb"]) == ("active", 400)


def test_a_first_answer_without_a_status_has_none_and_anothers_is_not_taken_for_it(
    api: Api, plan: Plan, order: dict[str, str], meter: Meter
) -> None:
    other = an_order(api, plan)
    usage(api, order)
    meter.reading = replace(Meter.reading, status=None)
    assert usage(api, other)["status"] is None
    meter.reading = replace(Meter.reading, status="depleted")
    usage(api, other)
    meter.reading = replace(Meter.reading, status=None)
    assert [usage(api, each)["status"] for each in (order, other)] == ["active", "depleted"]


def test_while_the_supplier_is_away_each_order_shows_its_own_last_values(
    api: Api, plan: Plan, order: dict[str, str], meter: Meter
) -> None:
    other = an_order(api, plan)
    for each, used_mb in ((order, 300), (other, 400)):
        meter.reading = replace(Meter.reading, used_mb=used_mb)
        usage(api, each)
    meter.reading = Unavailable("away")
    assert [usage(api, each)["dataUsedMb"] for each in (order, other)] == [300, 400]


def test_last_known_values_have_no_status_even_where_they_were_told_at_this_instant(
    api: Api, order: dict[str, str], meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    assert usage(api, order)["status"] == "active"
    meter.reading = Unavailable("away")
    assert usage(api, order)["status"] is None


@pytest.mark.parametrize(
    ("silent", "updated", "asked", "unanswered"),
    [
        (None, NOON, None, False),
        (None, NOON, AFTER, False),
        (AFTER, NOON, None, True),
        (NOON, NOON, None, False),
        (BEFORE, NOON, None, False),
        (BEFORE, NOON, BEFORE, False),
        (AFTER, NOON, NOON, True),
        (AFTER, NOON, AFTER, True),
        (NOON, BEFORE, AFTER, False),
    ],
    ids=[
        "never silent",
        "being asked for the first time",
        "silent since",
        "silent at the instant of the answer",
        "silent before",
        "silent before, and asked",
        "asked, and silent",
        "silent at once",
        "silent, and being asked again",
    ],
)
def test_the_last_question_went_unanswered(
    silent: datetime | None, updated: datetime, asked: datetime | None, unanswered: bool
) -> None:
    last = LastUsage(unanswered_at=silent, updated_at=updated, asked_at=asked)
    assert went_unanswered(last) is unanswered


def test_a_supplier_error_trigger_shows_the_last_values(api: Api, order, move_clock) -> None:
    move_clock(hours=30)
    known = usage(api, order)
    assert known["status"] == "active"
    assert known["dataUsedMb"] > 0
    move_clock(hours=3)
    reply = api.get(
        f"/v1/esim/orders/{order['id']}/usage", **{"X-Partner-Customer-Ref": "sbx_supplier_error"}
    )
    assert (reply.status, reply.body) == (200, {**known, "status": None})
    assert reply.headers["X-Sandbox-Trigger"] == "sbx_supplier_error"
    assert usage(api, order)["dataUsedMb"] > known["dataUsedMb"]
