"""A line of the ledger leads to the operation that caused it."""

from apps.bookings.models import Booking, Operation
from apps.bookings.statements import trace_of
from apps.ledger.trace import Trace


def test_a_trace_names_booking_key_request_and_operation() -> None:
    booking = Booking(product="hotel", reference="H-22222222")
    operation = Operation(booking=booking, client_ref="H-22222222-X2222", key_id="key_1", request_id="req_1")
    assert trace_of(operation, "cancel H-22222222") == Trace(
        booking_type="hotel",
        booking_reference="H-22222222",
        key_id="key_1",
        request_id="req_1",
        operation_id="H-22222222-X2222",
        description="cancel H-22222222",
    )


def test_what_a_member_did_has_neither_key_nor_request() -> None:
    booking = Booking(product="hotel", reference="H-22222222")
    trace = trace_of(Operation(booking=booking, client_ref="H-22222222-X2222"), "cancel H-22222222")
    assert (trace.key_id, trace.request_id) == (None, None)
