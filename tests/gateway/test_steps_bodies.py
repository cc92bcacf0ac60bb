"""The checks of what was sent: its body, and its values."""

from dataclasses import replace
from typing import Any

import pytest
from django.http.request import RawPostDataException

from apps.common.errors import InvalidRequest, PayloadTooLarge
from apps.gateway import steps
from apps.gateway.routes import QueryParameter
from apps.gateway.serializers import Body
from tests.gateway.stepped import SEARCH, call_of, refused


@pytest.mark.parametrize("failure", [RawPostDataException("read already"), OSError("reset by peer")])
def test_a_body_that_breaks_off_is_refused_in_our_own_words(failure: Exception):
    class Broken:
        @property
        def body(self) -> bytes:
            raise failure

    call = call_of("POST")
    call.request = Broken()  # type: ignore[assignment]
    error = refused(steps.body, call, InvalidRequest)

    message = "The body could not be read to its end."
    assert (error.message, error.own_texts) == (message, {message})


def test_a_body_has_as_many_bytes_as_the_deployment_says_and_not_one_more(settings):
    settings.MAX_BODY_BYTES = 7
    allowed, larger = (
        call_of("POST", raw, content_type="application/json") for raw in (b'{"a":1}', b'{"a":12}')
    )

    steps.body(allowed)
    assert allowed.body == {"a": 1}
    refused(steps.body, larger, PayloadTooLarge)


def test_a_body_is_read_where_the_method_has_one():
    read = call_of("GET", b"{")
    sent = call_of("POST", b'{"a":1}', content_type="application/json")
    empty = call_of("POST", b"", content_type="text/plain")
    for call in (read, sent, empty):
        steps.body(call)

    assert (read.body, sent.body, empty.body) == ({}, {"a": 1}, {})


def test_a_body_is_validated_once(monkeypatch):
    asked: list[Any] = []

    def validate(*body: Any) -> str:
        asked.append(body)
        return "valid"

    monkeypatch.setattr(steps, "validate", validate)
    call = call_of("POST")
    call.body = {"a": 1}
    steps.validation(call)
    assert (call.data, asked) == ({}, [])

    call.routes, call.data = {"POST": replace(SEARCH, body=Body)}, None
    steps.validation(call)
    steps.validation(call)
    assert (call.data, asked) == ("valid", [(Body, {"a": 1})])


def test_a_parameter_that_was_sent_twice_is_refused_before_the_body_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(steps, "validate", lambda *_, **__: pytest.fail("The body was looked at."))
    call = call_of("POST", QUERY_STRING="limit=1&limit=2")
    limit = QueryParameter("limit", {}, "How many.")
    call.routes = {"POST": replace(SEARCH, body=Body, query=(limit,))}

    error = refused(steps.validation, call, InvalidRequest)

    assert error.extras["details"] == [{"field": "limit", "message": "must be sent once"}]
