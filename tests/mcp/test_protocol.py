import json
from typing import Any

import pytest
from django.test import Client

from apps.keys.models import ApiKey
from apps.keys.services import revoke_key
from tests.mcp.assistant import LATEST, Assistant
from tests.support.api import Api

pytestmark = pytest.mark.django_db

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


def test_discovery_names_the_versions_and_the_tools(assistant: Assistant) -> None:
    reply = assistant.ask("server/discover")
    result = reply.body["result"]
    assert (reply.status, reply.headers["Cache-Control"]) == (200, "no-store")
    assert result["supportedVersions"][0] == LATEST
    assert result["resultType"] == "complete"
    assert result["capabilities"] == {"tools": {}}
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "travel-partner-api"


@pytest.mark.parametrize(
    ("asked", "answered"),
    [("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25")],
)
def test_an_earlier_client_begins_with_initialize_and_gets_no_session(
    api: Api, asked: str, answered: str
) -> None:
    assistant = Assistant(api, version=answered)
    reply = assistant.ask(
        "initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "a", "version": "1"}
    )
    assert reply.body["result"]["protocolVersion"] == answered
    assert "Mcp-Session-Id" not in reply.headers
    assert assistant.send({"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
    assert "search_hotels" in assistant.tools()
    assert assistant.ask("ping").body["result"] == {}


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD", "get"])
def test_only_posts_are_taken(assistant: Assistant, method: str) -> None:
    reply = assistant.send({}, method=method)
    assert (reply.status, reply.headers["Allow"]) == (405, "POST")


WRONG: list[tuple[str, Any, int, int]] = [
    ("no JSON", b"{", 400, -32700),
    ("no UTF-8", b'{"a": "\xff"}', 400, -32700),
    ("a batch", [PING, PING], 400, -32600),
    ("an empty batch", [], 400, -32600),
    ("nothing", {}, 400, -32600),
    ("a text", b'"ping"', 400, -32700),
    ("another version of JSON-RPC", {**PING, "jsonrpc": "1.0"}, 400, -32600),
    ("an id that is a list", {**PING, "id": [1]}, 400, -32600),
    ("an id that is null", {**PING, "id": None}, 400, -32600),
    ("an id that no double holds", {**PING, "id": 10**40}, 400, -32600),
    ("an id that is true", {**PING, "id": True}, 400, -32600),
    ("no method", {"jsonrpc": "2.0", "id": 1}, 400, -32600),
    ("an answer", {"jsonrpc": "2.0", "id": 1, "result": {}}, 400, -32600),
    ("params that are a list", {**PING, "params": []}, 400, -32602),
    ("too deep", b'{"a":' * 40 + b"1" + b"}" * 40, 400, -32700),
    ("too large", b" " * (256 * 1024 + 1), 413, -32600),
]


@pytest.mark.parametrize(("body", "status", "code"), [case[1:] for case in WRONG], ids=[w[0] for w in WRONG])
def test_malformed_messages_get_json_rpc_errors(
    assistant: Assistant, body: Any, status: int, code: int
) -> None:
    reply = assistant.send(body)
    assert reply.status == status, reply.body
    assert (reply.body["jsonrpc"], reply.body["error"]["code"]) == ("2.0", code)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Encoding": "gzip"}, 415),
        ({"Origin": "https://evil.example"}, 403),
        ({"Host": "evil.example"}, 400),
        ({"Transfer-Encoding": "chunked"}, 400),
    ],
)
def test_unfit_requests_get_json_rpc_errors(
    assistant: Assistant, headers: dict[str, str], status: int
) -> None:
    reply = assistant.send(PING, **headers)
    assert (reply.status, reply.body["error"]["code"]) == (status, -32600)


