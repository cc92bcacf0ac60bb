"""A refused call is freed with its answer. Else its body, of up to 256 KiB, waits until Python looks for circles."""

import gc
from collections.abc import Iterator

import pytest

from apps.gateway.requests import PartnerRequest
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api

pytestmark = pytest.mark.django_db

NAME = "x" * 300


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def calls_in_memory() -> set[int]:
    """By their addresses. Tests that ran before may keep some of theirs, and objects that refuse to be asked."""
    return {id(found) for found in gc.get_objects() if type(found) is PartnerRequest}


@pytest.fixture
def api() -> Api:
    return api_of_new_partner()


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/v1/esim/orders", {"planId": NAME}, 400),
        ("POST", "/v1/esim/orders", {NAME: 1}, 400),
        ("POST", "/v1/esim/orders", [], 400),
        ("POST", "/v1/hotels/searches", {"limit": 10_000, "minStars": "x"}, 400),
        ("POST", "/v1/flights/orders", {"passengers": [{}] * 9}, 400),
        ("GET", "/v1/hotels/bookings/hbk_unknown", None, 404),
        ("PATCH", "/v1/account", {}, 405),
    ],
)
def test_nothing_of_a_refused_call_is_left(
    without_collector: None, api: Api, method: str, path: str, body: object, status: int
) -> None:
    api.send(method, path, body, **{"Idempotency-Key": "one-of-its-own-1"})
    gc.collect()  # what is made once, at the first call
    before = calls_in_memory()
    answer = api.send(method, path, body, **{"Idempotency-Key": "one-of-its-own-2"})
    assert answer.status == status
    del answer
    assert calls_in_memory() == before
