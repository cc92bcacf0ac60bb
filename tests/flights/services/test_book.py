"""Ordering an offer: the passengers searched for, the price quoted, what the order says, and every cent of it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.models import FlightSearch
from apps.flights.services.book import believe_failed_creation
from apps.flights.suppliers.base import Cancellation, FlightOffer, FlightOrder
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import InvalidField, OutcomeUnknown
from apps.suppliers.models import SupplierAlert
from apps.suppliers.values import from_json, to_json
from tests.flights.desk import (
    ADA,
    ANNABELLA,
    BALANCE_CENTS,
    BYRON,
    CHARLES,
    Desk,
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


def test_an_order_says_what_was_offered_and_what_was_issued(desk: Desk, partner: Onboarded) -> None:
    offer = desk.flexible(returnDate=70, cabin="business")
    reply = desk.order(offer, externalReference="TRIP-1")
    order, total = reply.body, offer["totalCents"]
    assert reply.status == 201
    assert without(
        order, "id", "reference", "pnr", "ticketNumbers", "documents", "createdAt", "updatedAt", "supplier"
    ) == {
        "externalReference": "TRIP-1",
        "tripReference": None,
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
        "payBy": None,
        "priceGuaranteedUntil": None,
        "fareBrand": offer["fareBrand"],
        "baggage": offer["baggage"],
        "slices": offer["slices"],
        "passengers": [{**ADA, "gender": None, "identityDocuments": [], "loyaltyAccounts": []}],
        "contact": CONTACT,
        "airlineCredits": [],
        "changes": [],
        "scheduleChanges": [],
        "services": [],
        "servicesLost": [],
        "cancellation": None,
    }
    booking = Booking.objects.get()
    assert (order["id"], order["reference"][:2]) == (booking.id, "F-")
    assert order["supplier"] == {"name": "simulator", "reference": booking.supplier_reference}
    assert (len(order["pnr"]), [len(number) for number in order["ticketNumbers"]]) == (6, [13])
    (number,) = order["ticketNumbers"]
    assert order["documents"] == [{"type": "electronic_ticket", "number": number, "passenger": 0}]
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


def test_an_offer_may_be_ordered_again_each_time_anew(desk: Desk, partner: Onboarded) -> None:
    offer = desk.offer()
    first, second = desk.ordered(offer), desk.ordered(offer)
    for name in ("id", "reference", "pnr", "ticketNumbers"):
        assert first[name] != second[name]
    assert funds(partner) == (BALANCE_CENTS - 2 * offer["totalCents"], 0)


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


def look_on(move_clock: Callable[..., None]) -> None:
    """Until what is not found is given up."""
    for _ in range(4):
        move_clock(minutes=5)
        recover_due()


def test_a_lost_order_that_its_airline_cancelled_at_an_unsaid_cost_is_credited_in_full_and_staff_are_told(
    desk: Desk,
    partner: Onboarded,
    airline: ScriptedFlights,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
) -> None:
    airline.spoil("book", OutcomeUnknown(), accepted=True)
    assert refusal(desk.order(desk.offer())) == (503, "upstream_unavailable")
    real = airline.simulator.find_order

    def cancelled(*asked: Any) -> FlightOrder:
        found = real(*asked)
        assert found is not None
        return replace(found, cancelled=True, cancellation=None)

    monkeypatch.setattr(airline.simulator, "find_order", cancelled)
    look_on(move_clock)
    booking = Booking.objects.get()
    assert (booking.status, funds(partner)) == ("failed", (BALANCE_CENTS, 0))
    alerted = SupplierAlert.objects.get()
    assert (alerted.kind, alerted.detail.partition(" ")[0]) == ("full_credit", booking.reference)


def test_staff_are_told_nothing_of_a_lost_order_that_stands_or_whose_cancellation_says_its_cost(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
) -> None:
    real = airline.simulator.find_order
    ends = []
    for cancellation in (None, Cancellation(0, 100, "EUR", {})):
        airline.spoil("book", OutcomeUnknown(), accepted=True)
        desk.order(desk.offer())
        monkeypatch.setattr(
            airline.simulator,
            "find_order",
            lambda *asked, said=cancellation: replace(
                real(*asked), cancelled=said is not None, cancellation=said
            ),
        )
        look_on(move_clock)
        ends.append(Booking.objects.latest("created_at").status)
    assert ends == ["ticketed", "failed"]
    assert not SupplierAlert.objects.exists()


OFFER = "off_1"


def lost(desk: Desk, airline: ScriptedFlights, *, accepted: bool = False) -> Operation:
    """An order of the offer whose answer was lost."""
    airline.spoil("book", OutcomeUnknown(), accepted=accepted)
    assert desk.order(desk.offer()).status == 503
    operation = Operation.objects.latest("id")
    operation.request["offer"]["supplier_data"]["offer_id"] = OFFER
    operation.save(update_fields=["request"])
    return operation


def hear(offer_id: str = OFFER) -> None:
    believe_failed_creation("simulator", offer_id)


def end_of(operation: Operation) -> tuple[str, str, str]:
    operation = Operation.objects.select_related("booking").get(pk=operation.pk)
    return operation.state, operation.failure, operation.booking.status


WAITING = ("uncertain", "", "pending")
FAILED = ("failed", "CreationFailed", "failed")


def test_an_order_that_is_not_there_has_failed_and_its_funds_are_free(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    operation = lost(desk, airline)
    assert funds(partner) == (BALANCE_CENTS - operation.amount_cents, operation.amount_cents)
    hear()
    assert end_of(operation) == FAILED
    assert funds(partner) == (BALANCE_CENTS, 0)
    released = {"reason": "The airline did not make the order.", "releasedCents": operation.amount_cents}
    assert told() == [("booking.rejected", released)]


def test_an_order_that_is_there_is_believed_before_the_word(desk: Desk, airline: ScriptedFlights) -> None:
    operation = lost(desk, airline, accepted=True)
    hear()
    assert end_of(operation) == ("confirmed", "", "ticketed")


def test_a_word_about_another_offer_ends_nothing(desk: Desk, airline: ScriptedFlights) -> None:
    operation = lost(desk, airline)
    hear("off_2")
    assert (end_of(operation), airline.calls("find_order")) == (WAITING, 0)


def test_of_two_orders_that_it_may_be_about_neither_is_ended(desk: Desk, airline: ScriptedFlights) -> None:
    waiting = [lost(desk, airline), lost(desk, airline)]
    hear()
    assert [end_of(each) for each in waiting] == [WAITING, WAITING]


@pytest.mark.parametrize(
    ("operation", "booking"),
    [
        ({"state": "failed"}, {}),
        ({"kind": "change"}, {}),
        ({}, {"product": "hotel"}),
        ({}, {"supplier_name": "vendor"}),
    ],
    ids=str,
)
def test_it_is_about_an_order_of_this_supplier_whose_end_is_not_known(
    desk: Desk, airline: ScriptedFlights, operation: dict[str, Any], booking: dict[str, Any]
) -> None:
    other, waiting = lost(desk, airline), lost(desk, airline)
    Operation.objects.filter(pk=other.pk).update(**{"state": other.state, **operation})
    Booking.objects.filter(pk=other.booking_id).update(**{"status": "pending", **booking})
    before = end_of(other)
    hear()
    assert (end_of(waiting), end_of(other)) == (FAILED, before)
