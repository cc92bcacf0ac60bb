"""The wire errors for the ways in which a supplier call can end (specification §7)."""

from collections.abc import Iterator
from contextlib import contextmanager

from apps.common import errors
from apps.suppliers import errors as supplier

# What a booking and a cancellation can be refused with; the products' routes declare these.
OF_BOOKING = (
    errors.InsufficientFunds,
    errors.PaymentFailed,
    errors.PriceChanged,
    errors.Conflict,
    errors.OfferExpired,
    errors.UpstreamError,
)
OF_CANCELLATION = (errors.NotFound, errors.Conflict, errors.UpstreamError)


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
