"""Spans: what is a part of what, what is continued later, and what is never in one."""

import threading

import pytest
from redis.exceptions import NoScriptError

from apps.common.errors import InsufficientScope, UpstreamUnavailable
from apps.common.tracing import spans
from tests.support.recorded import Recorded, recording

CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-"


def test_a_part_belongs_to_what_its_thread_does(recorded: Recorded) -> None:
    call = spans.begin_trace("call")
    assert call is not None
    assert spans.within("gate", lambda: spans.within("look-up", lambda: 7)) == 7
    spans.end(call)
    assert [span.name for span in recorded] == ["look-up", "gate", "call"]
    look_up, gate, _ = recorded
    assert (look_up.parent_id, gate.parent_id, call.parent_id) == (gate.span_id, call.span_id, 0)
    assert len({span.trace_id for span in recorded}) == 1
    assert all(span.began <= span.ended for span in recorded)
    assert spans.current() is None


def test_the_callers_span_is_what_the_call_is_a_part_of(recorded: Recorded) -> None:
    spans.end(spans.begin_trace("call", spans.SERVER, CALLER + "01"))
    (call,) = recorded
    assert (call.trace_id, call.parent_id) == (0x4BF92F3577B34DA6A3CE929D0E0E4736, 0x00F067AA0BA902B7)


@pytest.mark.parametrize("traceparent", [CALLER + "00", CALLER.replace("7-", "7-00 Ada Byron")])
def test_what_the_caller_does_not_record_is_not(traceparent: str) -> None:
    with recording(sampled=False) as recorded:
        assert spans.begin_trace("call", spans.SERVER, traceparent) is None
        assert spans.within("gate", lambda: 7) == 7
        assert spans.stored() is None
        spans.end(spans.begin_trace("recorded", spans.SERVER, CALLER + "01"))
    assert [span.name for span in recorded] == ["recorded"]


def test_off_nothing_is_begun_stored_or_continued(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans.end(spans.begin_trace("on"))
    kept = bytes(range(1, 25))
    with monkeypatch.context() as off:
        off.setattr(spans, "is_on", False)
        assert spans.within("gate", lambda: spans.stored()) is None
        with spans.continued(kept, "recovery") as continued, spans.begun("poll") as begun:
            spans.note(booking_id="b")
            spans.link(kept)
    assert (continued, begun, spans.log_ids()) == (None, None, {})
    assert [span.name for span in recorded] == ["on"]


def test_what_was_stored_is_continued_by_whoever_reads_it(recorded: Recorded) -> None:
    with spans.begun("call"):
        kept = spans.stored()
    assert kept is not None
    assert len(kept) == spans.STORED_BYTES

    def work() -> None:
        with spans.continued(memoryview(kept), "settlement", booking_id="tord_1"):
            spans.within("capture", lambda: None)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    call, settlement = recorded.named("call"), recorded.named("settlement")
    assert (settlement.trace_id, settlement.parent_id) == (call.trace_id, call.span_id)
    assert settlement.attributes == {"travel_partner.booking_id": "tord_1"}
    assert recorded.within(settlement) == ["capture"]


def test_what_was_not_recorded_is_not_continued(recorded: Recorded) -> None:
    with spans.continued(None, "settlement"), spans.continued(b"short", "settlement"):
        spans.within("capture", lambda: None)
    with spans.begun("poll"):
        pass
    assert [span.name for span in recorded] == ["poll"]


def test_a_call_that_continues_another_trace_is_linked_to_it(recorded: Recorded) -> None:
    with spans.begun("call"):
        kept = spans.stored()
        spans.link(kept)  # of the same trace: there is nothing to link
    with spans.begun("retry"), spans.continued(kept, "recovery"):
        spans.link(kept)
    with spans.begun("replay"):
        spans.link(kept)
        spans.link(None)
    call = recorded.named("call")
    assert call.links == []
    assert recorded.named("recovery").links == [
        (recorded.named("retry").trace_id, recorded.named("retry").span_id)
    ]
    assert recorded.named("replay").links == [(call.trace_id, call.span_id)]


def test_a_failure_is_told_by_its_kind_and_not_by_its_text(recorded: Recorded) -> None:
    def fail(error: Exception) -> None:
        raise error

    errors = [
        ValueError("Ada Canary"),
        UpstreamUnavailable("Ada Canary"),
        InsufficientScope(missingScope="a:b"),
    ]
    with spans.begun("call"):
        for error in errors:
            with pytest.raises(type(error)):
                spans.within("step", fail, error)
    steps = [span for span in recorded if span.name == "step"]
    assert [(span.error, span.attributes) for span in steps] == [
        ("ValueError", {"error.type": "ValueError"}),
        ("upstream_unavailable", {"error.type": "upstream_unavailable"}),
        (None, {"error.type": "insufficient_scope"}),
    ]
    assert recorded.named("call").error is None


def test_a_log_line_names_the_span_that_it_was_written_in(recorded: Recorded) -> None:
    with spans.begun("call") as call:
        assert call is not None
        assert spans.log_ids() == {"traceId": f"{call.trace_id:032x}", "spanId": f"{call.span_id:016x}"}
    assert spans.log_ids() == {}
    assert len(recorded) == 1


@pytest.mark.parametrize("said", [None, "503"])
def test_an_error_that_says_nothing_of_a_status_is_a_failure(recorded: Recorded, said: object) -> None:
    """Those of Redis: they have a `status_code`, which is None. A part that fails does not change how the call ends."""
    lost = NoScriptError("NOSCRIPT")
    lost.status_code = said  # type: ignore[assignment]

    def ask() -> None:
        raise lost

    call = spans.begin_trace("call")
    with pytest.raises(NoScriptError):
        spans.within("redis", ask)
    spans.end(call)

    assert [span.error for span in recorded] == ["NoScriptError", None]
