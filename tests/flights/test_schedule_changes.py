"""What is a difference, which change it belongs to, and how a change ends."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from apps.flights.itinerary import OrderSlice, ScheduleChange, offered, with_what_is_known
from apps.flights.suppliers.base import AirlineChange, Conditions, FlightOrder, Segment, Slice

NOW = datetime(2027, 1, 5, 12, tzinfo=UTC)
FIXED = Conditions(refundable=False, changeable=False, penalty_cents=None)


def leg(name: str, start: str, end: str, hour: int, number: str = "TP1") -> Slice:
    departure = datetime(2027, 2, 3, hour, tzinfo=UTC)
    segment = Segment(start, end, departure, departure + timedelta(hours=2), "TP", "TAP", number, 120)
    return Slice(name, start, end, departure, departure + timedelta(hours=2), 120, (segment,))


OUT, BACK = leg("s1", "LIS", "BER", 8), leg("s2", "BER", "LIS", 18)
OUT_LATER, BACK_LATER = leg("s3", "LIS", "BER", 10, "TP9"), leg("s4", "BER", "LIS", 20, "TP8")
KNOWN = (OrderSlice("slice_out", OUT), OrderSlice("slice_back", BACK))


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
        order(OUT, BACK),
        order(replace(OUT, supplier_id="new"), replace(BACK, supplier_id="names")),
        order(replace(OUT, duration_minutes=125), BACK),
        order(replace(OUT, segments=(replace(OUT.segments[0], carrier_name="TAP Air"),)), BACK),
        order(),
    ],
    ids=["same", "renamed", "another duration", "another name of the carrier", "no legs told"],
)
def test_what_is_flown_as_before_is_no_change(told: FlightOrder) -> None:
    assert follow(told)[1] == ()


@pytest.mark.parametrize(
    "segment",
    [
        {"departure_at": OUT.departure_at + timedelta(minutes=5)},
        {"arrival_at": OUT.arrival_at + timedelta(minutes=5)},
        {"flight_number": "TP2"},
        {"carrier": "LH"},
        {"destination": "SXF"},
    ],
    ids=lambda segment: next(iter(segment)),
)
def test_another_time_number_carrier_or_airport_is_one(segment: dict[str, object]) -> None:
    other = replace(OUT, segments=(replace(OUT.segments[0], **segment),))  # type: ignore[arg-type]
    slices, changes = follow(order(other, BACK))
    assert summary(changes) == [("", "open", [OUT], [other])]
    assert slices == (OrderSlice("slice_out", other), KNOWN[1])
    assert (changes[0].available_actions, changes[0].detected_at) == (("cancel",), NOW)


@pytest.mark.parametrize("shown", [(OUT, BACK), (OUT_LATER, BACK)], ids=["not yet", "at once"])
def test_a_listed_change_is_one_difference_whether_the_order_shows_it_yet_or_not(
    shown: tuple[Slice, ...],
) -> None:
    until = NOW + timedelta(days=3)
    told = order(*shown, changes=(listed("aic_1", OUT, OUT_LATER, respond_by=until),))
    slices, changes = follow(told)
    assert summary(changes) == [("aic_1", "open", [OUT], [OUT_LATER])]
    assert (changes[0].respond_by, changes[0].available_actions) == (until, ("accept", "cancel"))
    assert [one.slice_id for one in slices] == ["slice_out", "slice_back"]
    assert follow(told, slices, changes) == (slices, changes)
    # … nor is it another one once the order shows it.
    assert follow(order(OUT_LATER, BACK, changes=told.airline_changes), slices, changes)[1] == changes


def test_two_listed_changes_are_two_differences() -> None:
    told = order(
        OUT_LATER,
        BACK_LATER,
        changes=(listed("aic_1", OUT, OUT_LATER), listed("aic_2", BACK, BACK_LATER)),
    )
    slices, changes = follow(told)
    assert summary(changes) == [
        ("aic_1", "open", [OUT], [OUT_LATER]),
        ("aic_2", "open", [BACK], [BACK_LATER]),
    ]
    assert follow(told, slices, changes) == (slices, changes)


def test_two_changes_of_one_leg_between_two_readings_are_two_and_the_later_counts() -> None:
    third = leg("s5", "LIS", "BER", 12, "TP7")
    told = order(OUT, BACK, changes=(listed("aic_1", OUT, OUT_LATER), listed("aic_2", OUT_LATER, third)))
    slices, changes = follow(told)
    assert summary(changes) == [
        ("aic_1", "superseded", [OUT], [OUT_LATER]),
        ("aic_2", "open", [OUT_LATER], [third]),
    ]
    assert slices[0] == OrderSlice("slice_out", third)
    assert follow(told, slices, changes) == (slices, changes)


def test_what_is_listed_after_the_order_told_of_it_gets_its_name_and_is_not_told_again() -> None:
    slices, changes = follow(order(OUT_LATER, BACK))
    later = order(OUT_LATER, BACK, changes=(listed("aic_1", OUT, OUT_LATER),))
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
    slices, changes = follow(order(OUT, BACK, changes=(listed("aic_1", OUT, OUT_LATER),)))
    answered = listed("aic_1", OUT, OUT_LATER, taken=taken, taken_at=NOW - timedelta(hours=1))
    slices, changes = follow(order(OUT_LATER, BACK, changes=(answered,)), slices, changes)
    assert [(one.status, one.accepted_at) for one in changes] == [(status, accepted_at)]
    assert slices[0].leg == OUT_LATER


def test_a_change_that_was_accepted_before_it_was_read_is_told_as_accepted() -> None:
    answered = listed("aic_1", OUT, OUT_LATER, taken="accepted")
    _, changes = follow(order(OUT_LATER, BACK, changes=(answered,)))
    assert [(one.status, one.accepted_at) for one in changes] == [("accepted", NOW)]


def test_a_leg_that_is_flown_no_more_has_nothing_after() -> None:
    slices, changes = follow(order(OUT))
    assert summary(changes) == [("", "open", [BACK], [])]
    assert [one.slice_id for one in slices] == ["slice_out"]


def test_a_change_of_other_legs_than_the_order_has_brings_nothing() -> None:
    other = leg("s9", "OPO", "FRA", 7)
    assert follow(order(OUT, BACK, changes=(listed("aic_1", other, OUT_LATER),)))[1] == ()


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
