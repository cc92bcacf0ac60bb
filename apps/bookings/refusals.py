"""What a supplier's refusal is called: as an error of /v1 (specification §7), and as a sentence in ledger lines, events and the
portal's timeline.

An operation stores the name of its failure, for us; partners are shown the sentence of that name.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from apps.bookings.models import OperationKind
from apps.common import errors
from apps.common.errors import GatewayError
from apps.suppliers import errors as supplier

# What a booking and a cancellation can be refused with; the products' routes declare these.
OF_BOOKING = (
    errors.InsufficientFunds,
    errors.SpendLimitExceeded,
    errors.PaymentFailed,
    errors.PriceChanged,
    errors.Conflict,
    errors.OfferExpired,
    errors.UpstreamError,
)
OF_CANCELLATION = (errors.NotFound, errors.Conflict, errors.UpstreamError)
OF_QUOTED_CANCELLATION = (*OF_CANCELLATION, errors.OfferExpired)


def as_refusal(error: supplier.SupplierError, *, quoted_cents: int, currency: str) -> errors.GatewayError:
    """The error for what a supplier raised. `quoted_cents` is the previous total in price_changed."""
    match error:
        case supplier.Expired():
            return errors.OfferExpired()
        case supplier.PriceChanged(current_cents=current):
            return errors.PriceChanged(
                previous_total_cents=quoted_cents, current_total_cents=current, currency=currency
            )
        case supplier.Missing():
            return errors.NotFound()
        case supplier.NotPossible():
            return errors.Conflict(str(error) or None)
        case supplier.ServiceGone(name=name):
            return errors.ServiceUnavailable(name)
        case supplier.InvalidField(field=field, message=message):
            return errors.InvalidRequest.field(field, message)
        case supplier.Rejected():
            return errors.UpstreamError()
        case _:
            return errors.UpstreamUnavailable()


@contextmanager
def translated(*, quoted_cents: int = 0, currency: str = "") -> Iterator[None]:
    """For supplier reads (search, re-price, options), which hold no funds: raises the error."""
    try:
        yield
    except supplier.SupplierError as error:
        raise as_refusal(error, quoted_cents=quoted_cents, currency=currency) from error


def refuse_above(max_total_cents: int | None, *, quoted_cents: int, currency: str) -> None:
    """Raises PriceChanged (409) at once when the partner allows less than the quoted price."""
    if max_total_cents is not None and max_total_cents < quoted_cents:
        raise errors.PriceChanged(
            previous_total_cents=quoted_cents, current_total_cents=quoted_cents, currency=currency
        )


def refuse_dearer(current_cents: int, *, quoted_cents: int, max_total_cents: int | None) -> None:
    """Raises the supplier's PriceChanged when the price now is above the quote and above what the partner allows."""
    if current_cents > max(quoted_cents, max_total_cents or 0):
        raise supplier.PriceChanged(current_cents)


NEVER_CALLED = "NeverCalled"
NOT_FOUND = "NotFoundAtSupplier"
CREATION_FAILED = "CreationFailed"
GIVEN_UP = "GivenUpByStaff"
DECLINED = "Declined"
APPROVAL_EXPIRED = "ApprovalExpired"
CANCELLED_WAITING = "CancelledWaiting"

OPERATIONS = {
    OperationKind.BOOK: "Booking",
    OperationKind.CHANGE: "Change of",
    OperationKind.CANCEL: "Cancellation of",
    OperationKind.ACCEPT: "Acceptance of a schedule change of",
    OperationKind.SERVICES: "Bags for",
    OperationKind.PAY: "Payment of",
    OperationKind.CORRECT: "Correction of a name in",
    OperationKind.REFUND: "Refund request of",
}
FAILURES = {
    NEVER_CALLED: "The supplier was never called.",
    NOT_FOUND: "The supplier knows nothing of it.",
    CREATION_FAILED: "The airline did not make the order.",
    GIVEN_UP: "Our staff made sure that the supplier does not have it.",
    DECLINED: "It was not approved.",
    APPROVAL_EXPIRED: "It was not approved in time.",
    CANCELLED_WAITING: "It was cancelled while it awaited approval.",
    "Expired": "The supplier no longer sells it at these terms.",
    "PriceChanged": "The price has changed.",
    "Rejected": "The supplier refused it.",
    "ServiceGone": "The airline no longer sells a bag or seat of it.",
    "InvalidField": "The supplier does not take a field of the request.",
    "Unavailable": "The supplier could not be reached.",
    "Missing": "The supplier does not know it.",
    "NotPossible": "The supplier does not allow it.",
    "OutcomeUnknown": "The supplier did not respond.",
}
"""The names that `fail` stores, beside those of our own refusals (`OWN`)."""
UNKNOWN = "It could not be done."


def operation_in_words(kind: str, reference: str) -> str:
    """`Booking H-7KQ2M9XD`."""
    return f"{OPERATIONS.get(OperationKind(kind), 'Operation on')} {reference}"


def refused_in_words(kind: str, reference: str, failure: str) -> str:
    """`Booking H-7KQ2M9XD did not happen. The supplier refused it.`"""
    return f"{operation_in_words(kind, reference)} did not happen. {failure_in_words(failure)}"


def failure_in_words(failure: str) -> str:
    """The sentence of a stored failure, old or new."""
    return FAILURES.get(failure) or OWN.get(failure) or UNKNOWN


def failure_named(error: Exception) -> str:
    """The name to store: the error's own, or that of the nearest class that has a sentence."""
    names = [kind.__name__ for kind in type(error).__mro__]
    return next((name for name in names if name in FAILURES or name in OWN), names[0])


OWN = {kind.__name__: kind.default_message for kind in GatewayError.__subclasses__()}
"""Our own refusals (the funds do not suffice, a penalty is above its limit), in the words of the API."""
