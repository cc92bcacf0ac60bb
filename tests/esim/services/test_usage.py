"""Live usage: asked for as often as the supplier allows, and what is shown while it does not tell."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.models import Booking
from apps.common.errors import Conflict
from apps.esim.models import LastUsage, Plan
from apps.esim.services.usage import read_usage, refresh_usage
from apps.esim.suppliers.base import LowData, Usage
from apps.gateway.periodic import Tally
from apps.gateway.requests import Caller
from apps.suppliers.errors import Missing, SupplierError, Unavailable
from tests.esim.shop import VALID_UNTIL, Meter, a_top_up, an_order, events, the_order, usage
from tests.factories.gateway import partner_of
from tests.support.api import Api


def test_usage_is_what_the_supplier_says_now(api: Api, order, meter: Meter) -> None:
    answer = usage(api, order)
    assert answer.pop("lastUpdatedAt")
    assert answer == {
        "orderId": order["id"],
        "iccid": order["iccid"],
        "status": "active",
        "dataTotalMb": 1024,
        "dataUsedMb": 300,
        "dataRemainingMb": 724,
        "validUntil": "2026-12-01T10:00:00.000Z",
    }
    assert meter.asked == (order["supplier"]["reference"], order["iccid"])
    meter.reading = Usage("depleted", 1024, 1024, VALID_UNTIL)
    assert [usage(api, order)[name] for name in ("status", "dataRemainingMb")] == ["depleted", 0]


def test_simulated_usage_runs_its_course(api: Api, order, move_clock) -> None:
    assert usage(api, order)["status"] == "not_installed"
    move_clock(hours=2)
    assert usage(api, order)["status"] == "active"
    move_clock(days=8)
    assert usage(api, order)["status"] == "expired"
    assert LastUsage.objects.get().status == "expired"


def test_an_order_without_a_profile_is_a_conflict(api: Api, late_plan: Plan) -> None:
    order = an_order(api, late_plan)
    reply = api.get(f"/v1/esim/orders/{order['id']}/usage")
    assert (reply.status, reply.error_type) == (409, "conflict")
    with pytest.raises(Conflict) as raised:
        read_usage(caller=Caller(partner_of(api), "req_1"), booking=the_order(order["id"]))
    assert raised.value.own_texts == {"The order is pending: it has no profile that could be used."}


@pytest.mark.parametrize("error", [Unavailable("away"), Missing("gone")])
def test_while_the_supplier_is_away_the_last_values_stand_without_a_status(
    api: Api, order, meter: Meter, move_clock, error: SupplierError
) -> None:
    known = usage(api, order)
    move_clock(hours=2)
    meter.reading = error
    assert usage(api, order) == {**known, "status": None}


def test_a_status_the_supplier_does_not_know_is_the_last_one_known(api: Api, order, meter: Meter) -> None:
    usage(api, order)
    meter.reading = replace(Meter.reading, status=None, used_mb=400)
    answer = usage(api, order)
    assert (answer["status"], answer["dataUsedMb"]) == ("active", 400)


class TestSeldomAsked:
    """A supplier that may be asked for a profile every twenty minutes only."""

    @pytest.fixture
    def meter(self, meter: Meter) -> Meter:
        meter.usage_every = timedelta(minutes=20)
        return meter

    def test_between_two_turns_the_stored_answer_stands(self, api, order, meter, move_clock):
        first = usage(api, order)
        meter.reading = replace(Meter.reading, used_mb=400)
        move_clock(minutes=19)
        assert usage(api, order) == first
        move_clock(minutes=2)
        assert usage(api, order)["dataUsedMb"] == 400
        assert meter.times == 2

    def test_a_turn_without_an_answer_is_a_turn(self, api: Api, order, meter: Meter, move_clock) -> None:
        known = usage(api, order)
        move_clock(minutes=21)
        meter.reading = Unavailable("away")
        assert usage(api, order) == {**known, "status": None}
        meter.reading = Meter.reading
        assert usage(api, order) == {**known, "status": None}
        assert meter.times == 2
        move_clock(minutes=21)
        assert usage(api, order)["status"] == "active"

    def test_while_anothers_question_is_under_way_what_was_known_stands(self, api, order, meter, move_clock):
        known = usage(api, order)
        move_clock(minutes=21)
        meanwhile: list[dict] = []
        meter.meanwhile = lambda: meanwhile.append(usage(api, order))
        meter.reading = replace(Meter.reading, used_mb=400)
        assert usage(api, order)["dataUsedMb"] == 400
        assert (meanwhile, meter.times) == ([known], 2)

    def test_a_word_of_the_supplier_is_followed_at_once(self, api, order, meter, move_clock):
        usage(api, order)
        meter.reading = replace(Meter.reading, used_mb=900)
        refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        assert usage(api, order)["dataUsedMb"] == 900
        assert meter.times == 2

    def test_a_word_about_nobodys_profile_asks_nobody(self, order, meter: Meter) -> None:
        refresh_usage(supplier_name="simulator", iccid="8999000000000000000")
        refresh_usage(supplier_name="vendor", iccid=order["iccid"])
        assert meter.times == 0


def notices(order: dict[str, Any]) -> list[tuple[str, Any]]:
    """What the partner was notified of: the level of low data, or the status before and after."""
    told: list[tuple[str, Any]] = []
    for kind, data in events(order["id"]):
        if kind == "esim.data_low":
            assert (data["orderId"], data["iccid"]) == (order["id"], order["iccid"])
            assert (data["percentUsed"] is None) is not (data["daysLeft"] is None)
            told.append(("low", data["percentUsed"] or -data["daysLeft"]))
        elif kind == "esim.status_changed":
            told.append((data["previousStatus"], data["status"]))
    return told


def low(order: dict[str, Any], percent: int | None = None, days: int | None = None) -> None:
    refresh_usage(supplier_name="simulator", iccid=order["iccid"], low=LowData(percent, days))


class TestNotices:
    @pytest.mark.parametrize(
        ("stated", "expected"),
        [
            (["not_installed"], []),
            (["active"], [("not_installed", "active")]),
            (["active", "active", None, "active"], [("not_installed", "active")]),
            (["not_installed", "active", "depleted", "active", "expired"],
             [("not_installed", "active"), ("active", "depleted"), ("depleted", "active"), ("active", "expired")]),
            ([None, "expired"], [("not_installed", "expired")]),
        ],
    )  # fmt: skip
    def test_each_change_of_status_is_told_once(self, api, order, meter, stated, expected):
        for status in stated:
            meter.reading = replace(Meter.reading, status=status)
            usage(api, order)
        assert notices(order) == expected

    @pytest.mark.parametrize(
        ("levels", "told"),
        [
            ([(75, None)], [75]),
            ([(75, None), (75, None), (90, None), (90, None)], [75, 90]),
            ([(90, None), (75, None)], [90]),
            ([(None, 3), (None, 1), (None, 3)], [-3, -1]),
            ([(None, 1), (75, None), (None, 3), (90, None)], [-1, 75, 90]),
        ],
        ids=["one", "doubled", "late", "days", "both"],
    )
    def test_each_level_is_told_once_and_none_after_a_worse_one(self, order, meter, levels, told):
        meter.reading = Unavailable("away")
        for percent, days in levels:
            with pytest.raises(Unavailable):
                low(order, percent, days)
        assert notices(order) == [("low", level) for level in told]

    def test_a_top_up_begins_the_levels_again(self, api, order, move_clock) -> None:
        low(order, 90)
        a_top_up(api, order)
        for percent in (75, 75, 90, 75):
            low(order, percent)
        assert [level for kind, level in notices(order) if kind == "low"] == [90, 75, 90]

    def test_a_poll_reads_the_usage_and_tells_what_is_new(self, order, move_clock) -> None:
        """Of a simulated profile that is used by the sandbox's clock."""
        told: list[tuple[str, Any]] = []
        for _ in range(8 * 4):
            move_clock(hours=6)
            poll_suppliers()
            told += [notice for notice in notices(order) if notice not in told]
        assert told == notices(order)
        assert told[0] == ("not_installed", "active")
        assert told[-1][1] == "expired"
        assert [level for kind, level in told if kind == "low" and level < 0] == [-3, -1]

    def test_an_answer_that_comes_late_is_not_news(self, api, order, meter, move_clock) -> None:
        """It was asked for before the stored one."""

        def overtaken() -> None:
            move_clock(seconds=1)
            meter.reading = replace(Meter.reading, status="depleted")
            usage(api, order)
            meter.reading = replace(Meter.reading, status="active")

        meter.meanwhile = overtaken
        usage(api, order)
        assert notices(order) == [("not_installed", "depleted")]
        assert LastUsage.objects.get().status == "depleted"

    def test_an_order_that_no_longer_stands_is_not_reported(self, order, meter: Meter) -> None:
        Booking.objects.update(status="cancelled")
        low(order, 90)
        assert notices(order) == []

    def test_a_poll_does_not_fail_with_the_usage(self, order, meter: Meter, move_clock) -> None:
        meter.reading = Unavailable("away")
        move_clock(hours=2)
        tally = Tally()
        poll_suppliers(tally=tally)
        assert meter.times == 1
        assert tally.failures == {}
