"""Hostile inputs to /v1 and to the public pages, made by rule from the OpenAPI document: paths, queries, headers, bodies."""

import copy
import http.client
import json
import re
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from apps.gateway.openapi import document
from tests.siege.site import Site

AT_ONCE = 4
PATIENCE_SECONDS = 30.0
WORDS = re.compile(r"\S+")
IN_PATHS = [
    *WORDS.findall("%00 a%0d%0aX-Odd:%20a %2e%2e%2fetc%2fpasswd %F0%9F%98%80 %ff%fe %ED%A0%80 0 -1 * ("),
    *WORDS.findall("% %25 %3Cscript%3E a%2Fb 1e400 %27%20OR%201=1--"),
    *("a" * 65, "a" * 5_000, "9" * 40),
]
IN_QUERIES = [*IN_PATHS, "", *WORDS.findall("101 1_0 %2B5 5.0 null [] 2026-13-01 0000-01-01 2026-W01-1")]
IN_BODIES = [
    *json.loads('[null, true, 0, -1, 1.5, 1e308, "", "  ", "a\\u0000b", "\\ud800", "a\\nb", "5"]'),
    *json.loads('["0000-01-01", "2027-1-1", [], [[[[]]]], [null], {}, {"a": 1}, {"__proto__": {"a": 1}}]'),
    *(2**31, 2**63, 10**60, "a" * 300, "a" * 100_000),
]
WHOLE_BODIES = [
    *(b"{", b'{"a":[', b"[]", b'"a"', b"1", b"null", b'{"limit":NaN}', b'{"limit":1e999}', b"{}{}"),
    *(b"limit=5", b'{"limit":5,"limit":6}', b'{"noSuch":1}', b'{"limit":5,}', b"{'limit':5}"),
    *(b"\xef\xbb\xbf{}", '{"limit":5}'.encode("utf-16"), b"\x80\x04\x95", b"\x00" * 1_024, b"[" * 5_000),
    *(b'{"a":' * 40_000 + b"1" + b"}" * 40_000, json.dumps({f"a{n}": 1 for n in range(2_000)}).encode()),
    b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
]
HOSTILE_HEADERS = {
    "Authorization": ["Bearer", "Bearer " + "a" * 5_000, "Basic YTpi", "Bearer é", "a b c"],
    "X-Partner-Customer-Ref": ["sbx_", "sbx_é", "sbx_unknown", "sbx_" + "a" * 5_000],
    "Idempotency-Key": ["", "short", "a" * 256, "clé-unique-1", "with\ta\ttab"],
    "Content-Type": ["text/plain", "application/json; charset=utf-16", "json", "*/*"],
    "Content-Encoding": ["gzip"],
    "Expect": ["200-maybe"],
    "Accept": ["text/html"],
    "X" * 3_000: ["a"],
}
HEADERS = [{name: value} for name, values in HOSTILE_HEADERS.items() for value in values]
METHODS = ("PUT", "OPTIONS", "TRACE", "BREW", "PROPFIND")
PAGES = (
    "/",
    "/static/",
    "/docs/guides/",
    "/docs/errors/",
    "/esim/qr/",
    "/account/invitation/",
    "/suppliers/",
)


@dataclass(frozen=True)
class Input:
    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    rejected: bool = False
    """By the document it is wrong: a 2xx would take it silently."""

    def __str__(self) -> str:
        return f"{self.method} {self.path[:90]} {str(self.headers)[:90]} {self.body[:90]!r}"


@dataclass(frozen=True)
class Result:
    input: Input
    status: int
    body: bytes

    def faults(self) -> Iterator[str]:
        if not self.status or self.status >= 500:
            yield f"{self.input}: {self.status} {self.body[:200]!r}"
        elif self.input.rejected and self.status < 400:
            yield f"{self.input}: taken with {self.status}"
        elif self.status >= 400 and self.input.path.startswith("/v1/") and not self.is_enveloped:
            yield f"{self.input}: {self.status} without the envelope"

    @property
    def is_enveloped(self) -> bool:
        try:
            return {"type", "message", "requestId"} <= json.loads(self.body)["error"].keys()
        except (ValueError, KeyError, TypeError, AttributeError):
            return False


def inputs() -> list[Input]:
    found = [Input("GET", page + value) for page in PAGES for value in IN_PATHS]
    for path, operations in document()["paths"].items():
        filled = re.sub(r"\{\w+\}", "unknown_01", path)
        found += [Input(method, filled, rejected=True) for method in METHODS]
        for method, operation in operations.items():
            if path.startswith("/v1/") and path not in ("/v1/ping", "/v1/openapi.json"):
                found += of_operation(method.upper(), path, filled, operation)
    return found


def of_operation(method: str, path: str, filled: str, operation: dict[str, Any]) -> Iterator[Input]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    body = b"{}" if content else b""
    if "{" in path:
        for value in IN_PATHS:
            yield Input(method, re.sub(r"\{\w+\}", value, path), body=body, rejected=True)
    for parameter in operation.get("parameters", ()):
        told = resolved(parameter)
        if told["in"] == "query":
            yield from (Input(method, f"{filled}?{told['name']}={value}") for value in IN_QUERIES)
    yield Input(method, filled + "?" + "&".join(f"a{n}=1" for n in range(1_000)), body=body)
    yield from (Input(method, filled, headers, body) for headers in HEADERS)
    if content:
        yield from (Input(method, filled, body=whole, rejected=True) for whole in WHOLE_BODIES)
        examples = [example["value"] for example in content.get("examples", {}).values()] or [{}]
        for place in places(examples[0]):
            yield from (
                Input(method, filled, body=replaced(examples[0], place, value)) for value in IN_BODIES
            )


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    found: dict[str, Any] = document()["components"]["parameters"][part["$ref"].rpartition("/")[2]]
    return found


def places(value: object, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every member at every depth, and the first item of each list."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    )
    for name, below in members:
        yield (*above, name)
        yield from places(below, (*above, name))


def replaced(body: Any, place: tuple[Any, ...], value: object) -> bytes:
    changed = copy.deepcopy(body)
    at = changed
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    return json.dumps(changed).encode()


def send_all(site: Site, sent: list[Input]) -> list[Result]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda one: send(site, one), sent))


def send(site: Site, sent: Input) -> Result:
    headers = {
        "Authorization": f"Bearer {site.keys['heavy']['test']}",
        "Idempotency-Key": f"hostile-{uuid.uuid4()}",
        "Content-Type": "application/json",
        **sent.headers,
        "Connection": "close",
    }
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_SECONDS)
    try:
        connection.request(sent.method, sent.path, sent.body, headers)
        answer = connection.getresponse()
        return Result(sent, answer.status, answer.read())
    except (OSError, http.client.HTTPException) as error:
        return Result(sent, 0, repr(error).encode())
    finally:
        connection.close()
