"""How a supplier call can end other than well. Adapters raise these and nothing else.

The difference that matters is certainty: after `Rejected`, `Expired`, `PriceChanged`, `Unavailable`,
`Missing` and `NotPossible` certainly nothing was booked, changed or cancelled. After `OutcomeUnknown` it may
have been: the operation is looked up by our own reference and never repeated blindly.
"""


class SupplierError(Exception):
    """The base of every end of a supplier call that is not an answer."""


class Expired(SupplierError):
    """The handle is stale, sold out or unknown at the supplier."""


class PriceChanged(SupplierError):
    """The supplier asks another price now; nothing was booked."""

    def __init__(self, current_cents: int) -> None:
        super().__init__(f"now {current_cents}")
        self.current_cents = current_cents


class Rejected(SupplierError):
    """The supplier said no; certainly nothing happened."""


class InvalidField(Rejected):
    """This supplier does not take, or lacks, a field of the partner's request; nothing happened. `field` is its dotted path."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field} {message}")
        self.field = field
        self.message = message


class Unavailable(SupplierError):
    """No answer, throttled, or our credentials refused; certainly nothing happened."""


class Missing(SupplierError):
    """The supplier does not know the object."""


class NotPossible(SupplierError):
    """The object's state does not allow it: not changeable, not cancellable, already cancelled."""


class OutcomeUnknown(SupplierError):
    """The request may have left us and the answer did not arrive. Only writes end so."""
