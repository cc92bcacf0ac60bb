"""An answer that was stored is sent again as it was, but for the request id in a refusal."""

from typing import Any

import pytest
from django.test import RequestFactory

from apps.common.errors import InternalError
from apps.gateway.idempotency import StoredAnswer
from apps.gateway.operations import Operation, RateClass
from apps.gateway.requests import PartnerRequest
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


@pytest.mark.parametrize(("resource", "holds_answers"), [("search_2", True), ("search_1", False)])
def test_a_record_that_is_gone_is_our_failure(resource: str, holds_answers: bool):
    with pytest.raises(InternalError):
        replay(call_of(holds_answers=holds_answers), StoredAnswer(201, None, resource))
