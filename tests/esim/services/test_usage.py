"""Live usage."""

import pytest
from django.conf import LazySettings

from apps.bookings.models import Booking
from apps.common.errors import Conflict
from apps.esim.models import LastUsage, Plan
from apps.esim.services.usage import read_usage
from apps.esim.suppliers.base import Usage
from apps.esim.suppliers.registry import VENDORS
from apps.gateway.call import Caller
from apps.suppliers.http import at_most
from apps.suppliers.vendors import Vendor
from tests.esim.services.metering import VALID_UNTIL, Meter, usage
from tests.esim.shop import an_order, the_order
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


def test_all_that_the_supplier_is_asked_for_it_is_bound_together(
    api: Api, order: dict[str, str], meter: Meter, settings: LazySettings
) -> None:
    settings.SUPPLIER_CALL_SECONDS = 300.0
    left: list[float] = []
    meter.meanwhile = lambda: left.append(at_most(1_000))
    usage(api, order)
    assert 240.0 < left[0] <= 300.0


def test_unlimited_data_has_no_total_and_no_rest(api: Api, order, meter: Meter) -> None:
    meter.reading = Usage("active", None, 9_000, VALID_UNTIL)
    answer = usage(api, order)
    assert [answer[name] for name in ("dataTotalMb", "dataUsedMb", "dataRemainingMb")] == [None, 9_000, None]


def test_the_supplier_that_sold_an_order_is_read_whoever_sells_now(
    api: Api, order: dict[str, str], meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
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
