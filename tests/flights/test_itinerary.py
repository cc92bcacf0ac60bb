"""The ids by which partners know the legs, through every reissue, and what of an airline's word is a change."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.flights.details import OrderDetails
from apps.flights.itinerary import OrderSlice, ScheduleChange, offered, with_what_is_known
from apps.flights.suppliers.base import (
    AirlineChange,
    Baggage,
    Conditions,
    FlightOrder,
    Passenger,
    Segment,
    Slice,
)
from apps.suppliers.values import replaced

NOON = datetime.fromisoformat("2027-02-03T12:00:00+01:00")
OUT = Slice("", "LIS", "BER", NOON, NOON, 210, ())
BACK = Slice("", "BER", "LIS", NOON, NOON, 220, ())
FREE, STRICT = Conditions(True, True, 900), Conditions(False, True, None)
BEGUN = OrderDetails(
    offer_id="offer_x",
    carrier="TP",
    carrier_name="TAP",
    cabin="economy",
    slices=(OrderSlice("slice_out", OUT), OrderSlice("slice_back", BACK)),
    conditions=FREE,
    passengers=(Passenger("Ada", "Lovelace", date(1990, 12, 10), "adult"),),
    email="ada@example.com",
    phone="+351210000000",
)


def issued(*legs: Slice, pnr: str = "ABC234", conditions: Conditions = FREE) -> FlightOrder:
    return FlightOrder("sim_1", pnr, ("9991",), 4_500, "EUR", legs, conditions)


def named(leg: Slice, supplier_id: str) -> Slice:
    return replace(leg, supplier_id=supplier_id)


def test_the_first_issue_names_the_legs_in_the_order_of_the_offer() -> None:
    order = issued(named(OUT, "s1"), named(BACK, "s2"), conditions=STRICT)
    assert BEGUN.ticketed(order) == replace(
        BEGUN,
        pnr="ABC234",
        ticket_numbers=("9991",),
        conditions=STRICT,
        slices=(OrderSlice("slice_out", named(OUT, "s1")), OrderSlice("slice_back", named(BACK, "s2"))),
        airline_total_cents=order.total_cents,
    )


def test_what_the_first_issue_does_not_tell_of_the_fare_stays_as_it_was_offered() -> None:
    offered, told = (Baggage("adult", 1, 0),), (Baggage("adult", 1, 2),)
    begun = replace(BEGUN, fare_brand="Light", baggage=offered)
    order = issued(named(OUT, "s1"), named(BACK, "s2"))
    silent = begun.ticketed(order)
    assert (silent.fare_brand, silent.baggage) == ("Light", offered)
    other = begun.ticketed(replace(order, fare_brand="Flex", baggage=told))
    assert (other.fare_brand, other.baggage) == ("Flex", told)


def test_a_reissued_order_has_the_fare_that_the_airline_tells_of_it() -> None:
    begun = replace(BEGUN, fare_brand="Light", baggage=(Baggage("adult", 1, 0),))
    order = replace(issued(named(OUT, "s3"), named(BACK, "s2")), fare_brand="Flex")
    after = begun.ticketed(order).reissued(order, removed="slice_out", added=OUT, new_slice_id="slice_new")
    assert (after.fare_brand, after.baggage) == ("Flex", ())


def at_duffel(details: OrderDetails) -> list[tuple[str, str]]:
    """Our ids of the legs with the airline's."""
    return [(known.slice_id, known.leg.supplier_id) for known in details.slices]


TICKETED = BEGUN.ticketed(issued(named(OUT, "s1"), named(BACK, "s2")))
DAY = timedelta(days=1)


def moved(leg: Slice, supplier_id: str, by: timedelta = timedelta(minutes=40)) -> Slice:
    return replace(leg, supplier_id=supplier_id, departure_at=leg.departure_at + by)


def reissued(*legs: Slice, added: Slice, removed: str = "slice_back") -> OrderDetails:
    return TICKETED.reissued(issued(*legs), removed=removed, added=added, new_slice_id="slice_new")


