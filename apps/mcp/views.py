"""POST /mcp: the Model Context Protocol, specification 2026-07-28, for assistants.

Each request is complete in itself: no session, no stream. `initialize` of earlier versions gets an answer, and nothing is kept of
it. Errors of the protocol are JSON-RPC errors; a refused tool call is a result with `isError`, which assistants read.
"""

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from apps.common.errors import InvalidRequest, PayloadTooLarge
from apps.gateway.exceptions import from_exception
from apps.gateway.faults import LostAnswer
from apps.gateway.middleware import refuse_unreadable_length
from apps.gateway.parsers import parse, refuse_other_types
from apps.gateway.renderers import JSON
from apps.mcp.calls import Outcome, admit
from apps.mcp.tools import CONFIRM, TOOLS, Result, Turn, open_to

LATEST = "2026-07-28"
HANDSHAKE_VERSIONS = ("2025-06-18", "2025-11-25")
"""Versions that begin with `initialize`."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
LARGEST_ID = 2**53
TTL_MILLISECONDS = 300_000
"""How long a client may keep the list of tools."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR = -32603
REFUSED, HEADER_MISMATCH, UNSUPPORTED_VERSION = -32001, -32020, -32022

INSTRUCTIONS = (
    "Search, book and manage hotels, flights, transfers and eSIM plans. Amounts are integers in minor units (cents). Book and "
    "cancel in two steps: the first call returns price and terms, the second, with the confirmationId, acts. Always let the "
    "person agree in between. If an answer is lost, send the same call again: nothing is booked twice."
)


