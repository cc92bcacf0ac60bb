"""`travel-partner mcp`: what the bridge sends, what it hides, and what it keeps back."""

import json
from typing import Any

import httpx
import pytest
from travel_partner.__main__ import main
from travel_partner.mcp import Bridge
from travel_partner.retries import PATIENT, REAL_TIME
from travel_partner.settings import Settings

TOOLS = [
    {"name": "search_hotels", "annotations": {"readOnlyHint": True}},
    {"name": "book_hotel", "annotations": {"readOnlyHint": False}},
]
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Service:
    """Stands where the service is: lists two tools, and asks for a confirmation of `cents` for what is booked."""

    def __init__(self, cents: int = 5_000) -> None:
        self.cents = cents
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        message = json.loads(request.content)
        return httpx.Response(
            200, json={"jsonrpc": "2.0", "id": message["id"], "result": self.result(message)}
        )

    def result(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "initialize":
            return {"protocolVersion": "2025-06-18"}
        if message["method"] == "tools/list":
            return {"tools": TOOLS}
        params = message["params"]
        if params["name"] == "book_hotel" and "confirmationId" not in params["arguments"]:
            cost = {"travel-partner/cost": {"cents": self.cents, "currency": "EUR"}}
            return {"structuredContent": {"confirmationId": "token"}, "_meta": cost}
        return {"structuredContent": {"status": "done"}}

    @property
    def sent(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


def bridge_to(service: Any, max_total: int | None = None) -> Bridge:
    settings = Settings("svc_test_x", "https://api.example.com/v1/", PATIENT, REAL_TIME)
    return Bridge(settings, httpx.Client(transport=httpx.MockTransport(service)), max_total=max_total)


def ask(bridge: Bridge, method: str, **params: Any) -> dict[str, Any]:
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    answer = bridge.answer(line)
    assert answer is not None
    return answer


def call(bridge: Bridge, name: str, **arguments: Any) -> dict[str, Any]:
    result: dict[str, Any] = ask(bridge, "tools/call", name=name, arguments=arguments)["result"]
    return result


def test_a_message_of_2026_has_its_headers() -> None:
    service = Service()
    ask(bridge_to(service), "tools/call", name="search_hotels", arguments={}, _meta=META)
    request = service.requests[-1]
    assert str(request.url) == "https://api.example.com/mcp"
    assert request.headers["Authorization"] == "Bearer svc_test_x"
    assert request.headers["MCP-Protocol-Version"] == "2026-07-28"
    assert (request.headers["Mcp-Method"], request.headers["Mcp-Name"]) == ("tools/call", "search_hotels")


def test_an_earlier_client_keeps_the_version_that_was_agreed() -> None:
    service = Service()
    bridge = bridge_to(service)
    ask(bridge, "initialize", protocolVersion="2025-06-18")
    ask(bridge, "tools/list")
    versions = [request.headers.get("MCP-Protocol-Version") for request in service.requests]
    assert versions == [None, "2025-06-18"]


def test_without_leave_to_book_only_reading_tools_exist() -> None:
    service = Service()
    bridge = bridge_to(service)
    assert [tool["name"] for tool in ask(bridge, "tools/list")["result"]["tools"]] == ["search_hotels"]
    refused = call(bridge, "book_hotel", rateId="rate_1")
    assert refused["isError"]
    assert "--allow-booking" in refused["content"][0]["text"]
    assert call(bridge, "search_hotels")["structuredContent"] == {"status": "done"}
    assert "book_hotel" not in str(service.sent)


def test_a_confirmation_within_the_limit_is_passed_on() -> None:
    bridge = bridge_to(Service(cents=5_000), max_total=5_000)
    assert call(bridge, "book_hotel")["structuredContent"]["confirmationId"] == "token"
    assert call(bridge, "book_hotel", confirmationId="token")["structuredContent"] == {"status": "done"}


def test_a_confirmation_above_the_limit_is_kept_back() -> None:
    service = Service(cents=5_001)
    bridge = bridge_to(service, max_total=5_000)
    refused = call(bridge, "book_hotel")
    assert refused["isError"]
    assert "token" not in str(refused)
    sent = len(service.requests)
    assert call(bridge, "book_hotel", confirmationId="token")["isError"]
    assert len(service.requests) == sent


@pytest.mark.parametrize(
    ("line", "code"), [(b"{", -32700), (b"[]", -32600), (b'"ping"', -32600), (b"\xff", -32700)]
)
def test_lines_that_are_no_messages(line: bytes, code: int) -> None:
    answer = bridge_to(Service()).answer(line)
    assert answer is not None
    assert answer["error"]["code"] == code


def test_notifications_and_empty_lines_are_dropped() -> None:
    service = Service()
    lines = [b"\n", b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n']
    assert list(bridge_to(service).answers(lines)) == []
    assert not service.requests


def test_no_answer_of_the_service_is_an_error_that_says_so() -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route")

    answer = ask(bridge_to(broken), "ping")
    assert "Send the same call again" in answer["error"]["message"]


def test_an_answer_of_a_proxy_is_an_error() -> None:
    answer = ask(bridge_to(lambda request: httpx.Response(502, text="Bad gateway")), "ping")
    assert "answered 502" in answer["error"]["message"]


@pytest.mark.parametrize("given", [["--allow-booking"], ["--max-total", "500"]])
def test_booking_needs_both_options(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["mcp", *given])
    assert "belong together" in capsys.readouterr().err


def test_without_a_key_it_does_not_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TRAVEL_PARTNER_API_KEY", raising=False)
    with pytest.raises(SystemExit):
        main(["mcp", "--base-url", "https://api.example.com"])
    assert "TRAVEL_PARTNER_API_KEY" in capsys.readouterr().err
