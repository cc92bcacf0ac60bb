"""What partners read of an operation: no name of ours, and a sentence for each failure."""

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module

import pytest

from apps.bookings.models import OperationKind
from apps.bookings.refusals import (
    FAILURES,
    OWN,
    UNKNOWN,
    failure_in_words,
    failure_named,
    operation_in_words,
    refused_in_words,
)
from apps.common.errors import Conflict, GatewayError
from apps.suppliers.errors import Rejected, SupplierError
from apps.suppliers.vendors import vendors_of

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


def test_a_connectors_own_refusal_is_told_as_what_it_is() -> None:
    class TheirStrangeRefusal(Rejected):
        pass

    class OurStrangeConflict(Conflict):
        pass

    assert failure_named(TheirStrangeRefusal()) == "Rejected"
    assert failure_named(OurStrangeConflict("No.")) == "Conflict"


def test_an_error_that_has_no_sentence_is_stored_under_its_own_name() -> None:
    assert failure_named(ZeroDivisionError()) == "ZeroDivisionError"


@pytest.mark.parametrize("name", ["TheirStrangeRefusal", "", "KeyError"])
def test_a_name_that_an_older_release_stored_shows_no_name(name: str) -> None:
    assert failure_in_words(name) == UNKNOWN


@pytest.mark.parametrize("kind", OperationKind)
def test_each_kind_of_operation_has_words(kind: OperationKind) -> None:
    words = operation_in_words(kind, "F-7")
    assert words.endswith(" F-7")
    assert not words.startswith("Operation")
    assert refused_in_words(kind, "F-7", "NeverCalled") == (
        f"{words} did not happen. The supplier was never asked."
    )
