"""Usage that may be asked for now and then only."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.bookings.models import Booking
from apps.common import clock
from apps.esim.details import OrderDetails
from apps.esim.models import LastUsage, Plan
from apps.esim.services.usage import claim_turn, refresh_usage
from apps.esim.suppliers.registry import VENDORS
from apps.suppliers.errors import Unavailable
from apps.suppliers.vendors import Vendor
from tests.esim.services.metering import Meter, usage
from tests.esim.shop import an_order, the_order
from tests.support.api import Api
from tests.support.multiply import multiply
from tests.support.plans import explained

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class TestSeldomAsked:
    """A supplier that may be asked for a profile every twenty minutes only."""

    @pytest.fixture
    def meter(self, meter: Meter) -> Meter:
        meter.usage_every = timedelta(minutes=20)
        return meter

    def test_between_two_turns_the_stored_answer_stands(
        self, api: Api, order, meter: Meter, move_clock
    ) -> None:
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

    def test_while_anothers_question_is_under_way_what_was_known_stands(
        self, api: Api, order, meter: Meter, move_clock
    ) -> None:
        known = usage(api, order)
        move_clock(minutes=21)
        meanwhile: list[dict] = []
        meter.meanwhile = lambda: meanwhile.append(usage(api, order))
        meter.reading = replace(Meter.reading, used_mb=400)
        assert usage(api, order)["dataUsedMb"] == 400
        assert (meanwhile, meter.times) == ([known], 2)

    def test_a_question_that_failed_is_forgotten_with_the_next_answer(
        self, api: Api, order, meter: Meter, move_clock
    ) -> None:
        usage(api, order)
        meter.reading = Unavailable("away")
        with pytest.raises(Unavailable):
            refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        assert usage(api, order)["status"] is None
        meter.reading = Meter.reading
        refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        assert usage(api, order)["status"] == "active"

    def test_a_first_turn_without_an_answer_shows_the_plan_unused(
        self, api: Api, order, meter: Meter
    ) -> None:
        meter.reading = Unavailable("away")
        answers = [usage(api, order) for _ in range(2)]
        assert answers[0] == answers[1]
        shown = ("status", "dataTotalMb", "dataUsedMb", "lastUpdatedAt")
        assert [answers[0][name] for name in shown] == [None, 1024, 0, order["updatedAt"]]
        assert meter.times == 1

    def test_a_word_of_the_supplier_is_followed_at_once(
        self, api: Api, order, meter: Meter, move_clock
    ) -> None:
        usage(api, order)
        meter.reading = replace(Meter.reading, used_mb=900)
        refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        assert usage(api, order)["dataUsedMb"] == 900
        assert meter.times == 2

    def test_after_a_word_of_the_supplier_the_next_turn_is_as_far_away_as_after_any(
        self, api: Api, order, meter: Meter, move_clock
    ) -> None:
        usage(api, order)
        move_clock(minutes=15)
        refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        move_clock(minutes=10)
        usage(api, order)
        assert meter.times == 2
        move_clock(minutes=11)
        usage(api, order)
        assert meter.times == 3

    def test_a_turn_comes_when_the_time_is_over_to_the_instant(
        self, order: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        booking = the_order(order["id"])
        details, every = OrderDetails.of(booking), timedelta(minutes=20)
        moments = (NOON, NOON + every - timedelta(microseconds=1), NOON + every, NOON + every)
        turns = []
        for moment in moments:
            monkeypatch.setattr(clock, "_database_now", lambda moment=moment: moment)
            turns.append(claim_turn(booking, details, every))
        assert turns == [True, False, True, False]

    def test_a_turn_of_one_order_is_none_of_another(
        self, api: Api, plan: Plan, order: dict[str, str], meter: Meter, move_clock: Callable[..., None]
    ) -> None:
        other = an_order(api, plan)
        for _ in range(2):
            usage(api, order)
            usage(api, other)
            move_clock(minutes=21)
        assert meter.times == 4

    def test_of_two_orders_of_a_profile_the_newest_is_asked_about_and_none_of_another_product(
        self, api: Api, plan: Plan, order: dict[str, str], meter: Meter
    ) -> None:
        newest, stay = an_order(api, plan), an_order(api, plan)
        for each in (newest, stay):
            details = the_order(each["id"]).details
            details["profile"]["iccid"] = order["iccid"]
            Booking.objects.filter(pk=each["id"]).update(details=details)
        Booking.objects.filter(pk=stay["id"]).update(product="hotel")
        refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        assert meter.asked == (newest["supplier"]["reference"], order["iccid"])

    def test_the_supplier_that_sold_an_order_is_asked_whoever_sells_now(
        self, order, meter: Meter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        vendor = Meter()
        monkeypatch.setitem(VENDORS, "vendor", Vendor("vendor", lambda: vendor))
        Booking.objects.filter(pk=order["id"]).update(supplier_name="vendor", environment="live")
        refresh_usage(supplier_name="vendor", iccid=order["iccid"])
        assert (vendor.times, meter.times) == (1, 0)

    def test_silence_about_one_order_says_nothing_of_another(
        self, api: Api, plan: Plan, order, meter: Meter
    ) -> None:
        other = an_order(api, plan)
        assert [usage(api, each)["status"] for each in (order, other)] == ["active", "active"]
        meter.reading = Unavailable("away")
        with pytest.raises(Unavailable):
            refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        silent = dict(LastUsage.objects.values_list("booking_id", "unanswered_at"))
        assert silent[order["id"]] is not None
        assert silent[other["id"]] is None

    def test_a_word_about_nobodys_profile_asks_nobody(self, order, meter: Meter) -> None:
        refresh_usage(supplier_name="simulator", iccid="8999000000000000000")
        refresh_usage(supplier_name="vendor", iccid=order["iccid"])
        assert meter.times == 0

    def test_the_order_of_a_profile_is_found_by_an_index_among_many(self, order, meter: Meter) -> None:
        with connection.cursor() as cursor:
            multiply(cursor, order["id"], 5_000)
            cursor.execute(
                "UPDATE bookings_booking SET details = jsonb_set(details, '{profile,iccid}', to_jsonb('890' || reference))"
                " WHERE id <> %s",
                [order["id"]],
            )
            cursor.execute("ANALYZE bookings_booking")
        with CaptureQueriesContext(connection) as captured:
            refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        statement = next(query["sql"] for query in captured if "#>>" in query["sql"])
        plan = explained(statement)

        assert meter.times == 1
        assert "booking_by_iccid" in plan
        assert "Seq Scan" not in plan
