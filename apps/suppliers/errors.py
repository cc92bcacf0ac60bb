"""The ways in which a supplier call can end without an answer. Adapters raise these and nothing else.

The difference that matters is certainty. After `Rejected`, `Expired`, `PriceChanged`, `Unavailable`, `Missing` and `NotPossible`
certainly nothing was booked, changed or cancelled. After `OutcomeUnknown` it may have been: the operation is looked up by our own
reference, and never repeated blindly.
"""


class SupplierError(Exception):
    """The base of all of them."""


class Expired(SupplierError):
    """The offer has expired, is sold out, or is unknown at the supplier."""


class PriceChanged(SupplierError):
    """The price is another one now; nothing was booked."""

    def __init__(self, current_cents: int) -> None:
        super().__init__(f"now {current_cents}")
        self.current_cents = current_cents


class Rejected(SupplierError):
    """The supplier refused; certainly nothing happened."""


class InvalidField(Rejected):
    """The supplier does not accept, or misses, a field of the partner's request; nothing happened. `field` is its dotted path."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field} {message}")
        self.field = field
        self.message = message


class ServiceGone(Rejected):
    """A bag or a seat that was to be bought is no longer sold; nothing happened. `name` is the caller's for it, "" where the
    supplier does not say which one it is.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(f"{name or 'a service'} is gone")
        self.name = name


class Unavailable(SupplierError):
    """No answer, throttled, or our credentials were refused; certainly nothing happened."""


class Missing(SupplierError):
    """The supplier does not know the object."""


class NotPossible(SupplierError):
    """The object's state does not allow it: not changeable, not cancellable, already cancelled."""


class OutcomeUnknown(SupplierError):
    """The request may have been sent, and no answer came. Only writes end so."""
