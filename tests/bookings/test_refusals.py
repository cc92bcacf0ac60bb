"""What a supplier's answer is called on the wire, and which prices are refused."""

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module

import pytest

from apps.bookings.refusals import (
    FAILURES,
    OWN,
    UNKNOWN,
    as_refusal,
    failure_in_words,
    failure_named,
    refuse_above,
    refuse_dearer,
    translated,
)
from apps.common import errors
from apps.common.errors import GatewayError
from apps.suppliers import errors as supplier
from apps.suppliers.errors import SupplierError
from apps.suppliers.vendors import vendors_of


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


PRODUCTS = ("hotels", "flights", "transfers", "esim")


def all_below(kind: type[Exception]) -> Iterator[type[Exception]]:
    for below in kind.__subclasses__():
        yield below
        yield from all_below(below)


def raised() -> list[type[Exception]]:
    """Whatever an operation may be refused with, connectors' own errors included."""
    for product in PRODUCTS:
        for vendor in vendors_of(product).values():
            with suppress(ModuleNotFoundError):  # the simulators have no errors of their own
                import_module(f"apps.{product}.suppliers.{vendor.name}.errors")
    return [
        kind for kind in (*all_below(SupplierError), *all_below(GatewayError)) if "apps." in kind.__module__
    ]


NAMES = sorted({*FAILURES, *OWN})


@pytest.mark.parametrize("name", NAMES)
def test_each_failure_is_a_plain_sentence_without_a_name_of_ours(name: str) -> None:
    words = failure_in_words(name)
    assert re.fullmatch(r"[A-Z][^\n]*[.…]", words), words
    assert words != UNKNOWN
    assert re.findall(r"[a-z][A-Z]|_exception|Error\b", re.sub(r"`?[a-z]+[A-Z]\w*`?", "", words)) == []
    assert name not in words or name in ("Rejected", "Expired", "Missing", "Unavailable")


@pytest.mark.parametrize("kind", raised(), ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_whatever_refuses_an_operation_has_a_sentence(kind: type[Exception]) -> None:
    words = failure_in_words(failure_named(kind.__new__(kind)))
    assert words in {*FAILURES.values(), *OWN.values(), UNKNOWN}
    if kind.__module__ in ("apps.suppliers.errors", "apps.common.errors"):
        assert words != UNKNOWN
