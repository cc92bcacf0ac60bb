"""The five operations as a partner meets them: listing, isolation, replays, triggers, billing."""

import pytest

from apps.onboarding.partners import Onboarded
from tests.support.api import Api
from tests.transfers.agency import SEARCH, Company, a_partner, an_offer, an_order, cancel, order, read, search

ORDERS = "/v1/transfers/orders"


def ids(reply_body: dict) -> list[str]:
    return [row["id"] for row in reply_body["data"]]


def test_orders_are_listed_newest_first_and_page_by_cursor(api: Api) -> None:
    made = [an_order(api)["id"] for _ in range(5)][::-1]
    first = api.get(f"{ORDERS}?limit=2").body
    second = api.get(f"{ORDERS}?limit=2&cursor={first['nextCursor']}").body
    third = api.get(f"{ORDERS}?limit=2&cursor={second['nextCursor']}").body
    assert ids(first) + ids(second) + ids(third) == made
    assert [page["hasMore"] for page in (first, second, third)] == [True, True, False]
    assert third["nextCursor"] is None
    assert ids(api.get(ORDERS).body) == made


def test_orders_are_filtered_by_reference_and_status(api: Api) -> None:
    mine, other = an_order(api, externalReference="R-1"), an_order(api, externalReference="R-2")
    cancel(api, other["id"])
    assert api.get(f"{ORDERS}?externalReference=R-1").body["data"] == [read(api, mine["id"])]
    assert ids(api.get(f"{ORDERS}?status=cancelled").body) == [other["id"]]
    assert ids(api.get(f"{ORDERS}?status=confirmed&externalReference=R-2").body) == []


def test_an_order_belongs_to_its_partner_and_environment(api: Api, partner: Onboarded) -> None:
    mine = an_order(api)
    stranger = a_partner(live=True)
    for secret in (stranger.test_secret, stranger.live_secret):
        other = Api(secret or "")
        assert other.get(f"{ORDERS}/{mine['id']}").error_type == "not_found"
        assert cancel(other, mine["id"]).error_type == "not_found"
        assert other.get(ORDERS).body["data"] == []
    assert read(api, mine["id"]) == mine


@pytest.mark.parametrize("order_id", ["tord_x", "ford_01m7x5p1nxsrsk4m574abwtsrc", "x" * 65, "%20", "é"])
def test_an_unknown_order_is_not_found(api: Api, order_id: str) -> None:
    assert api.get(f"{ORDERS}/{order_id}").error_type == "not_found"
    assert cancel(api, order_id).error_type == "not_found"


def test_a_replayed_search_is_the_same_to_the_byte_and_free(api: Api) -> None:
    first = api.post("/v1/transfers/searches", SEARCH, "search-key-1")
    again = api.post("/v1/transfers/searches", SEARCH, "search-key-1")
    assert again.content == first.content
    assert (again.status, again.headers["Idempotent-Replayed"]) == (201, "true")
    assert [r.headers["X-Search-Billable"] for r in (first, again)] == ["true", "false"]
    assert again.headers["X-Search-Quota-Remaining"] == first.headers["X-Search-Quota-Remaining"] == "4999"


def test_a_replayed_order_is_the_same_to_the_byte_and_booked_once(api: Api, company: Company) -> None:
    quote = an_offer(api)["quoteId"]
    first, again = (order(api, quote, key="order-key-1") for _ in range(2))
    assert again.content == first.content
    assert (again.status, again.headers["Idempotent-Replayed"]) == (201, "true")
    assert company.bookings == 1


def test_a_trigger_acts_after_the_quote_was_found(api: Api) -> None:
    reply = order(api, "quote_unknown", ref="sbx_price_changed")
    assert reply.error_type == "offer_expired"
    assert "X-Sandbox-Trigger" not in reply.headers


def test_a_search_meets_the_suppliers_error_and_is_not_billed(api: Api) -> None:
    reply = api.post("/v1/transfers/searches", SEARCH, **{"X-Partner-Customer-Ref": "sbx_supplier_error"})
    assert (reply.status, reply.error_type) == (502, "upstream_error")
    assert (reply.headers["X-Search-Billable"], reply.headers["X-Search-Quota-Remaining"]) == (
        "false",
        "5000",
    )


def test_a_limit_and_a_class_narrow_a_search(api: Api) -> None:
    assert len(search(api, limit=2)["offers"]) == 2
    assert [offer["vehicle"]["class"] for offer in search(api, vehicleClass="minibus")["offers"]] == [
        "minibus"
    ]
