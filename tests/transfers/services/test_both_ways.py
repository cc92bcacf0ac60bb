"""Return trips and extras: one price, one order, one hold, and the terms of the whole."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.actors import AUTOMATIC
from apps.bookings.erasure import erase_travellers
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Operation
from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Rejected
from apps.transfers.details import ends_at
from apps.transfers.services.pickup import keep_pickup
from apps.transfers.suppliers.base import Pickup
from tests.support.api import Api
from tests.transfers.agency import (
    BALANCE_CENTS,
    BOTH_WAYS,
    FEE,
    FREE,
    Company,
    an_offer,
    cancel,
    events,
    money,
    order,
    read,
    search,
    steps,
    the_booking,
)

INBOUND = BOTH_WAYS["inbound"]
FLIGHTS = {"flightNumber": "TP1361", "inboundFlightNumber": "TP1362"}
FIRST = datetime(2027, 2, 3, 13, 30, tzinfo=UTC)
"""The pick-up at the airport of Palma."""


def a_trip(api: Api, category: str = FREE, **changes: Any) -> dict[str, Any]:
    return an_offer(api, category, inbound=INBOUND, **changes)


def extra_of(offer: dict[str, Any], code: str = "CST") -> dict[str, Any]:
    return next(extra for extra in offer["extras"] if extra["code"] == code)


# --- Search -----------------------------------------------------------------------------------------------------------
def test_a_return_offer_has_two_legs_at_one_price_below_that_of_two_rides(api: Api) -> None:
    there = an_offer(api)
    back = an_offer(api, **{"from": BOTH_WAYS["to"], "to": BOTH_WAYS["from"]}, outbound=INBOUND)
    trip = a_trip(api)
    outbound, inbound = trip["legs"]
    assert there["legs"] == [outbound]
    assert {**back["legs"][0], "direction": "inbound"} == inbound
    assert (outbound["direction"], outbound["at"], inbound["at"]) == (
        "outbound",
        BOTH_WAYS["outbound"],
        INBOUND,
    )
    assert (inbound["from"]["code"], inbound["to"]["code"]) == ("265", "PMI")
    assert inbound["pickupAt"] < INBOUND  # in time for the flight
    for name in ("vehicle", "durationMinutes", "remarks", "waitingTimes"):
        assert trip[name] == outbound[name]
    apart = there["totalCents"] + back["totalCents"]
    assert apart * 90 <= trip["totalCents"] * 100 <= apart * 95
    assert trip["cancellationPolicy"][-1]["amountCents"] == trip["totalCents"]


def test_terms_of_a_trip_are_the_sum_of_its_legs_until_its_first_pick_up(api: Api) -> None:
    """A day before each pick-up that leg is lost; with the first pick-up all is."""
    trip = a_trip(api)
    steps_of_trip = trip["cancellationSteps"]
    assert [step["from"] for step in steps_of_trip[1:]] == [
        "2027-02-02T13:30:00.000Z",
        "2027-02-03T13:30:00.000Z",
    ]
    free, one_leg, all_of_it = (step["penaltyCents"] for step in steps_of_trip)
    assert free == 0 < one_leg < all_of_it == trip["totalCents"]


def test_extras_are_offered_by_vehicles_of_ones_own_and_for_both_legs(api: Api) -> None:
    one_way, trip = an_offer(api), a_trip(api)
    assert extra_of(one_way) == {
        "code": "CST",
        "name": "Child seat, 9 to 18 kg",
        "totalCents": 900,
        "currency": "EUR",
        "minQuantity": 1,
        "maxQuantity": 2,
        "directions": ["outbound"],
    }
    both = extra_of(trip)
    assert (both["directions"], both["maxQuantity"]) == (["outbound", "inbound"], 2)
    assert both["totalCents"] > 900
    assert a_trip(api, "shuttle")["extras"] == []


def test_a_trip_is_on_sale_until_its_first_pick_up(api, company, move_clock, still_clock):
    company.now = lambda: FIRST - timedelta(days=30)  # it goes on offering
    quote = a_trip(api)["quoteId"]
    move_clock(seconds=(FIRST - clock.now()).total_seconds())
    found = search(api, **BOTH_WAYS)
    assert (found["offers"], found["withheld"]["noLongerSold"] > 0) == ([], True)
    assert order(api, quote).error_type == "offer_expired"
    assert Operation.objects.count() == 0


# --- Order ------------------------------------------------------------------------------------------------------------
def test_an_order_of_a_trip_with_extras_shows_both_legs_and_holds_the_whole(
    api: Api, partner: Onboarded
) -> None:
    trip = a_trip(api, FEE)
    seat, case = extra_of(trip), extra_of(trip, "XBG")
    total = trip["totalCents"] + 2 * seat["totalCents"] + case["totalCents"]
    extras = [{"code": "CST", "quantity": 2}, {"code": "XBG"}]
    body = order(api, trip["quoteId"], extras=extras, maxTotalCents=total, **FLIGHTS).body
    assert (body["status"], body["totalCents"], money(partner)[1]) == ("confirmed", total, total)
    assert [(one["code"], one["quantity"], one["totalCents"]) for one in body["extras"]] == [
        ("CST", 2, 2 * seat["totalCents"]),
        ("XBG", 1, case["totalCents"]),
    ]
    outbound, inbound = body["legs"]
    assert (outbound["flightNumber"], inbound["flightNumber"]) == ("TP1361", "TP1362")
    assert (body["inbound"], body["inboundFlightNumber"]) == (INBOUND, "TP1362")
    assert outbound["pickup"] == body["pickup"]
    assert inbound["pickup"]["at"] == inbound["pickupAt"] == trip["legs"][1]["pickupAt"]
    assert body["cancellationSteps"][-1]["penaltyCents"] == total
    settle_owed()
    assert money(partner) == (BALANCE_CENTS - total, 0)
    assert read(api, body["id"])["settlement"]["amountCents"] == total
    assert check_ledger() == []
    booking = the_booking(body["id"])
    assert ends_at(booking.details).date().isoformat() == "2027-02-12"
    assert booking.watched_until == ends_at(booking.details)


@pytest.mark.parametrize(
    ("one_way", "body", "field"),
    [
        (True, {"inboundFlightNumber": "TP1362"}, "inboundFlightNumber"),
        (False, {"inboundFlightNumber": "TP1234567"}, "inboundFlightNumber"),
        (False, {"extras": [{"code": "T99"}]}, "extras.0.code"),
        (False, {"extras": [{"code": "CST"}, {"code": "CST"}]}, "extras.1.code"),
        (False, {"extras": [{"code": "BST"}, {"code": "CST", "quantity": 3}]}, "extras.1.quantity"),
    ],
)
def test_what_a_quote_does_not_sell_is_refused_and_nothing_is_held(
    api: Api, partner: Onboarded, one_way: bool, body: dict[str, Any], field: str
) -> None:
    offer = an_offer(api) if one_way else a_trip(api)
    reply = order(api, offer["quoteId"], **body)
    assert (reply.status, [detail["field"] for detail in reply.error["details"]]) == (400, [field])
    assert (money(partner), Operation.objects.count()) == ((BALANCE_CENTS, 0), 0)


def test_extras_of_a_shared_ride_are_extras_of_another_quote(api: Api) -> None:
    reply = order(api, an_offer(api, "shuttle")["quoteId"], extras=[{"code": "CST"}])
    assert (reply.status, reply.error["details"][0]["field"]) == (400, "extras.0.code")


def test_the_limit_bounds_ride_and_extras_together(api: Api, partner: Onboarded, company: Company) -> None:
    trip = a_trip(api)
    total = trip["totalCents"] + extra_of(trip)["totalCents"]
    asked = {"quote_id": trip["quoteId"], "extras": [{"code": "CST"}]}
    low = order(api, **asked, maxTotalCents=total - 1)
    assert (low.error_type, low.error["currentTotalCents"]) == ("price_changed", total)
    company.at_percent(110)
    refused = order(api, **asked)
    assert (refused.error_type, refused.error["previousTotalCents"]) == ("price_changed", total)
    assert refused.error["currentTotalCents"] > total
    assert (money(partner), company.bookings) == ((BALANCE_CENTS, 0), 0)
    allowed = order(api, **asked, maxTotalCents=2 * total).body
    assert allowed["totalCents"] == refused.error["currentTotalCents"] == money(partner)[1]
    assert allowed["extras"][0]["totalCents"] > extra_of(trip)["totalCents"]


def test_an_extra_that_is_gone_makes_the_quote_expire(api, partner, company, monkeypatch):
    monkeypatch.setattr("apps.transfers.suppliers.simulator.catalogue.EXTRAS", ())
    gone = order(api, an_offer(api)["quoteId"])
    assert gone.status == 201
    monkeypatch.undo()
    trip = a_trip(api)
    monkeypatch.setattr("apps.transfers.suppliers.simulator.catalogue.EXTRAS", ())
    before = money(partner)
    assert order(api, trip["quoteId"], extras=[{"code": "CST"}]).error_type == "offer_expired"
    assert money(partner) == before


CODES = ("CST", "BST", "XBG", "PRM")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    chosen=st.dictionaries(st.sampled_from(CODES), st.integers(1, 4), max_size=4),
    returning=st.booleans(),
    refused=st.booleans(),
)
def test_what_is_paid_is_ride_and_extras_and_after_a_refusal_nothing_is_held(
    api: Api, partner: Onboarded, chosen: dict[str, int], returning: bool, refused: bool
) -> None:
    available, held = money(partner)
    offer = a_trip(api) if returning else an_offer(api)
    extras = [{"code": code, "quantity": quantity} for code, quantity in chosen.items()]
    expected = offer["totalCents"] + sum(
        extra_of(offer, code)["totalCents"] * n for code, n in chosen.items()
    )
    too_many = any(n > extra_of(offer, code)["maxQuantity"] for code, n in chosen.items())
    more = {"maxTotalCents": expected - 1} if refused else {}
    reply = order(api, offer["quoteId"], extras=extras, **more)
    if too_many or refused:
        assert reply.status == (400 if too_many else 409)
        assert money(partner) == (available, held)
        return
    assert reply.body["totalCents"] == expected
    settle_owed()
    assert money(partner) == (available - expected, 0)
    assert check_ledger() == []


def test_a_refused_order_with_extras_releases_its_hold(api, partner, company, monkeypatch):
    def refuse(request: object) -> None:
        raise Rejected("no")

    monkeypatch.setattr(company, "book", refuse)
    trip = a_trip(api)
    assert order(api, trip["quoteId"], extras=[{"code": "CST"}]).status == 502
    assert money(partner) == (BALANCE_CENTS, 0)
    assert [kind for kind, _ in steps(partner)] == ["hold", "release"]


# --- Afterwards -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("category", "percent"), [(FREE, 0), (FEE, 20)])
def test_cancelling_is_of_the_whole(api: Api, partner: Onboarded, category: str, percent: int) -> None:
    body = order(api, a_trip(api, category)["quoteId"], extras=[{"code": "PRM"}]).body
    total = body["totalCents"]
    quote = api.post(f"/v1/transfers/orders/{body['id']}/cancellation-quote").body
    ended = cancel(api, body["id"], {"cancellationQuoteId": quote["cancellationQuoteId"]}).body
    penalty = ended["cancellation"]["penaltyCents"]
    assert penalty == quote["penaltyCents"]
    assert abs(penalty - total * percent // 100) <= 2
    settle_owed()
    assert money(partner) == (BALANCE_CENTS - penalty, 0)
    assert check_ledger() == []


def test_between_its_pick_ups_a_trip_is_lost_whole_and_after_the_last_it_is_over(
    api: Api, company: Company, move_clock: Callable[..., None], still_clock: None
) -> None:
    company.now = lambda: FIRST - timedelta(days=30)  # it would give all of it back
    first, second = (order(api, a_trip(api)["quoteId"]).body for _ in range(2))
    move_clock(seconds=(FIRST - clock.now()).total_seconds())
    ended = cancel(api, first["id"]).body
    assert ended["cancellation"]["penaltyCents"] == first["totalCents"]
    last = datetime.fromisoformat(second["legs"][1]["pickupAt"] + "+01:00")
    move_clock(seconds=(last - clock.now()).total_seconds())
    assert (cancel(api, second["id"]).status, read(api, second["id"])["status"]) == (409, "confirmed")


def test_what_changes_of_the_way_back_is_stored_and_told(api: Api) -> None:
    body = order(api, a_trip(api)["quoteId"]).body
    booking = the_booking(body["id"])
    keep_pickup(booking, Pickup(None, ""), None, Pickup(datetime(2027, 2, 10, 14), "Door B."))
    after = read(api, body["id"])
    assert (after["legs"][1]["pickup"]["at"], after["pickup"]) == ("2027-02-10T14:00:00", body["pickup"])
    ((_, data),) = [event for event in events(body["id"]) if event[0] == "booking.supplier_changed"]
    assert [change["field"] for change in data["changes"]] == [
        "legs.1.pickup.at",
        "legs.1.pickup.instructions",
    ]


def test_the_sandbox_alters_a_trip_as_any_other_order(api: Api) -> None:
    body = order(api, a_trip(api)["quoteId"], ref="sbx_supplier_changed").body
    poll_suppliers()
    after = read(api, body["id"])
    assert after["legs"][0]["pickup"] == after["pickup"] != body["pickup"]
    assert after["legs"][1] == body["legs"][1]


def test_in_another_currency_the_whole_is_converted_and_never_more_than_was_held(
    live: Api, former: Company, another_sells: Callable[[], None]
) -> None:
    trip = a_trip(live)
    seat = extra_of(trip)
    another_sells()
    asked = {"extras": [{"code": "CST", "quantity": 2}], **FLIGHTS}
    body = order(live, trip["quoteId"], **asked).body
    total = trip["totalCents"] + 2 * seat["totalCents"]
    assert (body["status"], former.bookings) == ("confirmed", 1)
    assert total - 2 <= body["totalCents"] <= total
    settle_owed()
    assert read(live, body["id"])["settlement"]["amountCents"] == body["totalCents"]
    assert check_ledger() == []


def test_flight_numbers_of_both_legs_are_forgotten_with_the_traveller(api, move_clock):
    body = order(api, a_trip(api)["quoteId"], **FLIGHTS).body
    settle_owed()
    move_clock(days=120)
    assert erase_travellers(booking=the_booking(body["id"]), erased_by=AUTOMATIC)
    after = read(api, body["id"])
    assert (after["flightNumber"], after["inboundFlightNumber"]) == (None, None)
    assert [leg["flightNumber"] for leg in after["legs"]] == [None, None]
    operation = Operation.objects.get()
    kept = f"{the_booking(body['id']).details} {operation.request} {operation.prepared}"
    assert "TP136" not in kept


def test_an_order_of_a_release_before_return_trips_reads_on(api: Api) -> None:
    body = order(api, an_offer(api)["quoteId"], flightNumber="TP1361").body
    booking = the_booking(body["id"])
    for name in ("inbound_flight_number", "back", "back_pickup", "extras"):
        del booking.details[name]
    del booking.details["search"]["inbound"]
    booking.save()
    assert read(api, body["id"]) == body
    assert cancel(api, body["id"]).body["status"] == "cancelled"