def test_an_order_that_is_issued_at_other_times_than_were_offered_keeps_the_ids() -> None:
    ticketed = BEGUN.ticketed(issued(moved(OUT, "s1"), moved(BACK, "s2")))
    assert at_duffel(ticketed) == [("slice_out", "s1"), ("slice_back", "s2")]


def test_a_reissue_renames_the_changed_leg_alone() -> None:
    new_back = replace(named(BACK, "s3"), duration_minutes=300)
    changed = reissued(named(OUT, "s1"), new_back, added=BACK)
    assert changed.slices == (OrderSlice("slice_out", named(OUT, "s1")), OrderSlice("slice_new", new_back))
    assert changed.changes == ()


def test_legs_keep_their_ids_in_whatever_order_an_airline_tells_them() -> None:
    turned = TICKETED.ticketed(issued(named(BACK, "s2"), named(OUT, "s1")))
    assert at_duffel(turned) == [("slice_back", "s2"), ("slice_out", "s1")]


def test_a_reissue_that_renames_every_leg_at_the_airline_renames_the_changed_one_alone() -> None:
    """Or two legs would bear one id, and the next change would remove the wrong one."""
    later = moved(BACK, "s4", DAY)
    assert at_duffel(reissued(named(OUT, "s3"), later, added=later)) == [
        ("slice_out", "s3"),
        ("slice_new", "s4"),
    ]


def test_the_promised_id_is_the_added_legs_although_another_was_moved_before_it() -> None:
    later = moved(BACK, "s4", DAY)
    assert at_duffel(reissued(moved(OUT, "s3"), later, added=later)) == [
        ("slice_out", "s3"),
        ("slice_new", "s4"),
    ]


def test_the_promised_id_is_the_added_legs_although_that_was_moved_too() -> None:
    later = moved(BACK, "", DAY)
    assert at_duffel(reissued(moved(OUT, "s3"), moved(later, "s4"), added=later)) == [
        ("slice_out", "s3"),
        ("slice_new", "s4"),
    ]


def test_an_added_leg_that_ends_elsewhere_is_the_one_that_is_left() -> None:
    elsewhere = replace(BACK, destination="OPO", supplier_id="s4")
    assert at_duffel(reissued(moved(OUT, "s3"), elsewhere, added=BACK)) == [
        ("slice_out", "s3"),
        ("slice_new", "s4"),
    ]


def test_no_two_legs_bear_one_id_however_the_airline_moved_them() -> None:
    apart = [replace(leg, supplier_id=f"new {leg.origin}", destination="OPO") for leg in (OUT, BACK, OUT)]
    changed = reissued(*apart, added=BACK)
    assert [known.slice_id for known in changed.slices] == ["slice_new", "slice_new01", "slice_new02"]


def test_what_an_airline_moves_and_renames_by_itself_keeps_its_id() -> None:
    elsewhere = replace(moved(BACK, "s4"), origin="SXF")
    flown = TICKETED.flown_as(issued(moved(OUT, "s1"), elsewhere), NOON)
    assert at_duffel(flown) == [("slice_out", "s1"), ("slice_back", "s4")]
    assert [known.leg for known in flown.slices] == [moved(OUT, "s1"), elsewhere]


def test_a_leg_that_an_airline_adds_by_itself_has_an_id_of_its_own() -> None:
    flown = TICKETED.flown_as(issued(named(OUT, "s1"), replace(OUT, origin="OPO"), named(BACK, "s2")), NOON)
    first, between, last = (known.slice_id for known in flown.slices)
    assert (first, last) == ("slice_out", "slice_back")
    assert between.startswith("slice_")
    assert between not in (first, last)


def test_what_an_airline_does_not_tell_any_more_still_holds() -> None:
    silent = replace(issued(named(OUT, "s1"), named(BACK, "s2"), pnr=""), ticket_numbers=())
    assert TICKETED.flown_as(silent, NOON) == TICKETED
    assert TICKETED.flown_as(replace(silent, slices=()), NOON) == TICKETED
    assert TICKETED.flown_as(replace(silent, ticket_numbers=("9993",)), NOON).ticket_numbers == ("9993",)


