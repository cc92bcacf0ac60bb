"""The five operations as a partner meets them: listing, isolation, replays, triggers, billing."""

import time

import pytest
from pytest_django import Settings

from apps.onboarding.services.onboard_partner import Onboarded
from tests.support.api import Api
from tests.transfers.agency import (
    BALANCE_CENTS,
    SEARCH,
    Company,
    a_partner,
    an_offer,
    an_order,
    cancel,
    events,
    money,
    order,
    read,
    search,
)

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


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "cursor=made-up", "status=ticketed"])
def test_a_listing_refuses_what_it_does_not_know(api: Api, query: str) -> None:
    reply = api.get(f"{ORDERS}?{query}")
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert reply.error["details"][0]["field"] == query.partition("=")[0]


def test_a_cursor_is_good_for_its_own_filters_alone(api: Api) -> None:
    for _ in range(2):
        an_order(api)
    cursor = api.get(f"{ORDERS}?limit=1").body["nextCursor"]
    assert api.get(f"{ORDERS}?status=confirmed&cursor={cursor}").error_type == "invalid_request"
    assert api.get(f"{ORDERS}?limit=7&cursor={cursor}").status == 200


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


def test_a_replayed_cancellation_is_the_same_to_the_byte_and_refunds_once(
    api: Api, partner: Onboarded
) -> None:
    body = an_order(api)
    first, again = (cancel(api, body["id"], key="cancel-key-1") for _ in range(2))
    assert again.content == first.content
    assert again.headers["Idempotent-Replayed"] == "true"
    assert money(partner) == (BALANCE_CENTS, 0)
    assert len(events(body["id"])) == 3


@pytest.mark.parametrize(
    ("trigger", "status", "error"),
    [
        ("sbx_offer_expired", 410, "offer_expired"),
        ("sbx_price_changed", 409, "price_changed"),
        ("sbx_insufficient_funds", 402, "insufficient_funds"),
        ("sbx_payment_failed", 402, "payment_failed"),
        ("sbx_supplier_error", 502, "upstream_error"),
    ],
)
def test_an_order_fails_as_the_trigger_says_and_moves_nothing(
    api: Api, partner: Onboarded, company: Company, trigger: str, status: int, error: str
) -> None:
    offer = an_offer(api)
    reply = order(api, offer["quoteId"], ref=trigger, maxTotalCents=10**9)
    assert (reply.status, reply.error_type) == (status, error)
    assert reply.headers["X-Sandbox-Trigger"] == trigger
    assert money(partner) == (BALANCE_CENTS, 0)
    assert company.bookings == 0


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


@pytest.mark.parametrize("trigger", ["sbx_offer_expired", "sbx_insufficient_funds"])
def test_a_search_names_the_triggers_that_it_ignores(api: Api, trigger: str) -> None:
    reply = api.post("/v1/transfers/searches", SEARCH, **{"X-Partner-Customer-Ref": trigger})
    assert (reply.status, reply.headers["X-Sandbox-Trigger-Ignored"]) == (201, trigger)


def test_a_cancellation_meets_the_suppliers_error_and_the_order_stands(api: Api, partner: Onboarded) -> None:
    body = an_order(api)
    reply = api.post(f"{ORDERS}/{body['id']}/cancel", {}, **{"X-Partner-Customer-Ref": "sbx_supplier_error"})
    assert (reply.status, reply.error_type) == (502, "upstream_error")
    assert read(api, body["id"]) == body
    assert money(partner)[1] == body["totalCents"]
    assert cancel(api, body["id"]).status == 200


def test_the_supplier_can_be_made_slow(api: Api, settings: Settings) -> None:
    settings.SANDBOX_SLOW_SECONDS = 0.3
    quote = an_offer(api)["quoteId"]
    began = time.monotonic()
    reply = order(api, quote, ref="sbx_slow")
    assert time.monotonic() - began >= 0.3
    assert (reply.status, reply.headers["X-Sandbox-Trigger"]) == (201, "sbx_slow")


def test_a_limit_and_a_class_narrow_a_search(api: Api) -> None:
    assert len(search(api, limit=2)["offers"]) == 2
    assert [offer["vehicle"]["class"] for offer in search(api, vehicleClass="minibus")["offers"]] == [
        "minibus"
    ]


@pytest.mark.parametrize(
    ("scopes", "path", "missing"),
    [
        (["transfers:book"], "/v1/transfers/searches", "transfers:search"),
        (["transfers:search"], "/v1/transfers/orders", "transfers:book"),
        (["transfers:search"], "/v1/transfers/orders/tord_x/cancel", "transfers:book"),
    ],
)
def test_each_operation_needs_its_scope(db: None, scopes: list[str], path: str, missing: str) -> None:
    reply = Api(a_partner(scopes=scopes).test_secret).post(path, {})
    assert (reply.status, reply.error["missingScope"]) == (403, missing)
