"""An assistant that speaks JSON-RPC by hand, of 2026-07-28 or of an earlier version."""

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.support.api import Api, Reply

LATEST = "2026-07-28"
NUMBERS = count(1)


@dataclass
class Assistant:
    api: Api
    version: str = LATEST
    asks_people: bool = False
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, body: object, *, method: str = "POST", **headers: str) -> Reply:
        """The document of /v1 has no /mcp, so nothing is compared with it."""
        sent = {"Authorization": f"Bearer {self.api.secret}", **self.headers, **headers}
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        media = sent.pop("Content-Type", "application/json")
        response = self.api.client.generic(
            method, "/mcp", raw, content_type=media, headers=sent, REMOTE_ADDR=self.api.address
        )
        content = b"".join(response)  # raises for an answer that the sandbox loses
        parsed = json.loads(content) if content else None
        return Reply(response.status_code, parsed, response.headers, content)

    def ask(self, method: str, _headers: dict[str, str] | None = None, **params: Any) -> Reply:
        headers = {"MCP-Protocol-Version": self.version}
        if self.version == LATEST:
            capabilities = {"elicitation": {"form": {}}} if self.asks_people else {}
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": self.version,
                "io.modelcontextprotocol/clientCapabilities": capabilities,
                "io.modelcontextprotocol/clientInfo": {"name": "by-hand", "version": "1"},
            }
            headers["Mcp-Method"] = method
            if "name" in params:
                headers["Mcp-Name"] = params["name"]
        message = {"jsonrpc": "2.0", "id": next(NUMBERS), "method": method, "params": params}
        reply = self.send(message, **{**headers, **(_headers or {})})
        if isinstance(reply.body, dict):
            assert reply.body["jsonrpc"] == "2.0"
        return reply

    def tools(self) -> dict[str, Any]:
        return {tool["name"]: tool for tool in self.ask("tools/list").body["result"]["tools"]}

    def call(self, name: str, /, _more: dict[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        reply = self.ask("tools/call", name=name, arguments=arguments, **(_more or {}))
        assert reply.status == 200, reply.body
        result = reply.body["result"]
        if "content" in result:
            assert json.loads(result["content"][1]["text"]) == result["structuredContent"]
        return result

    def data(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """What a tool found, which must not refuse."""
        result = self.call(name, **arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]

    def refusal(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        result = self.call(name, **arguments)
        assert result["isError"] is True, result
        return result["structuredContent"]["error"]
