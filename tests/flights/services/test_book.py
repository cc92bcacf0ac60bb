"""Ordering an offer: the passengers searched for, the price quoted, what the order says, and every cent of it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.handlers import Accepted
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.details import OrderDetails
from apps.flights.models import FlightSearch
from apps.flights.services.book import OrderFlight, issued, penalty_of
from apps.flights.suppliers.base import Cancellation, Conditions, FlightOffer, FlightOrder
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import InvalidField, OutcomeUnknown
from apps.suppliers.values import from_json, to_json
from tests.flights.desk import (
    ADA,
    ANNABELLA,
    BALANCE_CENTS,
    BYRON,
    CHARLES,
    Desk,
    a_partner,
    desk_of,
    faults,
    funds,
    lines,
    refusal,
    told,
    without,
)
from tests.support.flight_shop import CONTACT
from tests.support.scripted_flights import ScriptedFlights

FAMILY = {"adults": 2, "children": 1, "infants": 1}
EXPIRED = (410, "offer_expired")
CHANGED = (409, "price_changed")


def test_an_order_says_what_was_offered_and_what_was_issued(desk: Desk, partner: Onboarded) -> None:
    offer = desk.flexible(returnDate=70, cabin="business")
    reply = desk.order(offer, externalReference="TRIP-1")
    order, total = reply.body, offer["totalCents"]
    assert reply.status == 201
    assert without(
        order, "id", "reference", "pnr", "ticketNumbers", "createdAt", "updatedAt", "supplier"
    ) == {
        "externalReference": "TRIP-1",
        "status": "ticketed",
        "environment": "test",
        "totalCents": total,
        "currency": "EUR",
        "offerId": offer["offerId"],
        "carrier": offer["carrier"],
        "cabin": "business",
        "conditions": offer["conditions"],
        "cancellationSteps": [
            {**offer["cancellationSteps"][0], "from": order["createdAt"]},
            *offer["cancellationSteps"][1:],
        ],
        "fareBrand": offer["fareBrand"],
        "baggage": offer["baggage"],
        "slices": offer["slices"],
        "passengers": [{**ADA, "gender": None}],
        "contact": CONTACT,
        "changes": [],
        "scheduleChanges": [],
        "cancellation": None,
    }
    booking = Booking.objects.get()
    assert (order["id"], order["reference"][:2]) == (booking.id, "F-")
    assert order["supplier"] == {"name": "simulator", "reference": booking.supplier_reference}
    assert (len(order["pnr"]), [len(number) for number in order["ticketNumbers"]]) == (6, [13])
    assert clock.rfc3339(booking.created_at) == order["createdAt"] <= order["updatedAt"]
    assert funds(partner) == (BALANCE_CENTS - total, 0)
    assert lines(partner) == [("hold", -total, total), ("capture", 0, -total)]
    assert told() == [("booking.confirmed", {"totalCents": total})]
    assert desk.read(order["id"]) == order


def test_a_family_gets_a_ticket_each_under_one_name_record(desk: Desk) -> None:
    travellers = [BYRON, ADA, {**ANNABELLA, "gender": "f"}, CHARLES]
    order = desk.order(desk.flexible(passengers=FAMILY), passengers=travellers).body
    assert [passenger["firstName"] for passenger in order["passengers"]] == [
        "Byron",
        "Ada",
        "Annabella",
        "Charles",
    ]
    assert [passenger["gender"] for passenger in order["passengers"]] == [None, None, "f", None]
    assert len(set(order["ticketNumbers"])) == 4


def born(years: int, days: int = 0, last: int = 60) -> dict[str, Any]:
    """A child who makes so many years that many days after the last flight, which leaves in `last` days."""
    flies = clock.today() + timedelta(days=last)
    leap = (flies.month, flies.day) == (2, 29)
    birthday = date(flies.year - years, flies.month, 28 if leap else flies.day) + timedelta(days=days)
    return {**BYRON, "dateOfBirth": birthday.isoformat()}


def orders_or_names(desk: Desk, partner: Onboarded, counts: dict[str, Any], children: list[Any]) -> list[str]:
    """What is wrong with an order of Ada and these children, before anything is held; nothing once it is ticketed."""
    offer = desk.flexible(passengers=counts)
    reply = desk.order(offer, passengers=[ADA, *(born(*child) for child in children)])
    if reply.status == 201:
        return []
    assert (Booking.objects.count(), lines(partner)) == (0, [])
    return faults(reply)


@pytest.mark.parametrize(
    ("children", "wrong"),
    [
        ([(2,)], []),
        ([(12, 1)], []),
        ([(2, 1)], [1]),
        ([(12,)], [1]),
        ([(30,)], [1]),
        ([(7,), (1,), (14,)], [2, 3]),
    ],
    ids=["two today", "twelve tomorrow", "two tomorrow", "twelve today", "grown up", "one of three fits"],
)
def test_a_child_is_a_child_on_the_last_flights_day(
    desk: Desk, partner: Onboarded, children: list[Any], wrong: list[int]
) -> None:
    named = orders_or_names(desk, partner, {"adults": 1, "children": len(children)}, children)
    assert named == [f"passengers.{place}.dateOfBirth" for place in wrong]


@pytest.mark.parametrize(
    ("ages", "children", "wrong"),
    [
        ([7, 4], [(4,), (7,)], []),
        ([7, 7], [(7,), (7, -1)], []),
        ([7, 4], [(4,), (8,)], [2]),
        ([7, 4], [(4,), (4, -1)], [2]),
        ([7, 4], [(8,), (5,)], [1, 2]),
        ([11], [(12, 1)], []),
    ],
    ids=str,
)
def test_children_are_of_the_ages_that_were_searched_for(
    desk: Desk, partner: Onboarded, ages: list[int], children: list[Any], wrong: list[int]
) -> None:
    counts = {"children": len(ages), "childrenAges": ages}
    named = orders_or_names(desk, partner, counts, children)
    assert named == [f"passengers.{place}.dateOfBirth" for place in wrong]


def test_the_day_of_the_last_leg_counts_for_both_legs(desk: Desk) -> None:
    """One year old on the way out, and two on the way back."""
    child = born(2, last=70)
    there_and_back = desk.flexible(returnDate=70, passengers={"children": 1})
    assert desk.order(there_and_back, passengers=[ADA, child]).status == 201
    one_way = desk.flexible(passengers={"children": 1})
    assert faults(desk.order(one_way, passengers=[ADA, child])) == ["passengers.1.dateOfBirth"]


@pytest.mark.parametrize(
    "passengers",
    [
        [ADA],
        [ADA, CHARLES],
        [ADA, CHARLES, BYRON],
        [ADA, CHARLES, BYRON, BYRON],
        [ADA, BYRON, BYRON, ANNABELLA],
        [ADA, CHARLES, CHARLES, BYRON, ANNABELLA],
        [ADA, CHARLES, BYRON, ANNABELLA, ANNABELLA],
    ],
    ids=[
        "one",
        "adults alone",
        "no infant",
        "a child for the infant",
        "an adult too few",
        "too many",
        "two infants",
    ],
)
def test_others_than_were_searched_for_are_refused_before_the_airline_hears_of_them(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, passengers: list[dict[str, Any]]
) -> None:
    offer = desk.flexible(passengers=FAMILY)
    assert faults(desk.order(offer, passengers=passengers)) == ["passengers"]
    assert (airline.calls("reprice"), airline.calls("book"), Booking.objects.count()) == (0, 0, 0)
    assert funds(partner) == (BALANCE_CENTS, 0)


def test_what_is_wrong_is_said_in_so_many_words(desk: Desk) -> None:
    (detail,) = desk.order(desk.flexible(passengers=FAMILY), passengers=[ADA]).error["details"]
    assert detail["message"] == "must have 2 adults, as were searched for, and not 1"


@pytest.mark.parametrize(("later", "refused"), [(-1, None), (0, EXPIRED), (1, EXPIRED)])
@pytest.mark.parametrize("minutes", [5, 20], ids=["the airline's end", "ours"])
def test_an_offer_can_be_ordered_to_the_second_it_ends(
    desk: Desk, at: Callable[[datetime], None], minutes: int, later: int, refused: tuple[int, str] | None
) -> None:
    (offer,) = desk.searched(limit=1)["offers"]
    search = FlightSearch.objects.get()
    ends = search.created_at + timedelta(minutes=minutes)
    search.offers = to_json([replace(from_json(FlightOffer, search.offers[0]), expires_at=ends)])
    search.save()
    at(ends + timedelta(seconds=later))
    reply = desk.order(offer)
    assert (reply.status == 201) if refused is None else (refusal(reply) == refused)
    assert Booking.objects.count() == (refused is None)


def test_a_handle_of_anything_else_is_expired(
    desk: Desk, live: Desk, stranger: Desk, partner: Onboarded
) -> None:
    offer = desk.offer()
    for handle in (
        offer["offerId"].replace("offer_", "rate_"),
        offer["slices"][0]["sliceId"],
        live.offer()["offerId"],
        stranger.offer()["offerId"],
        "offer_unknown",
    ):
        assert refusal(desk.order({"offerId": handle})) == EXPIRED
    assert (Booking.objects.count(), funds(partner)) == (0, (BALANCE_CENTS, 0))


def test_an_offer_may_be_ordered_again_each_time_anew(desk: Desk, partner: Onboarded) -> None:
    offer = desk.offer()
    first, second = desk.ordered(offer), desk.ordered(offer)
    for name in ("id", "reference", "pnr", "ticketNumbers"):
        assert first[name] != second[name]
    assert funds(partner) == (BALANCE_CENTS - 2 * offer["totalCents"], 0)


def test_a_live_order_is_paid_from_the_live_wallet(live: Desk, partner: Onboarded) -> None:
    order = live.ordered()
    assert order["environment"] == "live"
    assert funds(partner, "live") == (BALANCE_CENTS - order["totalCents"], 0)
    assert funds(partner) == (BALANCE_CENTS, 0)


def test_an_order_is_watched_until_its_last_flight_has_arrived(desk: Desk) -> None:
    desk.round_trip()
    booking = Booking.objects.get()
    assert booking.watched_until == OrderDetails.of(booking).slices[-1].leg.arrival_at


def test_who_made_the_offer_says_what_is_wrong_with_the_passengers_before_anything_is_held(
    live: Desk,
    former: ScriptedFlights,
    another_sells: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    partner: Onboarded,
) -> None:
    offer = live.offer()
    another_sells()
    objections = [InvalidField("passengers.0.gender", "is required")]
    with monkeypatch.context() as patched:
        patched.setattr(former.simulator, "objections", lambda passengers: objections)
        reply = live.order(offer)
    assert (faults(reply), Booking.objects.count()) == (["passengers.0.gender"], 0)
    assert funds(partner, "live") == (BALANCE_CENTS, 0)
    assert live.order(offer).status == 201


def test_an_offer_of_a_supplier_that_this_release_does_not_know_holds_no_money(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    offer = desk.offer()
    FlightSearch.objects.update(supplier_name="of another release")
    assert refusal(desk.order(offer)) == (503, "upstream_unavailable")
    assert (Booking.objects.count(), funds(partner)) == (0, (BALANCE_CENTS, 0))


# --- A lost answer, and what is read of an order -------------------------------------------------------------------
@pytest.mark.parametrize("accepted", [False, True])
def test_a_lost_order_is_found_if_it_is_there(desk: Desk, airline: ScriptedFlights, accepted: bool) -> None:
    airline.spoil("book", OutcomeUnknown(), accepted=accepted)
    assert refusal(desk.order(desk.offer())) == (503, "upstream_unavailable")
    found = OrderFlight().find(Operation.objects.get())
    assert (found is not None) == accepted


def test_an_order_whose_answer_was_lost_shows_what_was_offered(desk: Desk, airline: ScriptedFlights) -> None:
    offer = desk.flexible()
    airline.spoil("book", OutcomeUnknown(), accepted=False)
    assert desk.order(offer).status == 503
    order = desk.read(Booking.objects.get().pk)
    for name in ("offerId", "carrier", "cabin", "conditions", "fareBrand", "baggage", "slices"):
        assert order[name] == offer[name]


AN_ORDER = FlightOrder("ord_1", "ABC123", ("220",), 10_000, "EUR", (), Conditions(True, True, 2_500))


def test_an_order_is_there_once_its_tickets_are() -> None:
    assert issued(AN_ORDER) == AN_ORDER
    with pytest.raises(Accepted) as raised:
        issued(replace(AN_ORDER, issued=False))
    assert raised.value.supplier_reference == "ord_1"


@pytest.mark.parametrize(
    ("order", "penalty_cents"),
    [
        (AN_ORDER, None),
        (replace(AN_ORDER, cancelled=True), 0),
        (replace(AN_ORDER, cancelled=True, cancellation=Cancellation(2_500, 7_500, "EUR", {})), 2_500),
    ],
    ids=["standing", "cancelled", "at a cost"],
)
def test_what_cancelling_cost_is_nothing_where_nobody_says(
    order: FlightOrder, penalty_cents: int | None
) -> None:
    assert penalty_of(order) == penalty_cents


# --- Currencies, replays -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("currency", ["JPY", "KWD"])
def test_an_order_its_change_and_its_end_are_exact_in_other_minor_units(db: None, currency: str) -> None:
    rich = a_partner(currency=currency)
    desk = desk_of(rich.test_secret)
    order = desk.ordered()
    assert (order["currency"], funds(rich)) == (currency, (BALANCE_CENTS - order["totalCents"], 0))
    dearer = desk.options_of(order)[-1]
    assert dearer["currency"] == currency
    order = desk.changed(order, dearer)
    assert funds(rich) == (BALANCE_CENTS - dearer["newTotalCents"], 0)
    ended = desk.cancel(order["id"]).body["cancellation"]
    assert ended["penaltyCents"] + ended["refundCents"] == dearer["newTotalCents"]
    assert (ended["currency"], funds(rich)) == (currency, (BALANCE_CENTS - ended["penaltyCents"], 0))
    assert check_ledger() == []


def test_a_replay_is_the_same_to_the_byte_and_orders_nothing(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    offer = desk.offer()
    first = desk.order(offer, "order-once")
    move_clock(hours=1)
    desk.cancel(first.body["id"])
    again = desk.order(offer, "order-once")
    assert (again.status, again.content) == (201, first.content)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (airline.calls("book"), Operation.objects.filter(kind="book").count()) == (1, 1)
    other = desk.order(offer, "order-once", maxTotalCents=10**6)
    assert refusal(other) == (409, "idempotency_key_reuse")
