"""Each field of what Airalo answers about top-ups, use and installation, in turn missing, null and of another type."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.esim.suppliers.airalo.adapter import AiraloEsim
from apps.esim.suppliers.base import EsimOrder, OrderRequest, TopUpRequest
from apps.suppliers.errors import OutcomeUnknown, SupplierError, Unavailable
from tests.esim.suppliers.airalo.stub import TOP_UP, AiraloStub
from tests.suppliers.kit.mutations import Mutation, mutations_of
from tests.support.supplier_stub import Trouble

pytestmark = pytest.mark.django_db

FIND = "GET", "/orders"


@pytest.fixture
def iccid(airalo: AiraloEsim) -> str:
    order = airalo.order(OrderRequest("E-7KQ2M9XD", "stubtel-7days-1gb", 320))
    assert order.profile is not None
    return order.profile.iccid


@pytest.fixture
def request_(iccid: str) -> TopUpRequest:
    asked_at = clock.now() - timedelta(seconds=1)
    return TopUpRequest("E-2M9XD7KQ", "1", iccid, "stubtel-7days-1gb-topup", 300, asked_at)


def swept(stub: AiraloStub, route: tuple[str, str], ask: Callable[[], Any]) -> list[tuple[Mutation, object]]:
    """What came of asking with each mutation of the answer: a value, or the SupplierError that was raised."""
    whole: list[Any] = []
    answer = stub.receive

    def remembering(heard: Any) -> Any:
        trouble, (status, body, *rest) = answer(heard)
        whole.append(body)
        return trouble, (status, body, *rest)

    stub.receive = remembering  # type: ignore[method-assign]
    ask()
    stub.receive = answer  # type: ignore[method-assign]
    found: list[tuple[Mutation, object]] = []
    for mutation in mutations_of(json.loads(json.dumps(whole[-1]))):
        stub.trouble(
            *route,
            Trouble(accept=False, status=200, body=mutation(json.loads(json.dumps(whole[-1]))), times=-1),
        )
        try:
            found.append((mutation, ask()))
        except SupplierError as error:
            found.append((mutation, error))
    stub.calm()
    assert len(found) > 10
    return found


def test_a_top_up_is_known_or_it_is_looked_up(airalo, stub, request_):
    ends = swept(stub, TOP_UP, lambda: airalo.top_up(request_))
    assert ends
    for mutation, end in ends:
        assert isinstance(end, EsimOrder | OutcomeUnknown), mutation
        assert not isinstance(end, EsimOrder) or end.supplier_reference.isdigit(), mutation


@pytest.mark.parametrize("keeps", [True, False], ids=["our reference", "their words"])
def test_a_look_up_finds_the_top_up_or_says_nothing(airalo, stub, request_, keeps):
    """Or else its funds would be freed while it stands."""
    stub.books.keeps_descriptions = keeps
    made = airalo.top_up(request_)
    ends = swept(stub, FIND, lambda: airalo.find_top_up(request_))
    assert ends
    for mutation, end in ends:
        assert isinstance(end, EsimOrder | Unavailable), mutation
        if isinstance(end, EsimOrder) and keeps:
            assert end.supplier_reference == made.supplier_reference or "id" in str(mutation), mutation
