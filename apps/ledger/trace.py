"""What a step of money belongs to: written on it, so that every line of a ledger leads to its cause."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """All of it optional: a top-up has no booking, the recovery worker no request."""

    booking_type: str | None = None
    """`hotel`, `flight`, `transfer` or `esim`."""
    booking_reference: str | None = None
    key_id: str | None = None
    request_id: str | None = None
    operation_id: str | None = None
    description: str = ""


NOTHING = Trace()
