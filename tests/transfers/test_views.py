"""The five operations as a partner meets them: listing, isolation, replays, triggers, billing."""

from tests.support.api import Api
from tests.transfers.agency import SEARCH

ORDERS = "/v1/transfers/orders"


def test_a_replayed_search_is_the_same_to_the_byte_and_free(api: Api) -> None:
    first = api.post("/v1/transfers/searches", SEARCH, "search-key-1")
    again = api.post("/v1/transfers/searches", SEARCH, "search-key-1")
    assert again.content == first.content
    assert (again.status, again.headers["Idempotent-Replayed"]) == (201, "true")
    assert [r.headers["X-Search-Billable"] for r in (first, again)] == ["true", "false"]
    assert again.headers["X-Search-Quota-Remaining"] == first.headers["X-Search-Quota-Remaining"] == "4999"


def test_a_search_meets_the_suppliers_error_and_is_not_billed(api: Api) -> None:
    reply = api.post("/v1/transfers/searches", SEARCH, **{"X-Partner-Customer-Ref": "sbx_supplier_error"})
    assert (reply.status, reply.error_type) == (502, "upstream_error")
    assert (reply.headers["X-Search-Billable"], reply.headers["X-Search-Quota-Remaining"]) == (
        "false",
        "5000",
    )
