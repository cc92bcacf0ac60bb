"""`travel-partner mcp`: the service's tools for assistants, over standard input and output.

A thin bridge to the service's `/mcp` for clients that start a program instead of calling an address. It adds two limits of your
own machine: without `allow_booking` only tools that read exist, and no confirmation above `max_total` reaches the assistant.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import httpx

from travel_partner.settings import USER_AGENT, Settings

Message = dict[str, Any]

SECONDS = 90.0
"""Longer than the service waits for a supplier."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
COST_KEY = "travel-partner/cost"
PLAIN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
AGAIN = "Send the same call again: nothing is done twice."
PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603


class Bridge:
    """Answers JSON-RPC messages. `max_total`, in minor units, is the most that one call may cost; None: nothing is booked."""

    def __init__(self, settings: Settings, http: httpx.Client, *, max_total: int | None = None) -> None:
        self._settings, self._http, self._max_total = settings, http, max_total
        self._version = ""
        self._reading: frozenset[str] | None = None
        self._agreed: set[str] = set()

    def answers(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """One line for each request. Notifications need nothing from the service and get no answer."""
        for line in lines:
            if line.strip() and (answer := self.answer(line)) is not None:
                yield json.dumps(answer, ensure_ascii=False).encode() + b"\n"

    def answer(self, line: bytes) -> Message | None:
        try:
            message = json.loads(line)
        except ValueError:
            return failed(None, PARSE_ERROR, "The line is not JSON.")
        if not isinstance(message, dict):
            return failed(None, INVALID_REQUEST, "Send one message in each line; batches are not supported.")
        if "id" not in message:
            return None
        try:
            return self._answer(message)
        except httpx.HTTPError as error:
            why = f"The service did not answer ({type(error).__name__}). {AGAIN}"
            return failed(message["id"], INTERNAL_ERROR, why)

    def _answer(self, message: Message) -> Message:
        method, params = message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        if method == "tools/call" and (why := self._why_not(params)):
            return refused(message, why)
        answer = self._send(message)
        result = answer.get("result")
        if not isinstance(result, dict):
            return answer
        if method == "initialize":
            self._version = str(result.get("protocolVersion", ""))
        if method == "tools/list" and self._max_total is None:
            result["tools"] = [tool for tool in result.get("tools", ()) if is_reading(tool)]
        if method == "tools/call" and (why := self._too_expensive(result)):
            return refused(message, why)
        return answer

    def _why_not(self, params: Message) -> str:
        """Why a call is not sent; empty for one that is."""
        if str(params.get("name")) in self._tools_that_read():
            return ""
        if self._max_total is None:
            return "This connection only reads. Start it with --allow-booking and --max-total to book and cancel."
        arguments = params.get("arguments")
        sent = arguments.get("confirmationId") if isinstance(arguments, dict) else None
        for token in (sent, params.get("requestState")):
            if token and not (isinstance(token, str) and token in self._agreed):
                return "This confirmation was not given over this connection. Call without it to get the price again."
        return ""

    def _too_expensive(self, result: Message) -> str:
        """Why the confirmation in a result is kept back; empty without one, or if the person may give it."""
        meta = result.get("_meta")
        cost = meta.get(COST_KEY) if isinstance(meta, dict) else None
        if not isinstance(cost, dict):
            return ""
        cents = cost.get("cents")
        if self._max_total is None or not isinstance(cents, int) or cents > self._max_total:
            return (
                f"This costs {cents} {cost.get('currency')} in minor units, above the limit of this connection "
                f"(--max-total {self._max_total}). Nothing was done."
            )
        found = result.get("structuredContent")
        confirmation = found.get("confirmationId") if isinstance(found, dict) else None
        self._agreed |= {token for token in (confirmation, result.get("requestState")) if token}
        return ""

    def _tools_that_read(self) -> frozenset[str]:
        if self._reading is None:
            answer = self._send({"jsonrpc": "2.0", "id": "tools", "method": "tools/list"})
            tools = answer.get("result", {}).get("tools", ())
            found = frozenset(str(tool.get("name")) for tool in tools if is_reading(tool))
            if "result" not in answer:
                return found
            self._reading = found
        return self._reading

    def _send(self, message: Message) -> Message:
        response = self._http.post(
            f"{self._settings.base_url}/mcp",
            content=json.dumps(message).encode(),
            headers={**self._headers(message), "User-Agent": USER_AGENT},
            auth=self._settings.key,
            follow_redirects=False,
            timeout=SECONDS,
        )
        try:
            answer = response.json()
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or "jsonrpc" not in answer:
            why = (
                f"{self._settings.base_url}/mcp answered {response.status_code}, and not in JSON-RPC. {AGAIN}"
            )
            return failed(message["id"], INTERNAL_ERROR, why)
        return {**answer, "id": message["id"]}

    def _headers(self, message: Message) -> dict[str, str]:
        """What the specification of 2026-07-28 repeats in headers; before it the version alone."""
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        if version is None:
            return {**headers, "MCP-Protocol-Version": self._version} if self._version else headers
        headers |= {
            "MCP-Protocol-Version": in_header(version),
            "Mcp-Method": in_header(message.get("method")),
        }
        return {**headers, "Mcp-Name": in_header(params["name"])} if "name" in params else headers


def is_reading(tool: Message) -> bool:
    annotations = tool.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


def in_header(value: object) -> str:
    text = str(value)
    if PLAIN.fullmatch(text) and not text.startswith("=?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode(errors='replace')).decode()}?="


def failed(identifier: object, code: int, message: str) -> Message:
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": message}}


def refused(message: Message, why: str) -> Message:
    """The result of a tool call that is not made, for the assistant to read."""
    result = {"resultType": "complete", "content": [{"type": "text", "text": why}], "isError": True}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}
