"""POST /v1/flights/orders/{id}/change-options: priced alternatives to one leg. Nothing is reissued and no money moves."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from django.conf import settings

from apps.bookings.flow.settle import poll_soon
from apps.bookings.models import Booking
from apps.bookings.refusals import translated
from apps.bookings.trade_rules import partner_difference, quoted_until
from apps.common.errors import Conflict, InvalidRequest
from apps.common.ids import new_id
from apps.flights.details import OrderDetails
from apps.flights.models import FlightChangeSearch
from apps.flights.rules import flown
from apps.flights.suppliers.base import ChangeOption, ChangeSearch, FlightSupplier
from apps.flights.suppliers.registry import flight_supplier
from apps.gateway.requests import Caller
from apps.suppliers.errors import Missing
from apps.suppliers.http import all_within
from apps.suppliers.results import Found, Withheld
from apps.suppliers.values import to_json

MOST_OPTIONS = 1_024
"""As many as a handle can number. The adapters give the cheapest first."""


@dataclass(frozen=True, slots=True)
class FoundOptions:
    """The options, and how many more the airline named. `out_of_order`: those that overlap another leg."""

    search: FlightChangeSearch
    options: list[ChangeOption]
    withheld: Withheld
    out_of_order: int


def find_change_options(
    *,
    caller: Caller,
    booking: Booking,
    remove_slice_id: str,
    origin: str,
    destination: str,
    departure_date: date,
) -> FoundOptions:
    """Raises InvalidRequest for a slice that is not on the order, and for a route or a day that does not fit its place. Raises
    Conflict for an order that is not ticketed or that its airline does not change, and for a slice that has departed or that the
    airline has replaced.
    """
    refuse_unless_ticketed(booking)
    details, now = OrderDetails.of(booking), booking.now()
    gap = details.gap(remove_slice_id)
    if gap is None:
        raise InvalidRequest.field("removeSliceId", "is not a slice of this order")
    gap.refuse_flown(now)
    gap.refuse_other_route(origin, destination)
    gap.refuse_other_day(origin, destination, departure_date)
    gap.refuse_other_ages(details.passengers, departure_date)
    gap.refuse_expired_documents(details.passengers, departure_date)
    request = ChangeSearch(
        supplier_reference=booking.supplier_reference,
        remove_slice=gap.removed.supplier_id,
        origin=origin,
        destination=destination,
        departure_date=departure_date,
    )
    with translated(), all_within(settings.SUPPLIER_CALL_SECONDS):
        supplier = flight_supplier(
            booking.environment, caller.trigger.at_supplier(), booking.exchange, named=booking.supplier_name
        )
        offered = offered_by(supplier, request, booking)
    lives_until = now + timedelta(minutes=settings.OFFER_MINUTES)
    priced = [
        quoted(booking, option, lives_until) for option in offered if option.currency == booking.currency
    ]
    withheld = offered.withheld + Withheld(unsupported=len(offered) - len(priced))
    sold = Found(priced, withheld).still_sold(
        lambda option: option.expires_at is not None and option.expires_at <= now
    )
    fitting = [option for option in sold if gap.takes(option.slice)]
    options = fitting[:MOST_OPTIONS]
    search = FlightChangeSearch.objects.create(
        id=new_id("fcs"),
        booking=booking,
        slice_id=remove_slice_id,
        options=to_json(options),
        created_at=now,
        expires_at=lives_until,
    )
    return FoundOptions(search, options, sold.withheld, len(sold) - len(fitting))


def quoted(booking: Booking, option: ChangeOption, lives_until: datetime) -> ChangeOption:
    """The option at its price for the partner, until its flight leaves at the latest."""
    ends = quoted_until(option.expires_at, lives_until, flown([option.slice]))
    return replace(as_charged(booking, option), expires_at=ends)


def offered_by(supplier: FlightSupplier, request: ChangeSearch, booking: Booking) -> Found[ChangeOption]:
    """What the airline offers. Where it has moved the order to other flights since the last poll, the order is polled soon."""
    try:
        return supplier.change_options(request)
    except Missing as error:
        poll_soon(booking)
        raise Conflict(
            "The airline has changed this order, which no longer has this slice there. We are reading it again: "
            "read the order in a minute and choose among its slices.",
            ours=True,
        ) from error


def as_charged(booking: Booking, option: ChangeOption) -> ChangeOption:
    """The option at what the partner pays now, with the total that the order will have (`ChangeFlight.outcome`). The airline's
    own total may leave out the fee of the change, or count more than the partner paid.
    """
    service = flown(known.leg for known in OrderDetails.of(booking).slices)
    difference = partner_difference(service, booking.now(), option.difference_cents)
    return replace(
        option, difference_cents=difference, new_total_cents=max(0, booking.total_cents + difference)
    )


def refuse_unless_ticketed(booking: Booking) -> None:
    """Raises Conflict (409). Whether the order may be changed is asked of its airline: the stored terms may be older."""
    if booking.status == Booking.ON_HOLD:
        raise Conflict("The order is on hold: pay it first, or cancel it and order another.", ours=True)
    if booking.status != "ticketed":
        raise Conflict(f"The order is {booking.status}, not ticketed.", ours=True)
