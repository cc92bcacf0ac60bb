"""Live usage: asked for as often as the supplier allows, and what is shown while it does not tell."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from apps.bookings.models import Booking
from apps.common.errors import Conflict
from apps.esim.models import LastUsage, Plan
from apps.esim.services.usage import read_usage, refresh_usage
from apps.esim.suppliers.base import Usage
from apps.esim.suppliers.registry import VENDORS
from apps.gateway.requests import Caller
from apps.suppliers.errors import Missing, SupplierError, Unavailable
from apps.suppliers.http import at_most
from apps.suppliers.vendors import Vendor
from tests.esim.shop import VALID_UNTIL, Meter, an_order, the_order, usage
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


def test_all_that_the_supplier_is_asked_for_it_is_bound_together(api, order, meter, settings):
    settings.SUPPLIER_CALL_SECONDS = 300.0
    left: list[float] = []
    meter.meanwhile = lambda: left.append(at_most(1_000))
    usage(api, order)
    assert 240.0 < left[0] <= 300.0


def test_unlimited_data_has_no_total_and_no_rest(api: Api, order, meter: Meter) -> None:
    meter.reading = Usage("active", None, 9_000, VALID_UNTIL)
    answer = usage(api, order)
    assert [answer[name] for name in ("dataTotalMb", "dataUsedMb", "dataRemainingMb")] == [None, 9_000, None]


def test_the_supplier_that_sold_an_order_is_read_whoever_sells_now(api, order, meter, monkeypatch):
    vendor = Meter()
    monkeypatch.setitem(VENDORS, "vendor", Vendor("vendor", lambda: vendor))
    Booking.objects.filter(pk=order["id"]).update(supplier_name="vendor")
    usage(api, order)
    assert (vendor.times, meter.times) == (1, 0)


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


def test_a_first_answer_without_a_status_has_none_and_anothers_is_not_taken_for_it(api, plan, order, meter):
    other = an_order(api, plan)
    usage(api, order)
    meter.reading = replace(Meter.reading, status=None)
    assert usage(api, other)["status"] is None
    meter.reading = replace(Meter.reading, status="depleted")
    usage(api, other)
    meter.reading = replace(Meter.reading, status=None)
    assert [usage(api, each)["status"] for each in (order, other)] == ["active", "depleted"]


def test_while_the_supplier_is_away_each_order_shows_its_own_last_values(api, plan, order, meter):
    other = an_order(api, plan)
    for each, used_mb in ((order, 300), (other, 400)):
        meter.reading = replace(Meter.reading, used_mb=used_mb)
        usage(api, each)
    meter.reading = Unavailable("away")
    assert [usage(api, each)["dataUsedMb"] for each in (order, other)] == [300, 400]


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

    def test_a_question_that_failed_is_forgotten_with_the_next_answer(self, api, order, meter, move_clock):
        usage(api, order)
        meter.reading = Unavailable("away")
        with pytest.raises(Unavailable):
            refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        assert usage(api, order)["status"] is None
        meter.reading = Meter.reading
        refresh_usage(supplier_name="simulator", iccid=order["iccid"])
        assert usage(api, order)["status"] == "active"

    def test_a_word_of_the_supplier_is_followed_at_once(self, api, order, meter, move_clock):
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

    def test_a_turn_of_one_order_is_none_of_another(self, api, plan, order, meter, move_clock):
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

    def test_the_supplier_that_sold_an_order_is_asked_whoever_sells_now(self, order, meter, monkeypatch):
        vendor = Meter()
        monkeypatch.setitem(VENDORS, "vendor", Vendor("vendor", lambda: vendor))
        Booking.objects.filter(pk=order["id"]).update(supplier_name="vendor", environment="live")
        refresh_usage(supplier_name="vendor", iccid=order["iccid"])
        assert (vendor.times, meter.times) == (1, 0)

    def test_a_word_about_nobodys_profile_asks_nobody(self, order, meter: Meter) -> None:
        refresh_usage(supplier_name="simulator", iccid="8999000000000000000")
        refresh_usage(supplier_name="vendor", iccid=order["iccid"])
        assert meter.times == 0
