"""The base of the vendors' stubs, asked through the client that the connectors use."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.http import Limits, SupplierHTTP
from tests.support.supplier_stub import Answer, Heard, SupplierStub, Trouble, refusal, route, serving

PATIENT = Limits(read=60)
SHORT = Limits(connect=60, read=0.2)
"""Only for what never answers: a slow machine may take longer to answer than this."""
ORDER = ("POST", "/orders/{order}")


class Acme(SupplierStub):
    prefix = "/v2"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.orders: list[str] = []

    def authorised(self, heard: Heard) -> bool:
        return heard.headers.get("x-key") == "k"

    def store(self) -> Any:
        return self.orders

    @route("POST", "/orders/{order}")
    def order(self, heard: Heard, order: str) -> Answer:
        self.orders.append(order)
        return 201, {"order": order, "note": heard.json["note"]}, {"X-Request-Id": "7"}


@pytest.fixture
def acme() -> Iterator[Acme]:
    with serving(Acme()) as stub:
        yield stub


def http(stub: Acme, key: str = "k") -> SupplierHTTP:
    return SupplierHTTP("acme", base_url=stub.url, headers={"X-Key": key})


def order(stub: Acme, key: str = "k", limits: Limits = PATIENT) -> Any:
    return http(stub, key).write("POST", "/orders/o1", json={"note": "n" * 2000}, limits=limits)


def test_a_route_answers_and_the_request_is_remembered(acme: Acme) -> None:
    reply = order(acme)
    assert (reply.status, reply.json()["order"], reply.headers["x-request-id"]) == (201, "o1", "7")
    (heard,) = acme.heard_by("POST", "/orders/{order}")
    assert (heard.path, heard.headers["x-key"], heard.json) == ("/orders/o1", "k", {"note": "n" * 2000})
    assert order(acme, key="wrong").status == 401
    assert http(acme).read("GET", "/nowhere").status == 404
    assert acme.store() == ["o1"]


@pytest.mark.parametrize("end", ["hang", "reset"])
def test_it_accepts_and_does_not_answer_as_often_as_told(acme: Acme, end: Any) -> None:
    acme.trouble(*ORDER, Trouble(end=end, times=2))
    for times in (1, 2):
        with pytest.raises(OutcomeUnknown):
            order(acme, limits=SHORT if end == "hang" else PATIENT)
        acme.await_heard(*ORDER, times=times)
    assert order(acme).status == 201
    assert acme.orders == ["o1"] * 3


def test_it_refuses_without_doing_anything(acme: Acme) -> None:
    acme.trouble("POST", "/orders/{order}", refusal(422, {"code": 7}, times=-1, Retry_After="1"))
    reply = order(acme)
    assert (reply.status, reply.json(), reply.headers["retry-after"]) == (422, {"code": 7}, "1")
    acme.calm()
    assert order(acme).status == 201
    assert acme.orders == ["o1"]


def test_it_is_told_by_requests_where_it_is_a_process_of_its_own(acme: Acme) -> None:
    control = SupplierHTTP("control", base_url=acme.url.removesuffix("/v2"))
    told = {"method": "POST", "path": "/orders/{order}", "accept": False, "end": "hang"}
    assert control.write("POST", "/_control", json=told).status == 200
    with pytest.raises(OutcomeUnknown):
        order(acme, limits=SHORT)
    acme.await_heard(*ORDER)
    assert control.read("GET", "/_store").json() == []
    assert [heard["path"] for heard in control.read("GET", "/_heard").json()] == ["/orders/o1"]


def test_what_hangs_ends_with_the_stub() -> None:
    with serving(Acme()) as stub:
        stub.trouble("GET", "/search", Trouble(end="hang", accept=False, times=-1))
        with pytest.raises(Unavailable):
            http(stub).read("GET", "/search", limits=SHORT)
