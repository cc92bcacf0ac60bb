"""What partners read of an operation: in ledger lines, in events and in the portal's timeline. One place, plain sentences.

An operation stores the name of its failure, for us; partners are shown the sentence of that name.
"""

from apps.bookings.models import OperationKind
from apps.common.errors import GatewayError

NEVER_CALLED = "NeverCalled"
NOT_FOUND = "NotFoundAtSupplier"
CREATION_FAILED = "CreationFailed"
GIVEN_UP = "GivenUpByStaff"

OPERATIONS = {
    OperationKind.BOOK: "Booking",
    OperationKind.CHANGE: "Change of",
    OperationKind.CANCEL: "Cancellation of",
    OperationKind.ACCEPT: "Acceptance of a schedule change of",
}
FAILURES = {
    NEVER_CALLED: "The supplier was never asked.",
    NOT_FOUND: "The supplier knows nothing of it.",
    CREATION_FAILED: "The airline did not make the order.",
    GIVEN_UP: "Our staff made sure that the supplier does not have it.",
    "Expired": "The supplier no longer sells it at these terms.",
    "PriceChanged": "The price has changed.",
    "Rejected": "The supplier refused it.",
    "InvalidField": "The supplier does not take a field of the request.",
    "Unavailable": "The supplier could not be reached.",
    "Missing": "The supplier does not know it.",
    "NotPossible": "The supplier does not allow it.",
    "OutcomeUnknown": "The supplier did not answer.",
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
