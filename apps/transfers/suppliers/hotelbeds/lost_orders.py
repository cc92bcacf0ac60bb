"""An order whose answer was lost: nothing can be asked for by our reference, so the orders of those days are gone through."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from apps.common import clock
from apps.suppliers.alerts import alert
from apps.suppliers.errors import Missing, Rejected, Unavailable
from apps.transfers.suppliers.base import OrderRequest
from apps.transfers.suppliers.hotelbeds.client import NAME, HotelbedsClient
from apps.transfers.suppliers.hotelbeds.offers import told
from apps.transfers.suppliers.hotelbeds.points import ends_of, is_point
from apps.transfers.suppliers.hotelbeds.reading import items, part, text

CREATED, SERVICE = "CREATION_DATE", "FROM_DATE"
DAY = timedelta(days=1)
PAGE = 100
MOST_PAGES = 200

Booking = dict[str, Any]


def find_lost(client: HotelbedsClient, client_ref: str, request: OrderRequest) -> Booking | None:
    """The booking in full. Raises Unavailable while it cannot be told which one it is."""
    found = (find_among(listed, client, client_ref, request) for listed in lists_around(client, request))
    return next((booking for booking in found if booking is not None), None)


def find_among(
    listed: list[Booking], client: HotelbedsClient, client_ref: str, request: OrderRequest
) -> Booking | None:
    named = [one for one in listed if is_named(one, client_ref)]
    if len(named) > 1:
        alert(
            NAME, "duplicate_reference", f"{client_ref}: {', '.join(text(one, 'reference') for one in named)}"
        )
    if named:
        return client.detail(text(min(named, key=is_cancelled), "reference"))
    alike = [one for one in listed if not text(one, "clientReference") and is_alike(one, request)]
    return the_one(
        client, client_ref, request, [one for one in alike if text(one, "reference") not in request.others]
    )


def the_one(
    client: HotelbedsClient, client_ref: str, request: OrderRequest, candidates: list[Booking]
) -> Booking | None:
    """The list may not repeat our reference. The detail may; and it has the rate key, which nobody else was given."""
    possible = []
    for candidate in candidates:
        booking = client.detail(text(candidate, "reference"))
        if is_named(booking, client_ref) or told(request.offer, "rateKey") in _rate_keys(booking):
            return booking
        if not text(booking, "clientReference") and not _rate_keys(booking):
            possible.append(booking)
    if len(possible) > 1:
        raise Unavailable("Hotelbeds: several orders are alike")
    return possible[0] if possible else None


def lists_around(client: HotelbedsClient, request: OrderRequest) -> Iterator[list[Booking]]:
    """By the day of creation, from the day before the call to the day after; then by the day of the ride.

    What they call the first is not documented: it may be refused, or, taken for the second, find nothing that is there.
    """
    sent = (request.sent_at or clock.now()).astimezone(UTC).date()
    try:
        created = all_pages(client, CREATED, sent)
    except (Rejected, Missing):
        created = []
    yield created
    yield all_pages(client, SERVICE, request.search.outbound.date())


def all_pages(client: HotelbedsClient, date_type: str, day: date) -> list[Booking]:
    """Each booking once: where counting begins with 1, the next page repeats the last one of this."""
    found: dict[str, Booking] = {}
    for number in range(MOST_PAGES):
        page = client.page(
            date_type=date_type,
            first=day - DAY,
            last=day + DAY,
            offset=len(found) if number else None,
            limit=PAGE,
        )
        fresh = {text(one, "reference"): one for one in page if text(one, "reference") not in found}
        if not fresh:
            return list(found.values())
        found.update(fresh)
    raise Unavailable("Hotelbeds: more orders than can be gone through")


def is_named(booking: Mapping[str, Any], client_ref: str) -> bool:
    """Lists write references in capitals, whatever was sent."""
    return text(booking, "clientReference").upper() == client_ref.upper()


def is_cancelled(booking: Mapping[str, Any]) -> bool:
    return text(booking, "status") == "CANCELLED"


def is_alike(booking: Booking, request: OrderRequest) -> bool:
    """The same holder, the same day and the same two ends."""
    lead, holder = request.lead_passenger, part(booking, "holder")
    told_names = [text(holder, name).strip().casefold() for name in ("name", "surname")]
    if told_names != [lead.first_name.casefold(), lead.last_name.casefold()]:
        return False
    if text(holder, "email") and text(holder, "email").casefold() != lead.email.casefold():
        return False
    start, end = ends_of(request.search)
    rides = [part(transfer, "pickupInformation") for transfer in items(booking, "transfers")]
    return any(
        is_point(ride.get("from"), start)
        and is_point(ride.get("to"), end)
        and _on_the_day(ride, request.search.outbound)
        for ride in rides
    )


def _on_the_day(ride: Any, outbound: datetime) -> bool:
    """Towards an airport one may be picked up on the day before the flight."""
    try:
        day = date.fromisoformat(text(ride, "date"))
    except ValueError:
        return False
    return outbound.date() - DAY <= day <= outbound.date()


def _rate_keys(booking: Booking) -> list[str]:
    return [key for transfer in items(booking, "transfers") if (key := text(transfer, "rateKey"))]
