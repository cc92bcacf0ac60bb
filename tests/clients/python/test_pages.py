"""Lists of many pages as one."""

import asyncio
from collections.abc import Callable

import httpx
import pytest
from travel_partner import AsyncTravelPartner, TravelPartner

from tests.clients.python.conftest import KEY, Handler, StillClock

ENDPOINT = {
    "url": "https://example.com",
    "events": [],
    "description": "",
    "status": "enabled",
    "disabledReason": None,
    "disabledAt": None,
    "consecutiveFailures": 0,
    "environment": "test",
    "previousSecretExpiresAt": None,
    **dict.fromkeys(("createdAt", "updatedAt"), "2026-11-20T14:03:22.120Z"),
}
AFTER = {None: "a", "a": "b", "b": None}


@pytest.fixture
def queries() -> list[dict[str, str]]:
    """What was asked for, page after page."""
    return []


@pytest.fixture
def three_pages(queries: list[dict[str, str]]) -> Handler:
    """Two items, none, and two again."""

    def page(request: httpx.Request) -> httpx.Response:
        query = dict(request.url.params)
        queries.append(query)
        cursor = query.get("cursor")
        names = [] if cursor == "a" else [f"we_{cursor}_1", f"we_{cursor}_2"]
        data = [{**ENDPOINT, "id": name} for name in names]
        return httpx.Response(
            200, json={"data": data, "hasMore": bool(AFTER[cursor]), "nextCursor": AFTER[cursor]}
        )

    return page


EVERYTHING = ["we_None_1", "we_None_2", "we_b_1", "we_b_2"]


def test_iterate_goes_through_all_pages(
    scripted: Callable[[Handler], TravelPartner], three_pages: Handler, queries: list[dict[str, str]]
) -> None:
    found = [one.id for one in scripted(three_pages).webhooks.endpoints.iterate(limit=2)]
    assert found == EVERYTHING
    assert queries == [{"limit": "2"}, {"limit": "2", "cursor": "a"}, {"limit": "2", "cursor": "b"}]


EVENT = {
    "type": "payment.refunded",
    "createdAt": "2026-11-20T14:03:22.120Z",
    "environment": "test",
    "data": {},
}
FEED = {None: (["evt_1", "evt_2"], True), "evt_2": ([], False), "evt_3": ([], False)}


@pytest.fixture
def feed(queries: list[dict[str, str]]) -> Handler:
    """Two events; then nothing new, once; then a third."""

    def part(request: httpx.Request) -> httpx.Response:
        query = dict(request.url.params)
        after = query.get("after")
        ids, more = FEED[after] if query not in queries else (["evt_3"], False)
        queries.append(query)
        body = {"data": [{**EVENT, "id": id} for id in ids], "hasMore": more, "nextAfter": [after, *ids][-1]}
        return httpx.Response(200, json=body)

    return part


def test_follow_waits_for_what_is_new_and_goes_on_after_what_it_had(
    scripted: Callable[[Handler], TravelPartner], feed: Handler, queries: list[dict[str, str]]
) -> None:
    events = scripted(feed).events.follow(type="payment.refunded", pause=0)
    assert queries == []
    assert [next(events).id for _ in range(3)] == ["evt_1", "evt_2", "evt_3"]
    kind = {"type": "payment.refunded"}
    assert queries == [kind, {**kind, "after": "evt_2"}, {**kind, "after": "evt_2"}]


def test_follow_begins_with_the_oldest_where_the_position_is_still_empty(
    scripted: Callable[[Handler], TravelPartner], feed: Handler, queries: list[dict[str, str]]
) -> None:
    """As the recipe of the feed has it: in the beginning the stored text is empty. The service refuses `after=`."""
    assert next(scripted(feed).events.follow(after="", pause=0)).id == "evt_1"
    assert queries == [{}]


def test_follow_ends_where_nothing_is_left_if_that_is_wanted(
    scripted: Callable[[Handler], TravelPartner], feed: Handler, queries: list[dict[str, str]]
) -> None:
    """Not at a page that is empty because of a filter: that one has more."""
    events = scripted(feed).events.follow(pause=10_000, until_empty=True)
    assert [event.id for event in events] == ["evt_1", "evt_2"]
    assert queries == [{}, {"after": "evt_2"}]


def test_follow_goes_on_after_an_empty_page_that_has_more(
    scripted: Callable[[Handler], TravelPartner], queries: list[dict[str, str]]
) -> None:
    def part(request: httpx.Request) -> httpx.Response:
        queries.append(dict(request.url.params))
        first = len(queries) == 1
        data = [] if first else [{**EVENT, "id": "evt_9"}]
        return httpx.Response(200, json={"data": data, "hasMore": first, "nextAfter": f"evt_{len(queries)}"})

    events = scripted(part).events.follow(type="payment.refunded", until_empty=True)
    assert [event.id for event in events] == ["evt_9"]


def test_follow_may_be_awaited(feed: Handler, still: StillClock) -> None:
    async def the_first_three() -> list[str]:
        http = httpx.AsyncClient(transport=httpx.MockTransport(feed))
        client = AsyncTravelPartner(KEY, "http://service", http=http, clock=still.clock)
        events = client.events.follow(pause=0)
        return [(await anext(events)).id for _ in range(3)]

    assert asyncio.run(the_first_three()) == ["evt_1", "evt_2", "evt_3"]
