"""References for people, and those that a supplier gets."""

import re

import pytest

from apps.bookings.flow.reserve import ALPHABET, client_ref, new_reference


@pytest.mark.parametrize(
    ("product", "letter"), [("hotel", "H"), ("flight", "F"), ("transfer", "T"), ("esim", "E")]
)
def test_a_reference_says_its_product_and_is_drawn_by_chance(product: str, letter: str) -> None:
    drawn = {new_reference(product) for _ in range(100)}
    assert len(drawn) == 100
    assert [one for one in drawn if not re.fullmatch(f"{letter}-[{ALPHABET}]{{8}}", one)] == []


def test_a_booking_is_known_to_its_supplier_by_its_own_reference() -> None:
    assert client_ref("H-22222222", "book") == "H-22222222"


@pytest.mark.parametrize(("kind", "letter"), [("change", "C"), ("cancel", "X")])
def test_each_change_and_cancellation_has_one_of_its_own(kind: str, letter: str) -> None:
    drawn = {client_ref("H-22222222", kind) for _ in range(100)}
    assert len(drawn) > 90  # of 24 million
    assert [one for one in drawn if not re.fullmatch(f"H-22222222-{letter}[{ALPHABET}]{{5}}", one)] == []