class Fault(Exception):
    """An error of the protocol, as a JSON-RPC error."""

    def __init__(
        self,
        code: int,
        message: str,
        status: int = 400,
        *,
        data: object = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.code, self.message, self.status, self.data, self.headers = (
            code,
            message,
            status,
            data,
            headers or {},
        )
        super().__init__(message)

    @classmethod
    def of(cls, outcome: Outcome) -> "Fault":
        """A refusal of the gateway that no tool call can report: a key that is missing, unknown or revoked, a full window."""
        error, headers = outcome.error, dict[str, str]()
        if outcome.status == 401:
            lacks_key = error["type"] == "authentication_required"
            headers["WWW-Authenticate"] = "Bearer" if lacks_key else 'Bearer error="invalid_token"'
        if error.get("retryAfter"):
            headers["Retry-After"] = str(error["retryAfter"])
        return cls(REFUSED, error["message"], outcome.status, data=error, headers=headers)


@dataclass(frozen=True, slots=True)
class Message:
    """A JSON-RPC request. `is_modern`: of 2026-07-28, so that it says itself what the client is able to do."""

    request: HttpRequest
    id: str | int
    method: str
    params: dict[str, Any]
    is_modern: bool

    @property
    def meta(self) -> dict[str, Any]:
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


@csrf_exempt
def mcp(request: HttpRequest) -> HttpResponse:
    response = respond(request)
    response["Cache-Control"] = "no-store"
    response["Content-Length"] = str(len(response.content))
    return response


def respond(request: HttpRequest) -> HttpResponse:
    message: dict[str, Any] = {}
    try:
        refuse_unfit(request)
        message = read(request)
        if "id" not in message and isinstance(message.get("method"), str):
            return HttpResponse(status=202)  # a notification: none of them needs work
        return answer(message_of(request, message))
    except Fault as fault:
        failed = fault
    except Exception as error:
        refusal = from_exception(error)
        code = INVALID_REQUEST if refusal.status_code < 500 else INTERNAL_ERROR
        failed = Fault(code, refusal.message, refusal.status_code, headers=refusal.headers)
    wrong: dict[str, Any] = {"code": failed.code, "message": failed.message}
    if failed.data is not None:
        wrong["data"] = failed.data
    return json_response(
        {"jsonrpc": "2.0", "id": identifier_of(message), "error": wrong}, failed.status, failed.headers
    )


def json_response(
    body: object,
    status: int = 200,
    headers: dict[str, str] | None = None,
    *,
    kind: type[HttpResponse] = HttpResponse,
) -> HttpResponse:
    return kind(orjson.dumps(body), content_type=JSON, status=status, headers=headers or {})


# --- What comes in --------------------------------------------------------------------------------------------------------


def refuse_unfit(request: HttpRequest) -> None:
    """Raises Fault or GatewayError for what is no message at all."""
    if request.META["REQUEST_METHOD"] != "POST":
        raise Fault(INVALID_REQUEST, "Send messages by POST.", 405, headers={"Allow": "POST"})
    host = request.get_host()  # raises DisallowedHost
    origin = request.META.get("HTTP_ORIGIN", "")
    if origin and urlsplit(origin).netloc != host:
        raise Fault(INVALID_REQUEST, "Calls from pages of other origins are refused.", 403)
    refuse_unreadable_length(request)
    refuse_other_types(request.META)


def read(request: HttpRequest) -> dict[str, Any]:
    """The message in the body. Raises Fault, or PayloadTooLarge."""
    try:
        raw = request.read()
    except OSError:
        raw = b""
    if len(raw) > settings.MAX_BODY_BYTES:
        raise PayloadTooLarge.above(settings.MAX_BODY_BYTES)
    if raw.lstrip()[:1] == b"[":
        raise Fault(INVALID_REQUEST, "Batches are not supported; send one message in each request.")
    try:
        return parse(raw)
    except InvalidRequest as error:
        raise Fault(PARSE_ERROR, f"The body is not a JSON-RPC message. {error.message}") from None


def identifier_of(message: dict[str, Any]) -> str | int | None:
    """None if an answer cannot repeat it."""
    identifier = message.get("id")
    if isinstance(identifier, str):
        return identifier
    if isinstance(identifier, int) and not isinstance(identifier, bool) and abs(identifier) <= LARGEST_ID:
        return identifier
    return None


def message_of(request: HttpRequest, sent: dict[str, Any]) -> Message:
    """Raises Fault."""
    identifier, method, params = identifier_of(sent), sent.get("method"), sent.get("params", {})
    if sent.get("jsonrpc") != "2.0" or identifier is None or not isinstance(method, str):
        raise Fault(
            INVALID_REQUEST, 'A request has jsonrpc: "2.0", an id (a string or an integer) and a method.'
        )
    if not isinstance(params, dict):
        raise Fault(INVALID_PARAMS, "params must be an object.")
    version = request.META.get("HTTP_MCP_PROTOCOL_VERSION", "")
    meta = params.get("_meta")
    declares = isinstance(meta, dict) and VERSION_KEY in meta
    by_header = method == "server/discover" or (bool(version) and version not in HANDSHAKE_VERSIONS)
    is_modern = declares or (by_header and method != "initialize")
    message = Message(request, identifier, method, params, is_modern)
    if message.is_modern:
        refuse_contradictions(message, version)
    return message


def refuse_contradictions(message: Message, version: str) -> None:
    """What 2026-07-28 says twice, in headers for proxies and in the message, is the same. Raises Fault."""
    meta = message.meta
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]
    if missing:
        raise Fault(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}.")
    if version != meta[VERSION_KEY]:
        raise Fault(HEADER_MISMATCH, "The header MCP-Protocol-Version is not the version in params._meta.")
    headers = message.request.META
    if headers.get("HTTP_MCP_METHOD") != message.method:
        raise Fault(HEADER_MISMATCH, "The header Mcp-Method is not the method of the message.")
    name = message.params.get("name")
    if (
        message.method == "tools/call"
        and name is not None
        and decoded(headers.get("HTTP_MCP_NAME", "")) != name
    ):
        raise Fault(HEADER_MISMATCH, "The header Mcp-Name is not the name of the tool.")
    if version != LATEST:
        supported = {"supported": [LATEST, *HANDSHAKE_VERSIONS], "requested": version}
        raise Fault(UNSUPPORTED_VERSION, "This protocol version is not supported.", data=supported)


def decoded(value: str) -> str:
    """A header's value that was wrapped as `=?base64?…?=` because it is no plain text."""
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


# --- What goes out ----------------------------------------------------------------------------------------------------------


def answer(message: Message) -> HttpResponse:
    """Raises Fault."""
    if message.method == "tools/call":
        return call_tool(message)
    admitted = admit(message.request)
    if admitted.is_refusal:
        raise Fault.of(admitted)
    handler = (MODERN if message.is_modern else EARLIER).get(message.method)
    if handler is None:
        status = 404 if message.is_modern else 200
        raise Fault(METHOD_NOT_FOUND, "There is no such method.", status)
    return result_response(message, handler(message, admitted))


def result_response(message: Message, result: dict[str, Any]) -> HttpResponse:
    return json_response({"jsonrpc": "2.0", "id": message.id, "result": completed(message, result)})


