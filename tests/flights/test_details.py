"""An order's own part of its booking: the ids by which partners know its legs, through every reissue."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from apps.bookings.models import Booking
from apps.flights.details import OrderChange, OrderDetails, OrderSlice
from apps.flights.suppliers.base import Conditions, FlightOrder, Passenger, Slice
from apps.suppliers.codec import to_json

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


def test_what_rests_in_the_booking_is_read_as_it_was() -> None:
    change = OrderChange("change_1", -5, "EUR", True, datetime(2027, 1, 2, tzinfo=UTC), NOON)
    details = replace(BEGUN, pnr="ABC234", ticket_numbers=("9991", "9992"), changes=(change,))
    assert OrderDetails.of(Booking(details=to_json(details))) == details
    assert OrderDetails.of(Booking(details=to_json(BEGUN))) == BEGUN


def test_the_first_issue_names_the_legs_in_the_order_of_the_offer() -> None:
    order = issued(named(OUT, "s1"), named(BACK, "s2"), conditions=STRICT)
    ticketed = BEGUN.ticketed(order)
    assert ticketed == replace(
        BEGUN,
        pnr="ABC234",
        ticket_numbers=("9991",),
        conditions=STRICT,
        slices=(OrderSlice("slice_out", named(OUT, "s1")), OrderSlice("slice_back", named(BACK, "s2"))),
    )


def test_a_reissue_renames_the_changed_leg_alone() -> None:
    ticketed = BEGUN.ticketed(issued(named(OUT, "s1"), named(BACK, "s2")))
    new_back = replace(named(BACK, "s3"), duration_minutes=300)
    reissued = ticketed.ticketed(issued(named(OUT, "s1"), new_back), new_slice_id="slice_new", added=BACK)
    assert reissued.slices == (OrderSlice("slice_out", named(OUT, "s1")), OrderSlice("slice_new", new_back))
    assert reissued.changes == ()


def test_legs_keep_their_ids_in_whatever_order_an_airline_tells_them() -> None:
    ticketed = BEGUN.ticketed(issued(named(OUT, "s1"), named(BACK, "s2")))
    turned = ticketed.ticketed(issued(named(BACK, "s2"), named(OUT, "s1")))
    assert [known.slice_id for known in turned.slices] == ["slice_back", "slice_out"]


def test_a_reissue_that_renames_every_leg_at_the_airline_renames_the_changed_one_alone() -> None:
    """Or two legs would bear one id, and the next change would remove the wrong one."""
    ticketed = BEGUN.ticketed(issued(named(OUT, "s1"), named(BACK, "s2")))
    later = replace(BACK, departure_at=NOON + timedelta(days=1))
    reissued = ticketed.ticketed(
        issued(named(OUT, "s3"), named(later, "s4")), new_slice_id="slice_new", added=later
    )
    assert reissued.slices == (
        OrderSlice("slice_out", named(OUT, "s3")),
        OrderSlice("slice_new", named(later, "s4")),
    )


def test_no_two_legs_bear_one_id_however_the_airline_moved_them() -> None:
    ticketed = BEGUN.ticketed(issued(named(OUT, "s1"), named(BACK, "s2")))
    moved = [
        replace(leg, supplier_id=f"new {leg.origin}", departure_at=NOON + timedelta(days=1))
        for leg in (OUT, BACK)
    ]
    reissued = ticketed.ticketed(issued(*moved), new_slice_id="slice_new")
    assert [known.slice_id for known in reissued.slices] == ["slice_new", "slice_new01"]
