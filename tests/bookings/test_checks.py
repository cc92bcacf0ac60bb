from typing import Any

import pytest

from apps.bookings.checks import dead_processes_let_go_of_keys, waits_are_in_order


def test_the_defaults_are_in_order() -> None:
    assert waits_are_in_order() == dead_processes_let_go_of_keys() == []


@pytest.mark.parametrize(
    "longer", ["OPERATION_LEASE_SECONDS", "IDEMPOTENCY_LEASE_SECONDS", "LOOKUP_FIRST_NOT_FOUND_SECONDS"]
)
@pytest.mark.parametrize(("seconds", "refused"), [(24, True), (25, True), (26, False)])
def test_nothing_ends_before_the_call_to_the_supplier(
    settings: Any, longer: str, seconds: int, refused: bool
) -> None:
    settings.SUPPLIER_CALL_SECONDS = 25.0
    setattr(settings, longer, seconds)
    found = waits_are_in_order()
    assert [(error.id, error.hint) for error in found] == (
        [("bookings.E001", f"They are 25 and {seconds}.")] if refused else []
    )
    assert all(error.msg.startswith(f"SUPPLIER_CALL_SECONDS must be below {longer}: ") for error in found)


@pytest.mark.parametrize("lease", ["IDEMPOTENCY_LEASE_SECONDS", "OPERATION_LEASE_SECONDS"])
def test_a_key_is_blocked_for_a_minute_at_most(settings: Any, lease: str) -> None:
    setattr(settings, lease, 60)
    assert dead_processes_let_go_of_keys() == []
    setattr(settings, lease, 61)
    found = dead_processes_let_go_of_keys()
    assert [(error.id, error.msg, error.hint) for error in found] == [
        ("bookings.E002", f"{lease} must be at most 60.", "It is 61.")
    ]
