"""What a draft takes of a call, and what is made at once: of bodies, refusals, triggers and the query."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from apps.gateway.answer import Answer
from apps.gateway.request_log import draft, note, writer
from apps.gateway.request_log.draft import draft_of, why
from apps.gateway.request_log.entry import serialised
from apps.gateway.request_log.redaction import redact, redact_refusal
from apps.gateway.routes import RateClass, Route
from apps.gateway.sandbox import Trigger
from tests.gateway.request_log.drafts import call, ended, outline_of, replay, row_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("value", "ignored", "kept"),
    [("sbx_slow", "", "sbx_slow"), ("", "sbx_slow", "sbx_slow"), ("", "sbx_ada", None), ("", "", None)],
)
def test_a_trigger_is_kept_where_there_is_one_of_that_name(
    value: str, ignored: str, kept: str | None
) -> None:
    triggered = call()
    triggered.trigger, triggered.trigger_ignored = Trigger(value), ignored

    row = row_of(ended(triggered, {}))
    assert (row.get("trigger"), "trigger_fired" in row) == (kept, False)


def test_a_trigger_that_fired_says_so() -> None:
    triggered = call()
    triggered.trigger = Trigger("sbx_slow", fired=True)

    assert row_of(ended(triggered, {}))["trigger_fired"] is True


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"error": {"type": "conflict", "message": ""}}, "conflict"),
        (409, {"error": {"type": "conflict", "message": ""}}, "conflict"),
        (399, {"error": {"type": "conflict", "message": ""}}, None),
        (409, {"error": {"message": ""}}, None),
        (409, {"error": "conflict"}, None),
        (409, {}, None),
        (409, b"{}", None),
    ],
)
def test_the_type_of_a_refusal_that_is_replayed_is_read_from_its_body(
    status: int, body: object, kind: str | None
):
    assert row_of(replay(status, body)).get("error_type") == kind


def test_of_a_refusal_as_much_is_kept_as_may_be_and_of_a_read_a_few_facts():
    body = {
        "id": "acc_01kb2c0000000000000000000a",
        "error": {"type": "conflict", "message": "The account is suspended."},
        "limits": {"amountCents": 1},
    }

    kept = {status: row_of(replay(status, body))["response_body"] for status in (399, 400)}

    assert kept == {399: outline_of(body), 400: redact_refusal(body, frozenset())}
    assert kept[399] != kept[400]


@pytest.mark.parametrize(
    ("method", "product", "is_outlined"),
    [
        ("GET", "", True),
        ("HEAD", "", True),
        ("POST", "hotels", True),
        ("POST", "", False),
        ("PUT", "", False),
    ],
)
def test_of_a_read_and_of_a_search_a_few_facts_are_kept(method: str, product: str, is_outlined: bool):
    body = {"currency": "EUR", "limits": {"amountCents": 1}}
    route = Route("made", rate_class=RateClass.SEARCH, answer=None, product=product)
    made = call(method=method)
    made.routes["GET" if method == "HEAD" else method] = route

    row = row_of(ended(made, body))
    assert row["response_body"] == (outline_of(body) if is_outlined else redact(body))
    assert outline_of(body) != redact(body)


CHANGE = Route("change", rate_class=RateClass.BOOKING, answer=None)


@pytest.mark.parametrize("declared", [{}, {"POST": CHANGE}], ids=["by nobody", "as no search"])
def test_of_a_change_as_much_is_kept_as_may_be_also_where_nobody_declared_it(declared: dict[str, Route]):
    body = {"limits": {"amountCents": 1}}
    change = call(method="POST")
    change.routes = declared

    row = row_of(ended(change, body))
    assert row["response_body"] == redact(body) != outline_of(body)


def test_what_is_kept_of_a_change_is_told_once():
    change = call(method="POST")
    written = serialised(ended(change, {"id": "a", "currency": "EUR"}))

    assert written.count(b'"response_body"') == 1


@pytest.mark.parametrize("status", [399, 400])
def test_a_change_is_refused_from_400_on(status: int):
    body = {"error": {"type": "conflict", "message": "The account is suspended."}}
    refused = draft_of(call(method="POST"), Answer(body, status), None, None, replayed=True)

    as_refusal, as_body = redact_refusal(body, frozenset()), redact(body)
    assert as_refusal != as_body
    assert row_of(refused)["response_body"] == (as_refusal if status == 400 else as_body)


def test_of_a_body_sent_with_a_read_as_much_is_kept_as_may_be():
    read = call()
    read.body = {"currency": "EUR", "firstName": "Ada"}

    row = row_of(ended(read, {}))
    assert row["request_body"] == redact(read.body)


@pytest.mark.parametrize("body", [["a"], "a", None, b"{}"])
def test_of_an_answer_that_is_no_object_nothing_is_kept(body: object):
    made = replay(200, body)

    assert made.outlined is None
    assert "response_body" not in row_of(made)


def test_a_plain_read_has_nothing_that_is_made_at_once():
    assert ended(call(), {"currency": "EUR"}).more == b""


def test_what_waits_has_a_bound_whatever_was_sent():
    made = ended(
        call(
            "/" + "p" * 2_000,
            HTTP_USER_AGENT="u" * 2_000,
            HTTP_IDEMPOTENCY_KEY="k" * 2_000,
            REMOTE_ADDR="9" * 2_000,
        ),
        {},
    )

    sent = (made.path, made.user_agent, made.idempotency_key, made.client_address)
    assert [len(text) for text in sent] == [1_024] * 4


def test_a_refusal_says_which_fields_were_wrong_each_once():
    details = [{"field": name, "message": "x"} for name in ("limit", "Ada", "limit", "")]

    assert why(InvalidRequest(details=details)) == "What was sent is not valid in limit, •••."
    assert why(Conflict("x", why="Because.")) == "Because."


def test_a_call_began_so_long_before_its_end(monkeypatch: pytest.MonkeyPatch):
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    monkeypatch.setattr(draft, "time", SimpleNamespace(monotonic=lambda: 100.12345))
    answered, refused = call(), call()
    answered.started = 100.0
    buffer = writer.buffer

    note.call_ended(answered, Answer({"n": 1}, 201), None, replayed=True)
    note.refused_before_any_view(refused.request, "a-request", Conflict("No."), 99.0)

    first, second = (row_of(taken) for taken in buffer.take(9))
    assert (first["status"], first["replayed"], first["duration_ms"]) == (201, True, 123.5)
    assert first["created_at"] == (now - timedelta(seconds=0.12345)).isoformat()
    assert (second["status"], "replayed" in second, second["duration_ms"]) == (409, False, 1_123.5)
    assert (second["request_id"], second["error_type"]) == ("a-request", "conflict")
    assert second["created_at"] == (now - timedelta(seconds=1.12345)).isoformat()
