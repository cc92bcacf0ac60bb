"""What an entry takes from an answer, a path, a query and headers: each fact by itself."""

import uuid
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import RequestFactory

from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.request_log import note, writer
from apps.gateway.request_log.entry import Seen, answer_of, entry_of, trigger_of, why
from apps.gateway.request_log.models import LoggedCall, reference_to
from apps.gateway.request_log.redaction import outline, redact, redact_refusal
from apps.gateway.routes import RateClass, Route
from apps.gateway.sandbox import Trigger
from tests.support.operations import Operation, partner_operations, sandbox_operations

pytestmark = pytest.mark.django_db


def seen_of(status: int, body: object, *, path: str = "/v1/account", **sent: Any) -> Seen:
    call = Call(RequestFactory().get(path, **sent), "a-request", {}, {})
    return Seen(call, status, body, None, True, clock.now(), 1.0)


@pytest.mark.parametrize(
    ("value", "ignored", "kept"),
    [("sbx_slow", "", "sbx_slow"), ("", "sbx_slow", "sbx_slow"), ("", "sbx_ada", ""), ("", "", "")],
)
def test_a_trigger_is_kept_where_there_is_one_of_that_name(value: str, ignored: str, kept: str) -> None:
    call = seen_of(200, {}).call
    call.trigger, call.trigger_ignored = Trigger(value), ignored

    assert trigger_of(call) == kept


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"error": {"type": "conflict"}}, "conflict"),
        (409, {"error": {"type": "conflict"}}, "conflict"),
        (399, {"error": {"type": "conflict"}}, None),
        (409, {"error": {}}, None),
        (409, {"error": "conflict"}, None),
        (409, {}, None),
        (409, b"{}", None),
    ],
)
def test_the_type_of_a_refusal_that_is_replayed_is_read_from_its_body(
    status: int, body: object, kind: str | None
):
    assert entry_of(seen_of(status, body)).get("error_type") == kind


def test_of_a_refusal_as_much_is_kept_as_may_be_and_of_a_read_a_few_facts():
    body = {
        "error": {"type": "conflict", "message": "The account is suspended."},
        "limits": {"amountCents": 1},
    }

    kept = {status: answer_of(seen_of(status, body)) for status in (399, 400)}

    assert kept == {399: outline(body), 400: redact_refusal(body, frozenset())}
    assert kept[399] != kept[400]


CHANGE = Route("change", rate_class=RateClass.BOOKING, answer=None)


@pytest.mark.parametrize("declared", [{}, {"POST": CHANGE}], ids=["by nobody", "as no search"])
def test_of_a_change_as_much_is_kept_as_may_be_also_where_nobody_declared_it(declared: dict[str, Route]):
    body = {"limits": {"amountCents": 1}}
    call = Call(RequestFactory().post("/v1/account"), "a-request", declared, {})
    change = replace(seen_of(200, body), call=call)

    assert answer_of(change) == redact(body) != outline(body)


@pytest.mark.parametrize(
    ("key", "kept"),
    [
        (None, None),
        ("", None),
        ("short", None),
        ("x" * 256, None),
        (str(uuid.UUID(int=7)), str(uuid.UUID(int=7))),
    ],
)
def test_what_cannot_be_an_idempotency_key_is_not_kept(key: str | None, kept: str | None):
    sent = {} if key is None else {"HTTP_IDEMPOTENCY_KEY": key}

    assert entry_of(seen_of(200, {}, **sent)).get("idempotency_key") == kept


REFERENCE = "F-2K7M9QXR"


@pytest.mark.parametrize(
    ("path", "body", "booking"),
    [
        ("/v1/account", {"id": "a", "reference": REFERENCE}, ("a", REFERENCE)),
        ("/v1/account", {"id": 1, "reference": REFERENCE}, (None, None)),
        ("/v1/account", {"id": "a", "reference": "Ada"}, (None, None)),
        ("/v1/account", {"id": "a", "reference": 7}, (None, None)),
        ("/v1/flights/orders/ford_01kb2c0000000000000000000a", {}, ("ford_01kb2c0000000000000000000a", None)),
        (
            "/v1/hotels/bookings/hbk_01kb2c0000000000000000000a/cancel",
            [],
            ("hbk_01kb2c0000000000000000000a", None),
        ),
        ("/v1/flights/orders/Ada", {}, (None, None)),
        ("/v1/flights/orders", {}, (None, None)),
        ("/v1/flights/offers/offer_01kb2c0000000000000000000a", {}, (None, None)),
    ],
)
def test_the_booking_of_a_call_is_named_by_its_answer_or_its_path(
    path: str, body: object, booking: tuple[str | None, str | None]
):
    found = entry_of(seen_of(200, body, path=path))

    assert (found.get("booking_id"), found.get("booking_reference")) == booking


@pytest.mark.parametrize(
    ("path", "product"),
    [("/v1", None), ("/v1/account", "account"), ("/v1/esim/plans", "esim"), ("/v1/ping", None)],
)
def test_the_product_is_what_follows_v1(path: str, product: str | None):
    assert entry_of(seen_of(200, {}, path=path)).get("product") == product


@pytest.mark.parametrize("operation", [*partner_operations(), *sandbox_operations()], ids=str)
def test_the_path_of_every_operation_is_kept_whole(operation: Operation):
    path = operation.url_of("ford_01kb2c0000000000000000000a").partition("?")[0]

    assert entry_of(seen_of(200, {}, path=path))["path"] == path


def test_a_refusal_says_which_fields_were_wrong_each_once():
    details = [{"field": name, "message": "x"} for name in ("limit", "Ada", "limit", "")]

    assert why(InvalidRequest(details=details)) == "What was sent is not valid in limit, •••."
    assert why(Conflict("x", why="Because.")) == "Because."


def test_a_call_began_so_long_before_its_end(monkeypatch: pytest.MonkeyPatch):
    now, logged = clock.now(), list[Seen]()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    monkeypatch.setattr(note, "time", SimpleNamespace(monotonic=lambda: 100.12345))
    monkeypatch.setattr(writer, "log_call", logged.append)
    call = Call(RequestFactory().get("/v1/account"), "a-request", {}, {}, started=100.0)

    note.call_ended(call, Answer({"n": 1}, 201), None, replayed=True)
    note.refused_before_any_view(call.request, "a-request", Conflict("No."), 99.0)

    ended, refused = logged
    assert (ended.status, ended.body, ended.error, ended.replayed) == (201, {"n": 1}, None, True)
    assert (ended.created_at, ended.duration_ms) == (now - timedelta(seconds=0.12345), 123.5)
    assert (refused.status, refused.replayed, refused.duration_ms) == (409, False, 1_123.5)
    assert refused.created_at == now - timedelta(seconds=1.12345)


def test_what_an_entry_refers_to_is_neither_looked_for_nor_indexed_unless_told() -> None:
    fields: list[Any] = [reference_to(Account), reference_to(Account, null=True, db_index=True)]

    assert [(field.db_constraint, field.db_index, field.null) for field in fields] == [
        (False, False, False),
        (False, True, True),
    ]


@pytest.mark.parametrize(("status", "is_error"), [(200, False), (399, False), (400, True), (500, True)])
def test_an_error_is_an_answer_of_400_or_above(status: int, is_error: bool):
    assert LoggedCall(status=status).is_error is is_error
