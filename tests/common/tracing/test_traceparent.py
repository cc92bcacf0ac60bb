import pytest

from apps.common.tracing.traceparent import trace_id_of

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.parametrize(
    ("traceparent", "told"),
    [
        (f"00-{TRACE}-00f067aa0ba902b7-01", TRACE),
        (f"01-{TRACE}-00f067aa0ba902b7-01-of a later version", TRACE),
        ("", ""),
        (f"00-{TRACE.upper()}-00f067aa0ba902b7-01", ""),
        (f"ff-{TRACE}-00f067aa0ba902b7-01", ""),
        (f"00-{'0' * 32}-00f067aa0ba902b7-01", ""),
        (f"00-{TRACE}-{'0' * 16}-01", ""),
        (f"00-{TRACE}-00f067aa0ba902b7-01 Ada Byron", ""),
        (f"00-{TRACE}-00f067aa0ba902b7", ""),
        ("Ada Byron", ""),
    ],
)
def test_the_id_of_a_trace_is_taken_from_a_header_that_is_right(traceparent: str, told: str) -> None:
    assert trace_id_of(traceparent) == told