NOW = datetime(2027, 1, 5, 12, tzinfo=UTC)
FIXED = Conditions(refundable=False, changeable=False, penalty_cents=None)


def leg(name: str, start: str, end: str, hour: int, number: str = "TP1") -> Slice:
    departure = datetime(2027, 2, 3, hour, tzinfo=UTC)
    segment = Segment(start, end, departure, departure + timedelta(hours=2), "TP", "TAP", number, 120)
    return Slice(name, start, end, departure, departure + timedelta(hours=2), 120, (segment,))


AWAY, HOME = leg("s1", "LIS", "BER", 8), leg("s2", "BER", "LIS", 18)
AWAY_LATER, HOME_LATER = leg("s3", "LIS", "BER", 10, "TP9"), leg("s4", "BER", "LIS", 20, "TP8")
KNOWN = (OrderSlice("slice_out", AWAY), OrderSlice("slice_back", HOME))


def order(
    *legs: Slice, changes: tuple[AirlineChange, ...] = (), conditions: Conditions = FIXED
) -> FlightOrder:
    return FlightOrder("ord_1", "PNR123", ("999",), 100, "EUR", legs, conditions, airline_changes=changes)


def listed(name: str, was: Slice, now: Slice, **more: object) -> AirlineChange:
    return replace(AirlineChange(name, (was,), (now,), ("accept", "cancel")), **more)  # type: ignore[arg-type]


def follow(
    told: FlightOrder,
    slices: tuple[OrderSlice, ...] = KNOWN,
    changes: tuple[ScheduleChange, ...] = (),
) -> tuple[tuple[OrderSlice, ...], tuple[ScheduleChange, ...]]:
    return with_what_is_known(slices, changes, told, NOW)


def summary(changes: tuple[ScheduleChange, ...]) -> list[tuple[str, str, list[Slice], list[Slice]]]:
    return [
        (one.supplier_id, one.status, [s.leg for s in one.before], [s.leg for s in one.after])
        for one in changes
    ]


@pytest.mark.parametrize(
    "told",
    [
        order(AWAY, HOME),
        order(replace(AWAY, supplier_id="new"), replace(HOME, supplier_id="names")),
        order(replace(AWAY, duration_minutes=125), HOME),
        order(replace(AWAY, segments=(replaced(AWAY.segments[0], carrier_name="TAP Air"),)), HOME),
        order(),
    ],
    ids=["same", "renamed", "another duration", "another name of the carrier", "no legs told"],
)
def test_what_is_flown_as_before_is_no_change(told: FlightOrder) -> None:
    assert follow(told)[1] == ()


@pytest.mark.parametrize(
    "segment",
    [
        {"departure_at": AWAY.departure_at + timedelta(minutes=5)},
        {"arrival_at": AWAY.arrival_at + timedelta(minutes=5)},
        {"flight_number": "TP2"},
        {"carrier": "LH"},
        {"destination": "SXF"},
    ],
    ids=lambda segment: next(iter(segment)),
)
def test_another_time_number_carrier_or_airport_is_one(segment: dict[str, object]) -> None:
    other = replace(AWAY, segments=(replaced(AWAY.segments[0], **segment),))  # type: ignore[arg-type]
    slices, changes = follow(order(other, HOME))
    assert summary(changes) == [("", "open", [AWAY], [other])]
    assert slices == (OrderSlice("slice_out", other), KNOWN[1])
    assert (changes[0].available_actions, changes[0].detected_at) == (("cancel",), NOW)


@pytest.mark.parametrize("shown", [(AWAY, HOME), (AWAY_LATER, HOME)], ids=["not yet", "at once"])
def test_a_listed_change_is_one_difference_whether_the_order_shows_it_yet_or_not(
    shown: tuple[Slice, ...],
) -> None:
    until = NOW + timedelta(days=3)
    told = order(*shown, changes=(listed("aic_1", AWAY, AWAY_LATER, respond_by=until),))
    slices, changes = follow(told)
    assert summary(changes) == [("aic_1", "open", [AWAY], [AWAY_LATER])]
    assert (changes[0].respond_by, changes[0].available_actions) == (until, ("accept", "cancel"))
    assert [one.slice_id for one in slices] == ["slice_out", "slice_back"]
    assert follow(told, slices, changes) == (slices, changes)
    # … nor is it another one once the order shows it.
    assert follow(order(AWAY_LATER, HOME, changes=told.airline_changes), slices, changes)[1] == changes


