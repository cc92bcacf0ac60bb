"""What a supplier's answer is called on the wire, and which prices are refused."""

import pytest

from apps.bookings.refusals import as_refusal, refuse_above, refuse_dearer, translated
from apps.common import errors
from apps.suppliers import errors as supplier


@pytest.mark.parametrize(
    ("error", "refusal"),
    [
        (supplier.Expired(), errors.OfferExpired),
        (supplier.PriceChanged(1_200), errors.PriceChanged),
        (supplier.Missing(), errors.NotFound),
        (supplier.NotPossible(), errors.Conflict),
        (supplier.InvalidField("phone", "is not a number"), errors.InvalidRequest),
        (supplier.Rejected(), errors.UpstreamError),
        (supplier.Unavailable(), errors.UpstreamUnavailable),
        (supplier.OutcomeUnknown(), errors.UpstreamUnavailable),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_each_end_of_a_call_has_its_name(
    error: supplier.SupplierError, refusal: type[errors.GatewayError]
) -> None:
    assert type(as_refusal(error, quoted_cents=1_000, currency="EUR")) is refusal
    with pytest.raises(refusal) as raised, translated(quoted_cents=1_000, currency="EUR"):
        raise error
    assert raised.value.__cause__ is error


def test_a_price_that_changed_is_told_beside_the_one_quoted() -> None:
    refusal = as_refusal(supplier.PriceChanged(1_200), quoted_cents=1_000, currency="EUR")
    assert refusal.extras == {"previousTotalCents": 1_000, "currentTotalCents": 1_200, "currency": "EUR"}


def test_a_price_that_changes_where_none_was_quoted_is_told_beside_nothing() -> None:
    with pytest.raises(errors.PriceChanged) as raised, translated():
        raise supplier.PriceChanged(1_200)
    assert raised.value.extras == {"previousTotalCents": 0, "currentTotalCents": 1_200, "currency": ""}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The fare cannot be changed.", "The fare cannot be changed."),
        ("", errors.Conflict.default_message),
    ],
)
def test_what_is_not_possible_is_told_in_the_suppliers_words_where_it_has_some(said: str, told: str) -> None:
    refusal = as_refusal(supplier.NotPossible(said), quoted_cents=0, currency="EUR")
    assert refusal.message == told


@pytest.mark.parametrize(("allowed", "refused"), [(None, False), (999, True), (1_000, False), (0, True)])
def test_a_quote_above_what_the_partner_allows_is_refused_at_once(allowed: int | None, refused: bool) -> None:
    if not refused:
        refuse_above(allowed, quoted_cents=1_000, currency="EUR")
        return
    with pytest.raises(errors.PriceChanged) as raised:
        refuse_above(allowed, quoted_cents=1_000, currency="EUR")
    assert raised.value.extras == {"previousTotalCents": 1_000, "currentTotalCents": 1_000, "currency": "EUR"}


@pytest.mark.parametrize(
    ("now", "allowed", "refused"),
    [
        (999, None, False),
        (1_000, None, False),
        (1_001, None, True),
        (1_001, 1_001, False),
        (1_002, 1_001, True),
        (1_000, 5, False),
    ],
)
def test_a_price_above_both_the_quote_and_the_partners_limit_is_refused(
    now: int, allowed: int | None, refused: bool
) -> None:
    if not refused:
        refuse_dearer(now, quoted_cents=1_000, max_total_cents=allowed)
        return
    with pytest.raises(supplier.PriceChanged) as raised:
        refuse_dearer(now, quoted_cents=1_000, max_total_cents=allowed)
    assert raised.value.current_cents == now


def test_what_was_quoted_as_free_is_refused_at_a_cent() -> None:
    refuse_dearer(0, quoted_cents=0, max_total_cents=None)
    with pytest.raises(supplier.PriceChanged):
        refuse_dearer(1, quoted_cents=0, max_total_cents=None)
