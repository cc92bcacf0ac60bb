"""The cause of a step of money. It is stored with the step, so that every line of a ledger leads to what caused it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Every field is optional: a top-up has no booking, and the recovery worker has no request."""

    booking_type: str | None = None
    """`hotel`, `flight`, `transfer` or `esim`."""
    booking_reference: str | None = None
    key_id: str | None = None
    request_id: str | None = None
    operation_id: str | None = None
    description: str = ""


NOTHING = Trace()
