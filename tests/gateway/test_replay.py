"""An answer that was stored is sent again as it was, but for the request id in a refusal."""

from typing import Any

import pytest
from django.test import RequestFactory

from apps.common.errors import InternalError
from apps.gateway.idempotency import StoredAnswer
from apps.gateway.operations import Operation, RateClass
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import replay

SEARCHES = {"search_1": '{"id":"search_1"}'}


def call_of(*, holds_answers: bool) -> PartnerRequest:
    route = Operation(
        "search",
        rate_class=RateClass.SEARCH,
        answer=None,
        stored_body=SEARCHES.get if holds_answers else None,
    )
    request: Any = RequestFactory().post("/v1/searches")
    request.request_id = "this-request"
    return PartnerRequest(request, {"POST": route})


def sent(answer: Answer) -> tuple[int, bytes]:
    return answer.status_code, answer.body


@pytest.mark.parametrize("status", [200, 201, 399])
def test_a_success_is_sent_byte_for_byte(status: int):
    stored = StoredAnswer(status, b'{"error" : {"requestId":"first"}}', "")

    assert sent(replay(call_of(holds_answers=False), stored)) == (status, stored.body)


@pytest.mark.parametrize("status", [400, 401, 409])
def test_a_refusal_has_the_request_id_that_it_is_sent_with(status: int):
    stored = StoredAnswer(status, b'{"error":{"type":"x","requestId":"first"}}', "")

    found = replay(call_of(holds_answers=True), stored)

    assert sent(found) == (status, b'{"error":{"type":"x","requestId":"this-request"}}')


def test_the_answer_of_a_search_is_read_from_its_record():
    found = replay(call_of(holds_answers=True), StoredAnswer(201, None, "search_1"))

    assert sent(found) == (201, b'{"id":"search_1"}')


@pytest.mark.parametrize(("resource", "holds_answers"), [("search_2", True), ("search_1", False)])
def test_a_record_that_is_gone_is_our_failure(resource: str, holds_answers: bool):
    with pytest.raises(InternalError):
        replay(call_of(holds_answers=holds_answers), StoredAnswer(201, None, resource))


def test_a_secret_is_sent_again_as_a_secret():
    stored = StoredAnswer(201, b"{}", "", secret=True)

    assert replay(call_of(holds_answers=False), stored).secret
