"""A session of the official SDK's client (`mcp` on PyPI) with the service, over HTTP and over stdio. Run by `tests.mcp`.

It runs in an environment of its own (requirements/mcp.lock), which knows nothing of this product.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from typing import Any

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

URL, KEY = os.environ["SERVICE"], os.environ["KEY"]
LIMITED, REVOKED = os.environ["LIMITED_KEY"], os.environ["REVOKED_KEY"]
BRIDGE = os.environ["BRIDGE_PYTHON"], os.environ["BRIDGE_PATH"]
DAY = (date.today() + timedelta(days=60)).isoformat()
FLIGHT = {"origin": "LIS", "destination": "BER", "departureDate": DAY}
ADA = {
    "title": "ms",
    "firstName": "Ada",
    "lastName": "Lovelace",
    "dateOfBirth": "1990-12-10",
    "type": "adult",
}
CONTACT = {"email": "ada@example.com", "phone": "+351210000000"}


def shown(what: str, holds: bool, found: object = "") -> None:
    print(f"{'ok  ' if holds else 'FAIL'} {what}", flush=True)
    if not holds:
        sys.exit(f"found: {found}")


@asynccontextmanager
async def over_http(key: str = KEY, **options: Any) -> AsyncIterator[Client]:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60)
    async with http, Client(streamable_http_client(f"{URL}/mcp", http_client=http), **options) as client:
        yield client


def over_stdio(*options: str, **more: Any) -> Client:
    python, path = BRIDGE
    environment = {"TRAVEL_PARTNER_API_KEY": KEY, "TRAVEL_PARTNER_BASE_URL": URL, "PYTHONPATH": path}
    arguments = ["-m", "travel_partner", "mcp", *options]
    return Client(StdioServerParameters(command=python, args=arguments, env=environment), **more)


async def call(client: Client, tool: str, **arguments: Any) -> tuple[Any, bool]:
    result = await client.call_tool(tool, arguments)
    return result.structured_content, bool(result.is_error)


async def offered(client: Client) -> dict[str, Any]:
    """The arguments that order the cheapest flight."""
    found, _ = await call(client, "search_flights", **FLIGHT)
    return {"offerId": found["offers"][0]["offerId"], "passengers": [ADA], "contact": CONTACT}


async def count_orders(client: Client, reference: str) -> int:
    found, _ = await call(client, "list_bookings", tripReference=reference)
    return len(found["data"])


async def main() -> None:
    async with over_http() as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        shown(f"2026-07-28: {len(names)} tools", {"search_flights", "book_flight"} <= names, names)
        order = {**await offered(client), "tripReference": "sdk-http"}
        shown("searches flights", order["offerId"].startswith("offer_"))
        asked, _ = await call(client, "book_flight", **order)
        shown("is asked for a confirmation", asked["status"] == "confirmation_required", asked)
        refused, is_error = await call(client, "book_flight", **order, confirmationId="made-up")
        shown("is refused with a made-up confirmation", is_error, refused)
        shown("nothing was booked", await count_orders(client, "sdk-http") == 0)
        confirmed = {**order, "confirmationId": asked["confirmationId"]}
        booked, is_error = await call(client, "book_flight", **confirmed)
        shown("books with its confirmation", not is_error and booked["status"] == "ticketed", booked)
        again, _ = await call(client, "book_flight", **confirmed)
        shown("the same confirmation again is the same booking", again["id"] == booked["id"], again)
        await lost_answer(client)
        await cancel(client, booked["id"])

    await with_person()

    async with over_http(LIMITED) as client:
        order = await offered(client)
        asked, _ = await call(client, "book_flight", **order)
        refused, is_error = await call(client, "book_flight", **order, confirmationId=asked["confirmationId"])
        stopped = is_error and refused["error"]["type"] == "spend_limit_exceeded"
        shown("is stopped by the key's spend limit", stopped, refused)

    try:
        async with over_http(REVOKED) as client:
            await client.list_tools()
        shown("a revoked key is refused", False)
    except (MCPError, BaseExceptionGroup) as error:
        shown("a revoked key is refused", "API key was revoked" in cause_of(error), error)

    async with over_http(mode="legacy") as client:
        order = await offered(client)
        asked, _ = await call(client, "book_flight", **order)
        booked, is_error = await call(client, "book_flight", **order, confirmationId=asked["confirmationId"])
        shown("an earlier client, after initialize, books too", not is_error, booked)

    await stdio()


async def lost_answer(client: Client) -> None:
    order = {**await offered(client), "tripReference": "sdk-lost"}
    asked, _ = await call(client, "book_flight", **order)
    confirmed = {**order, "confirmationId": asked["confirmationId"]}
    await lose_answers(1)
    try:
        async with over_http() as another:  # a broken connection ends the client's session
            await another.call_tool("book_flight", confirmed)
        shown("an answer is lost", False)
    except (MCPError, httpx2.HTTPError, BaseExceptionGroup):
        shown("an answer is lost", True)
    await lose_answers(0)
    outcome, _ = await call(client, "get_outcome", confirmationId=asked["confirmationId"])
    shown("the outcome of the lost call is known", outcome["state"] == "done", outcome)
    asked, _ = await call(client, "book_flight", **order)
    again, _ = await call(client, "book_flight", **order, confirmationId=asked["confirmationId"])
    same = again["id"] == outcome["booking"]["id"] and await count_orders(client, "sdk-lost") == 1
    shown("asking again from the start books nothing twice", same, again)


def cause_of(error: BaseException) -> str:
    """The SDK wraps what ends a session in groups."""
    return cause_of(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else str(error)


async def lose_answers(share: int) -> None:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}) as http:
        answer = await http.put(f"{URL}/sandbox/faults", json={"lostAnswerShare": share})
        assert answer.status_code == 200, answer.text


async def cancel(client: Client, booking_id: str) -> None:
    asked, is_error = await call(client, "cancel_booking", id=booking_id)
    shown("cancelling is quoted first", not is_error and "penaltyCents" in asked, asked)
    confirmation = asked["confirmationId"]
    cancelled, is_error = await call(client, "cancel_booking", id=booking_id, confirmationId=confirmation)
    shown("and done with the confirmation", not is_error and cancelled["status"] == "cancelled", cancelled)


async def with_person() -> None:
    """A client that asks its person: the SDK sends the answer with the state of the first result."""
    questions: list[str] = []

    async def agree(_: Any, params: Any) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action="accept", content={"confirm": True})

    async def decline(_: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="decline")

    async with over_http(elicitation_callback=decline) as client:
        order = {**await offered(client), "tripReference": "sdk-person"}
        declined, _ = await call(client, "book_flight", **order)
        shown("a person who declines books nothing", declined == {"status": "declined"}, declined)
    async with over_http(elicitation_callback=agree) as client:
        booked, is_error = await call(client, "book_flight", **order)
        shown(
            "a person who agrees to the price books", not is_error and booked["status"] == "ticketed", booked
        )
        shown("the person saw the price", "Price: " in questions[0], questions)
        shown("once", await count_orders(client, "sdk-person") == 1)


async def stdio() -> None:
    async with over_stdio() as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        shown("stdio: only reads", "search_flights" in names and "book_flight" not in names, names)
        order = await offered(client)
        result = await client.call_tool("book_flight", order)
        shown("stdio: refuses to book", bool(result.is_error), result)
    async with over_stdio("--allow-booking", "--max-total", "1") as client:
        result = await client.call_tool("book_flight", order)
        shown("stdio: keeps a confirmation above --max-total back", bool(result.is_error), result)
    async with over_stdio("--allow-booking", "--max-total", "1000000") as client:
        asked, _ = await call(client, "book_flight", **order)
        booked, is_error = await call(client, "book_flight", **order, confirmationId=asked["confirmationId"])
        shown("stdio: books within --max-total", not is_error and booked["status"] == "ticketed", booked)
    async with over_stdio(mode="legacy") as client:
        balance, is_error = await call(client, "get_balance")
        shown("stdio: an earlier client reads the balance", not is_error, balance)


if __name__ == "__main__":
    asyncio.run(main())
    print("The session went through.")
