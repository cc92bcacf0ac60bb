"""Live usage, and what is answered while the supplier is not there."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.bookings.models import Booking
from apps.common import clock
from apps.common.errors import Conflict
from apps.esim.details import OrderDetails
from apps.esim.models import LastUsage, Plan
from apps.esim.services.usage import claim_turn, read_usage, refresh_usage, went_unanswered
from apps.esim.suppliers.base import Usage
from apps.esim.suppliers.registry import VENDORS
from apps.gateway.call import Caller
from apps.suppliers.errors import Missing, SupplierError, Unavailable
from apps.suppliers.http.together import at_most
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Shop, an_order, the_order
from tests.factories.gateway import partner_of
from tests.support.api import Api
from tests.support.multiply import multiply
from tests.support.plans import explained

VALID_UNTIL = datetime(2026, 12, 1, 10, tzinfo=UTC)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
BEFORE, AFTER = NOON - timedelta(minutes=1), NOON + timedelta(minutes=1)


class Meter(Shop):
    """A supplier whose usage a test sets; an error is raised."""

    reading: Usage | SupplierError = Usage("active", 1024, 300, VALID_UNTIL)

    times = 0
    meanwhile: Callable[[], object] | None = None

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        self.times += 1
        if self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            act()
        self.asked = (supplier_reference, iccid)
        if isinstance(self.reading, SupplierError):
            raise self.reading
        return self.reading


@pytest.fixture
def order(api: Api, plan: Plan) -> dict:
    return an_order(api, plan)


@pytest.fixture
def meter(order, monkeypatch: pytest.MonkeyPatch) -> Meter:
    meter = Meter()
    monkeypatch.setitem(VENDORS, "simulator", Vendor("simulator", lambda: meter))
    return meter


def usage(api: Api, order: dict, **headers: str) -> dict:
    reply = api.get(f"/v1/esim/orders/{order['id']}/usage", **headers)
    assert reply.status == 200, reply.body
    return reply.body


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


def test_all_that_the_supplier_is_asked_for_it_is_bound_together(
    api: Api, order: dict[str, str], meter: Meter, settings: LazySettings
) -> None:
    left: list[float] = []
    meter.meanwhile = lambda: left.append(at_most(1_000))
    usage(api, order)
    assert settings.SUPPLIER_CALL_SECONDS - 10 < left[0] <= settings.SUPPLIER_CALL_SECONDS


def test_unlimited_data_has_no_total_and_no_rest(api: Api, order, meter: Meter) -> None:
    meter.reading = Usage("active", None, 9_000, VALID_UNTIL)
    answer = usage(api, order)
    assert [answer[name] for name in ("dataTotalMb", "dataUsedMb", "dataRemainingMb")] == [None, 9_000, None]


@pytest.mark.parametrize("error", [Unavailable("away"), Missing("gone")])
def test_while_the_supplier_is_away_the_last_values_stand_without_a_status(
    api: Api, order, meter: Meter, move_clock, error: SupplierError
) -> None:
    known = usage(api, order)
    move_clock(hours=2)
    meter.reading = error
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


def test_the_supplier_that_sold_an_order_is_read_whoever_sells_now(
    api: Api, order: dict[str, str], meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor = Meter()
    monkeypatch.setitem(VENDORS, "vendor", Vendor("vendor", lambda: vendor))
    Booking.objects.filter(pk=order["id"]).update(supplier_name="vendor")
    usage(api, order)
    assert (vendor.times, meter.times) == (1, 0)


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
