"""A call to a supplier as a span: its path without ids, its answer, and no header for the supplier."""

import pytest

from apps.common.tracing import spans
from apps.suppliers.errors import Unavailable
from apps.suppliers.http.client import SupplierHTTP
from tests.support.ports import free_port
from tests.support.recorded import recording
from tests.support.wire import Wire, reply

pytestmark = pytest.mark.django_db


def test_a_call_is_named_by_its_path_without_ids(server: Wire) -> None:
    for status in ("200 OK", "404 Not Found", "200 OK"):
        server.acts.append(server.answers(reply(status, Connection="close")))
    with recording() as recorded:
        duffel = SupplierHTTP("duffel", base_url=server.url)
        with spans.begun("call") as call:
            duffel.read("GET", "/air/orders/ord_0000ada", query={"name": "Ada Canary"})
            duffel.read("GET", "/air/orders/ord_0000ada")
            duffel.read("GET", "/Ada/Canary")
    assert call is not None
    assert recorded.within(call) == ["GET /air/orders/*", "GET /air/orders/*", "GET"]
    found, missing, unknown = recorded[:3]
    assert found.attributes == {
        "http.request.method": "GET",
        "url.template": "/air/orders/*",
        "travel_partner.supplier": "duffel",
        "http.response.status_code": 200,
    }
    assert [span.error for span in (found, missing, unknown)] == [None, "404", None]
    assert "Ada" not in str([span.attributes for span in recorded])
    assert len(server.heard) == 3
    assert not [request for request in server.heard if b"traceparent" in request.lower()]


def test_a_supplier_that_does_not_answer_is_a_span_that_failed() -> None:
    nobody = SupplierHTTP("duffel", base_url=f"http://127.0.0.1:{free_port()}")
    with recording() as recorded, spans.begun("call"), pytest.raises(Unavailable):
        nobody.write("POST", "/air/orders", json={})
    assert (recorded[0].name, recorded[0].error) == ("POST /air/orders", "ConnectionRefusedError")
