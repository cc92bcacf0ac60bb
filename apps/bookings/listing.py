"""What the products' listings share: parameters, filters, pages (contract §1)."""

from collections.abc import Callable

from django.db.models import QuerySet

from apps.bookings import updated_since
from apps.bookings.models import Booking
from apps.bookings.selectors import filtered
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.pagination import ANY_TEXT, ANY_TEXT_SCHEMA, PAGE_PARAMETERS, page, read_filters
from apps.gateway.routes import QueryParameter


def list_parameters(statuses: tuple[str, ...]) -> tuple[QueryParameter, ...]:
    """`limit`, `cursor`, `externalReference`, `status` and `updatedSince`."""
    return (
        *PAGE_PARAMETERS,
        QueryParameter(
            "externalReference",
            ANY_TEXT_SCHEMA,
            "Only bookings with this reference of your own, spelled exactly.",
        ),
        QueryParameter(
            "status", {"type": "string", "enum": list(statuses)}, "Only bookings that have this status now."
        ),
        updated_since.PARAMETER,
    )


def listed(
    call: Call,
    product: str,
    present: Callable[[Booking], object],
    *,
    listing: str,
    statuses: tuple[str, ...],
    among: Callable[[QuerySet[Booking]], QuerySet[Booking]] = lambda bookings: bookings,
) -> Answer:
    """One page of the partner's bookings of a product, newest first, or with `updatedSince` in the order in which they changed.

    `among` leaves out what is no record of this listing.
    """
    filters = read_filters(call, {"externalReference": ANY_TEXT, "status": statuses})
    rows = among(filtered(call.partner, product, filters))
    since = updated_since.read_since(call)
    if since is not None:
        shown, cursor = updated_since.page_of_updates(call, rows, since, listing=listing, filters=filters)
        return Answer(
            {
                "data": [present(booking) for booking in shown],
                "hasMore": cursor is not None,
                "nextCursor": cursor,
            }
        )
    return Answer(page(call, rows, present, listing=listing, filters=filters))