def test_two_listed_changes_are_two_differences() -> None:
    told = order(
        AWAY_LATER,
        HOME_LATER,
        changes=(listed("aic_1", AWAY, AWAY_LATER), listed("aic_2", HOME, HOME_LATER)),
    )
    slices, changes = follow(told)
    assert summary(changes) == [
        ("aic_1", "open", [AWAY], [AWAY_LATER]),
        ("aic_2", "open", [HOME], [HOME_LATER]),
    ]
    assert follow(told, slices, changes) == (slices, changes)


def test_two_changes_of_one_leg_between_two_readings_are_two_and_the_later_counts() -> None:
    third = leg("s5", "LIS", "BER", 12, "TP7")
    told = order(AWAY, HOME, changes=(listed("aic_1", AWAY, AWAY_LATER), listed("aic_2", AWAY_LATER, third)))
    slices, changes = follow(told)
    assert summary(changes) == [
        ("aic_1", "superseded", [AWAY], [AWAY_LATER]),
        ("aic_2", "open", [AWAY_LATER], [third]),
    ]
    assert slices[0] == OrderSlice("slice_out", third)
    assert follow(told, slices, changes) == (slices, changes)


def test_what_is_listed_after_the_order_told_of_it_gets_its_name_and_is_not_told_again() -> None:
    slices, changes = follow(order(AWAY_LATER, HOME))
    later = order(AWAY_LATER, HOME, changes=(listed("aic_1", AWAY, AWAY_LATER),))
    again = follow(later, slices, changes)
    assert again[0] == slices
    assert again[1] == (replace(changes[0], supplier_id="aic_1", available_actions=("accept", "cancel")),)
    assert follow(later, *again) == again


@pytest.mark.parametrize(
    ("taken", "status", "accepted_at"),
    [
        ("accepted", "accepted", NOW - timedelta(hours=1)),
        ("changed", "superseded", None),
        ("cancelled", "superseded", None),
    ],
)
def test_what_was_answered_elsewhere_is_over(taken: str, status: str, accepted_at: datetime | None) -> None:
    slices, changes = follow(order(AWAY, HOME, changes=(listed("aic_1", AWAY, AWAY_LATER),)))
    answered = listed("aic_1", AWAY, AWAY_LATER, taken=taken, taken_at=NOW - timedelta(hours=1))
    slices, changes = follow(order(AWAY_LATER, HOME, changes=(answered,)), slices, changes)
    assert [(one.status, one.accepted_at) for one in changes] == [(status, accepted_at)]
    assert slices[0].leg == AWAY_LATER


def test_a_change_that_was_accepted_before_it_was_read_is_told_as_accepted() -> None:
    answered = listed("aic_1", AWAY, AWAY_LATER, taken="accepted")
    _, changes = follow(order(AWAY_LATER, HOME, changes=(answered,)))
    assert [(one.status, one.accepted_at) for one in changes] == [("accepted", NOW)]


def test_a_leg_that_is_flown_no_more_has_nothing_after() -> None:
    slices, changes = follow(order(AWAY))
    assert summary(changes) == [("", "open", [HOME], [])]
    assert [one.slice_id for one in slices] == ["slice_out"]


def test_a_change_of_other_legs_than_the_order_has_brings_nothing() -> None:
    other = leg("s9", "OPO", "FRA", 7)
    assert follow(order(AWAY, HOME, changes=(listed("aic_1", other, AWAY_LATER),)))[1] == ()


@pytest.mark.parametrize(
    ("actions", "shown"),
    [
        (("update", "cancel", "accept"), ("accept", "cancel")),
        (("update",), ("contact_us",)),
        ((), ("contact_us",)),
    ],
)
def test_where_the_airline_takes_nothing_by_call_our_staff_help(
    actions: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    assert offered(actions) == shown
