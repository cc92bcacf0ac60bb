"""Operations that everybody may GET: no key, no other method, and when to come again where the service is away."""

import json
from typing import Any

import pytest
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from apps.common.errors import UpstreamUnavailable
from apps.gateway.operations import RateClass, operation
from apps.gateway.responses import Answer
from apps.gateway.viewsets import PublicViewSet

ANSWERS = {200: ({"n": 1}, 200), 204: (None, 204), 503: ({"n": 2}, 503)}


class LighthouseViewSet(PublicViewSet):
    answer: tuple[object, int] | None = None

    @operation("getLighthouse", rate_class=RateClass.READ, answer=None)
    def retrieve(self, request: object) -> Answer:
        if self.answer is None:
            raise ValueError("a secret of ours")
        return Answer(*self.answer)


def asked(method: str, answer: tuple[object, int] | None) -> HttpResponseBase:
    class OfThis(LighthouseViewSet):
        pass

    OfThis.answer = answer
    request: Any = RequestFactory().generic(method, "/lighthouse")
    request.request_id = "a-request"
    return OfThis.as_view({"get": "retrieve"})(request).render()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("status", "later"), [(200, None), (204, None), (503, UpstreamUnavailable.retry_after)]
)
def test_it_answers_everybody_and_says_when_to_come_again(method: str, status: int, later: int | None):
    response = asked(method, ANSWERS[status])

    assert (response.status_code, response.headers.get("Retry-After")) == (
        status,
        None if later is None else str(later),
    )


@pytest.mark.parametrize("method", ["POST", "PUT", "get"])
def test_it_takes_get_alone(method: str):
    response: Any = asked(method, ANSWERS[200])

    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")
    assert json.loads(response.content)["error"]["requestId"] == "a-request"


def test_a_crash_wears_the_envelope():
    response: Any = asked("GET", None)

    assert (response.status_code, json.loads(response.content)["error"]["type"]) == (500, "internal_error")
    assert b"secret" not in response.content