def test_a_page_of_this_host_may_call(assistant: Assistant) -> None:
    assert assistant.send(PING, Origin="http://testserver").body == {"jsonrpc": "2.0", "id": 7, "result": {}}


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"MCP-Protocol-Version": "2025-06-18"}, -32020),
        ({"Mcp-Method": "tools/list"}, -32020),
        ({"Mcp-Name": "get_booking"}, -32020),
        ({"Mcp-Name": "=?base64?***?="}, -32020),
    ],
)
def test_headers_that_contradict_the_message_are_refused(
    assistant: Assistant, headers: dict[str, str], code: int
) -> None:
    reply = assistant.ask("tools/call", headers, name="get_balance", arguments={})
    assert (reply.status, reply.body["error"]["code"]) == (400, code)


def test_a_wrapped_name_is_read(assistant: Assistant) -> None:
    reply = assistant.ask(
        "tools/call", {"Mcp-Name": "=?base64?Z2V0X2JhbGFuY2U=?="}, name="get_balance", arguments={}
    )
    assert reply.status == 200


def test_the_refusal_of_an_unknown_version_names_the_known_ones(assistant: Assistant) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}
    reply = assistant.send(message, **{"MCP-Protocol-Version": "2099-01-01", "Mcp-Method": "tools/list"})
    assert (reply.status, reply.body["error"]["code"]) == (400, -32022)
    assert LATEST in reply.body["error"]["data"]["supported"]


def test_a_modern_message_says_what_its_client_is_able_to_do(assistant: Assistant) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    reply = assistant.send(message, **{"MCP-Protocol-Version": LATEST, "Mcp-Method": "tools/list"})
    assert (reply.status, reply.body["error"]["code"]) == (400, -32602)


@pytest.mark.parametrize(
    "method", ["ping", "initialize", "resources/list", "prompts/get", "logging/setLevel"]
)
def test_unknown_methods(assistant: Assistant, method: str) -> None:
    reply = assistant.ask(method)
    assert (reply.status, reply.body["error"]["code"]) == (404, -32601)
    earlier = Assistant(assistant.api, version="2025-06-18").ask("resources/list")
    assert (earlier.status, earlier.body["error"]["code"]) == (200, -32601)


def test_unknown_tools_and_arguments_of_another_form(assistant: Assistant) -> None:
    unknown = assistant.ask("tools/call", name="book_cruise", arguments={})
    assert (unknown.status, unknown.body["error"]["code"]) == (400, -32602)
    listed = assistant.ask("tools/call", name="get_balance", arguments=[1])
    assert (listed.status, listed.body["error"]["code"]) == (400, -32602)


@pytest.mark.parametrize("method", ["server/discover", "tools/list", "tools/call", "nothing"])
@pytest.mark.parametrize(
    ("authorization", "type_", "challenge"),
    [
        ("", "authentication_required", "Bearer"),
        ("Bearer svc_test_nothing", "invalid_api_key", 'Bearer error="invalid_token"'),
    ],
)
def test_without_a_valid_key(
    assistant: Assistant, method: str, authorization: str, type_: str, challenge: str
) -> None:
    assistant.headers["Authorization"] = authorization
    name = {"name": "get_balance", "arguments": {}} if method == "tools/call" else {}
    reply = assistant.ask(method, **name)
    assert (reply.status, reply.headers["WWW-Authenticate"]) == (401, challenge)
    assert reply.body["error"]["data"]["type"] == type_


def test_a_revoked_key(assistant: Assistant) -> None:
    revoke_key(key=ApiKey.objects.get())
    reply = assistant.ask("tools/call", name="get_balance", arguments={})
    assert (reply.status, reply.body["error"]["data"]["type"]) == (401, "api_key_revoked")


def test_notifications_are_taken_and_dropped(assistant: Assistant) -> None:
    reply = assistant.send(
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    )
    assert (reply.status, reply.content) == (202, b"")


def test_large_answers_are_compressed(api: Api) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    headers = {"Authorization": f"Bearer {api.secret}", "Accept-Encoding": "gzip"}
    reply = Client().generic("POST", "/mcp", body, content_type="application/json", headers=headers)
    assert reply["Content-Encoding"] == "gzip"
