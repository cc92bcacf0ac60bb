"""An order's own part of its booking: the ids by which partners know its legs, through every reissue."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from apps.bookings.models import Booking
from apps.flights.details import OrderChange, OrderDetails
from apps.flights.itinerary import OrderSlice
from apps.flights.suppliers.base import Baggage, Conditions, FlightOrder, Passenger, Slice
from apps.suppliers.values import to_json

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
