"""What one webhook of a supplier tells us: that something we store may have changed."""

from dataclasses import dataclass


class Forged(Exception):
    """The signature, or the shared token, is not the supplier's: 401."""


class Unreadable(ValueError):
    """Signed by the supplier, but not in the form that it documents: 400."""


@dataclass(frozen=True, slots=True)
class Hint:
    """`event_id` is the supplier's own, the same when it sends the event again; where it has none, a digest of the raw body.

    What the event names is filled in; one of these suffices to find the booking. Nothing else of the payload is stored:
    travellers and amounts are read from the supplier, never from here.
    """

    event_id: str
    kind: str
    supplier_reference: str = ""
    """The supplier's name for the booking, as `Booking.supplier_reference` has it."""
    client_ref: str = ""
    """Our own reference, as it went out with the write."""
    offer_id: str = ""
    """The offer that an open booking was made from, as its `supplier_data` has it."""
    object_id: str = ""
    """What the product itself looks up, where its declaration has a `refresh` (an eSIM's ICCID)."""
