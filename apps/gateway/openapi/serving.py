"""GET /v1/openapi.json and GET /sandbox/openapi.json: the documents, drawn once a process.

That of /v1 leaves out the products that the deployment does not sell. What is served names the deployment's own address in
`servers`; what is committed and compared does not.
"""

import gzip
import hashlib
import re
import threading
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings

from apps.gateway.middleware import accepts_gzip
from apps.gateway.renderers import JSON, render
from apps.keys.scopes import products_not_sold

_drawing = threading.Lock()


def offered_document() -> dict[str, Any]:
    """The document as partners get it: without the products that are not sold here."""
    return without(document(), products_not_sold())


def document() -> dict[str, Any]:
    """The whole document of /v1, made once a process; drf-spectacular cannot draw it in two threads at once."""
    with _drawing:
        return _drawn()


def sandbox_document() -> dict[str, Any]:
    """The document of /sandbox, the controls of a test environment. It is apart from /v1, so that no client of that has them."""
    with _drawing:
        return _drawn(sandbox=True)


@cache
def _drawn(*, sandbox: bool = False) -> dict[str, Any]:
    with patched_settings(settings.SPECTACULAR_SANDBOX_SETTINGS if sandbox else None):
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


@dataclass(frozen=True, slots=True)
class Written:
    """The document as it is sent. The tag is that of these bytes, the same in every process of one release."""

    content: bytes
    etag: str


def written(coding: str = "", *, sandbox: bool = False) -> Written:
    """The document in this coding: "gzip" or none. Called for both as the process starts, so that no request waits for it."""
    return _written(products_not_sold(), settings.PUBLIC_BASE_URL, coding, sandbox=sandbox)


@cache
def _written(absent: frozenset[str], base_url: str, coding: str, *, sandbox: bool) -> Written:
    drawn = sandbox_document() if sandbox else without(document(), absent)
    content = render(served_at(base_url, drawn))
    if coding:
        content = gzip.compress(content, 9, mtime=0)
    return Written(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def served_at(base_url: str, drawn: dict[str, Any]) -> dict[str, Any]:
    """The document with the address of the deployment as its server."""
    (server,) = drawn["servers"]
    return {**drawn, "servers": [{**server, "url": base_url}]}


@method_decorator(csrf_exempt, name="dispatch")  # a POST is a wrong method here, not a forgery
class OpenApiDocument(View):
    """Public. It describes every operation but itself."""

    http_method_names = ["get", "head"]
    sandbox = False

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method not in {"GET", "HEAD"}:  # Django would take `get` as well
            return self.http_method_not_allowed(request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        coding = "gzip" if accepts_gzip(request) else ""
        found = written(coding, sandbox=self.sandbox)
        response = HttpResponse(found.content, content_type=JSON)
        response["ETag"] = found.etag
        response["Cache-Control"] = "public, max-age=60"
        response["Vary"] = "Accept-Encoding"
        if coding:
            response["Content-Encoding"] = coding
        return get_conditional_response(request, etag=found.etag, response=response) or response


# --- The document of a deployment that does not sell every product --------------------------------------------------

Document = dict[str, Any]

WORDS = {"hotels": "hotels", "flights": "flights", "transfers": "transfers", "esim": "eSIM data plans"}
ALL = re.compile("([Hh])otels, flights, transfers and eSIM data plans")
"""How every text lists the four products; the first letter is a capital where a sentence begins."""


def without(document: Document, products: Collection[str]) -> Document:
    """`document` as it is drawn of a service that has none of these products. What is kept is not copied, and not altered.

    All events stay: they may still be sent about what was booked before.
    """
    if not products:
        return document
    paths = {path: entry for path, entry in document["paths"].items() if product_in(path) not in products}
    info = {name: told_without(text, products) for name, text in document["info"].items()}
    tags = [tag for tag in document["tags"] if tag["name"] not in products]
    shown = {**document, "info": info, "tags": tags, "paths": paths}
    schemas = document["components"]["schemas"]
    needed = schemas_needed(shown, schemas)
    components = {
        **document["components"],
        "schemas": {name: schemas[name] for name in schemas if name in needed},
    }
    return {**shown, "components": components}


def product_in(path: str) -> str:
    """`hotels`, of /v1/hotels/rates/{rateId}."""
    parts = path.strip("/").split("/")
    return parts[1] if parts[0] == "v1" and len(parts) > 1 else ""


def told_without(text: Any, products: Collection[str]) -> Any:
    """A text that lists the four products, with those that are sold."""
    if not isinstance(text, str):
        return text
    *most, last = [word for product, word in WORDS.items() if product not in products] or ["travel"]
    listed = f"{', '.join(most)} and {last}" if most else last
    return ALL.sub(lambda all_: listed if all_[1] == "h" else listed[0].upper() + listed[1:], text)


def schemas_needed(document: Document, schemas: Document) -> set[str]:
    """The schemas that the operations refer to, also by way of one another."""
    outside = {**document, "components": {**document["components"], "schemas": {}}}
    found: set[str] = set()
    waiting = list(references(outside))
    while waiting:
        name = waiting.pop()
        if name in schemas and name not in found:
            found.add(name)
            waiting += references(schemas[name])
    return found


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield str(value).removeprefix("#/components/schemas/")
            else:
                yield from references(value)
    elif isinstance(node, list):
        for each in node:
            yield from references(each)
