"""POST /v1/flights/orders/{id}/change-options: priced alternatives to one leg. Nothing is reissued and no money moves."""

from dataclasses import replace
from datetime import date, timedelta

from django.conf import settings

from apps.bookings.models import Booking
from apps.bookings.refusals import translated
from apps.bookings.services.settle import poll_soon
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from apps.common.ids import new_id
from apps.flights.details import OrderDetails
from apps.flights.models import FlightChangeSearch
from apps.flights.services.search import earliest
from apps.flights.suppliers.base import ChangeOption, ChangeSearch, FlightSupplier
from apps.flights.suppliers.registry import flight_supplier
from apps.gateway.call import Caller
from apps.suppliers.codec import to_json
from apps.suppliers.errors import Missing
from apps.suppliers.http import all_within

MOST_OPTIONS = 1_024
"""As many as a handle can number. The adapters give the cheapest first."""


def find_change_options(
    *,
    caller: Caller,
    booking: Booking,
    remove_slice_id: str,
    origin: str,
    destination: str,
    departure_date: date,
) -> tuple[FlightChangeSearch, list[ChangeOption]]:
    """Raises InvalidRequest for a slice that is not on the order. Raises Conflict for an order that is not ticketed or not
    changeable, or whose slice the airline has replaced.
    """
    refuse_unless_changeable(booking)
    removed = {known.slice_id: known.leg for known in OrderDetails.of(booking).slices}.get(remove_slice_id)
    if removed is None:
        raise InvalidRequest.field("removeSliceId", "is not a slice of this order")
    request = ChangeSearch(
        supplier_reference=booking.supplier_reference,
        remove_slice=removed.supplier_id,
        origin=origin,
        destination=destination,
        departure_date=departure_date,
    )
    with translated(), all_within(settings.SUPPLIER_CALL_SECONDS):
        supplier = flight_supplier(
            booking.environment, caller.trigger.at_supplier(), booking.exchange, named=booking.supplier_name
        )
        options = priced(supplier, request, booking)[:MOST_OPTIONS]
    now = clock.now(caller.partner)
    lives_until = now + timedelta(minutes=settings.OFFER_MINUTES)
    options = [
        replace(with_new_total(booking, option), expires_at=earliest(option.expires_at, lives_until))
        for option in options
    ]
    search = FlightChangeSearch.objects.create(
        id=new_id("fcs"),
        booking=booking,
        slice_id=remove_slice_id,
        options=to_json(options),
        created_at=now,
        expires_at=lives_until,
    )
    return search, options


def priced(supplier: FlightSupplier, request: ChangeSearch, booking: Booking) -> list[ChangeOption]:
    """What the airline offers in the order's currency. Where it has moved the order to other flights since the last poll, the
    order is polled soon.
    """
    try:
        return [one for one in supplier.change_options(request) if one.currency == booking.currency]
    except Missing as error:
        poll_soon(booking)
        raise Conflict(
            "The airline has changed this order, which no longer has this slice there. We are reading it anew: "
            "read the order in a minute and choose among its slices.",
            ours=True,
        ) from error


def with_new_total(booking: Booking, option: ChangeOption) -> ChangeOption:
    """The option with the total that the order will have (`ChangeFlight.outcome`). The airline's own total may leave out the fee
    of the change, or count more than the partner paid.
    """
    return replace(option, new_total_cents=max(0, booking.total_cents + option.difference_cents))


def refuse_unless_changeable(booking: Booking) -> None:
    """Raises Conflict (409) unless the order is ticketed with a fare that may be changed."""
    if booking.status != "ticketed":
        raise Conflict(f"The order is {booking.status}, not ticketed.", ours=True)
    if not OrderDetails.of(booking).conditions.changeable:
        raise Conflict("The fare of this order cannot be changed.", ours=True)
