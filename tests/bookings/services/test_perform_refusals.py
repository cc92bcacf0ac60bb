"""What a refusal of the supplier means for each kind of operation."""

import pytest

from apps.bookings.flow.call import NO_LONGER_SOLD, refusal
from apps.bookings.models import Booking, Operation
from apps.common import errors
from apps.suppliers import errors as supplier_errors


@pytest.mark.parametrize(
    ("error", "product", "kind", "refused", "said"),
    [
        (
            supplier_errors.Expired(),
            "flight",
            "book",
            errors.OfferExpired,
            errors.OfferExpired.default_message,
        ),
        (
            supplier_errors.Missing(),
            "hotel",
            "book",
            errors.OfferExpired,
            errors.OfferExpired.default_message,
        ),
        (supplier_errors.Expired(), "esim", "book", errors.OfferExpired, NO_LONGER_SOLD),
        (
            supplier_errors.Expired(),
            "flight",
            "change",
            errors.OfferExpired,
            errors.OfferExpired.of_change_message,
        ),
        (
            supplier_errors.Expired(),
            "flight",
            "accept",
            errors.OfferExpired,
            errors.OfferExpired.default_message,
        ),
        (supplier_errors.Missing(), "flight", "change", errors.NotFound, errors.NotFound.default_message),
        (
            supplier_errors.Expired(),
            "flight",
            "cancel",
            errors.UpstreamError,
            errors.UpstreamError.default_message,
        ),
        (supplier_errors.NotPossible("Too late."), "flight", "cancel", errors.Conflict, "Too late."),
        (errors.Conflict("A check of ours."), "flight", "cancel", errors.Conflict, "A check of ours."),
    ],
)
def test_a_refusal_is_told_as_what_it_means_for_the_operation(
    error: Exception, product: str, kind: str, refused: type[errors.GatewayError], said: str
) -> None:
    operation = Operation(
        kind=kind, booking=Booking(product=product, total_cents=1_000, currency="EUR"), request={}
    )
    told = refusal(error, operation)
    assert (type(told), told.message) == (refused, said)


@pytest.mark.parametrize(("request_", "quoted"), [({}, 1_000), ({"quotedTotalCents": 1_300}, 1_300)])
def test_a_new_price_is_told_beside_the_total_that_was_told_last(
    request_: dict[str, int], quoted: int
) -> None:
    booking = Booking(product="flight", total_cents=1_000, currency="EUR")
    told = refusal(
        supplier_errors.PriceChanged(1_500), Operation(kind="change", booking=booking, request=request_)
    )
    assert told.extras == {"previousTotalCents": quoted, "currentTotalCents": 1_500, "currency": "EUR"}


def test_words_of_ours_may_be_kept_in_the_request_log() -> None:
    operation = Operation(kind="book", booking=Booking(product="esim", total_cents=1, currency="EUR"))
    assert refusal(supplier_errors.Missing(), operation).own_texts == {NO_LONGER_SOLD}