def completed(message: Message, result: dict[str, Any]) -> dict[str, Any]:
    if not message.is_modern:
        return result
    meta = {SERVER_KEY: server_info(), **result.get("_meta", {})}
    return {"resultType": "complete", **result, "_meta": meta}


def server_info() -> dict[str, str]:
    version = str(settings.SPECTACULAR_SETTINGS["VERSION"])
    return {"name": "travel-partner-api", "title": "Travel Partner API", "version": version}


def initialize(message: Message, _: Outcome) -> dict[str, Any]:
    asked = message.params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "capabilities": {"tools": {}},
        "serverInfo": server_info(),
        "instructions": INSTRUCTIONS,
    }


def discover(_message: Message, _: Outcome) -> dict[str, Any]:
    return {
        "supportedVersions": [LATEST, *HANDSHAKE_VERSIONS],
        "capabilities": {"tools": {}},
        "instructions": INSTRUCTIONS,
        "ttlMs": TTL_MILLISECONDS,
        "cacheScope": "private",
    }


def list_tools(message: Message, admitted: Outcome) -> dict[str, Any]:
    if message.params.get("cursor") is not None:
        raise Fault(INVALID_PARAMS, "The list has one page; there are no cursors.")
    tools = open_to(set(admitted.body["scopes"]), admitted.body["environment"])
    if not message.is_modern:
        return {"tools": tools}
    return {"tools": tools, "ttlMs": TTL_MILLISECONDS, "cacheScope": "private"}


def pong(_message: Message, _: Outcome) -> dict[str, Any]:
    return {}


Handler = Callable[[Message, Outcome], dict[str, Any]]
MODERN: dict[str, Handler] = {"server/discover": discover, "tools/list": list_tools}
EARLIER: dict[str, Handler] = {"initialize": initialize, "ping": pong, "tools/list": list_tools}


# --- tools/call -------------------------------------------------------------------------------------------------------------


def call_tool(message: Message) -> HttpResponse:
    """Raises Fault for an unknown tool, and for a key that opens nothing."""
    params = message.params
    tool, arguments = TOOLS.get(str(params.get("name"))), params.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise Fault(INVALID_PARAMS, "arguments must be an object.")
    if tool is None:
        admitted = admit(message.request)
        raise Fault.of(admitted) if admitted.is_refusal else Fault(INVALID_PARAMS, "There is no such tool.")
    result = tool.answer(turn_of(message), arguments)
    if result.status == 401:
        raise Fault.of(Outcome(result.status, result.data))
    body = {"jsonrpc": "2.0", "id": message.id, "result": completed(message, written(result))}
    return json_response(body, kind=LostAnswer if result.is_lost else HttpResponse)


def turn_of(message: Message) -> Turn:
    """Raises Fault."""
    if not message.is_modern:
        return Turn(message.request)
    capabilities, params = message.meta[CAPABILITIES_KEY], message.params
    state, responses = params.get("requestState") or "", params.get("inputResponses") or {}
    if not isinstance(capabilities, dict) or not isinstance(state, str) or not isinstance(responses, dict):
        raise Fault(INVALID_PARAMS, "Capabilities and inputResponses are objects, requestState is a string.")
    elicitation = capabilities.get("elicitation")
    asks_people = isinstance(elicitation, dict) and ("form" in elicitation or not elicitation)
    return Turn(message.request, asks_people, state, responses)


def written(result: Result) -> dict[str, Any]:
    """The result of a call. It has the data twice: many clients show an assistant nothing but the texts."""
    meta = {"_meta": result.meta} if result.meta else {}
    if result.question:
        return {
            "resultType": "input_required",
            "inputRequests": {CONFIRM: elicitation_of(result.question)},
            "requestState": result.state,
            **meta,
        }
    texts = [result.text, orjson.dumps(result.data).decode()]
    found = {
        "content": [{"type": "text", "text": text} for text in texts],
        "structuredContent": result.data,
        **meta,
    }
    return {**found, "isError": True} if result.is_error else found


def elicitation_of(question: str) -> dict[str, Any]:
    agreement = {"type": "boolean", "title": "I agree to the price and the terms", "default": False}
    schema = {"type": "object", "properties": {CONFIRM: agreement}, "required": [CONFIRM]}
    return {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": question, "requestedSchema": schema},
    }
