"""What programs expect at fixed addresses: llms.txt, the API catalogue, security.txt, robots.txt, a sitemap, a feed."""

import gzip
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import groupby

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.docs.pages import of_changelog, texts
from apps.docs.rendering import from_text
from apps.docs.views import as_markdown
from apps.gateway.middleware import accepts_gzip
from apps.gateway.openapi.serving import told_without
from apps.gateway.renderers import JSON
from apps.keys.scopes import products_not_sold

NAME = "Travel Partner API"
SUMMARY = "Hotels, flights, transfers and eSIM data plans through one HTTP/JSON API: search, book, change, cancel, read back."
CATALOGUE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
SECURITY_DAYS = 180
RELEASED = settings.BASE_DIR / "apps" / "docs" / "released"
"""The documents of the releases; `tests.contract.ratchet.releases` writes them."""
RELEASE = re.compile(r"^## (\S+) — (\d{4}-\d{2}-\d{2})\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def absolute(path: str) -> str:
    return f"{settings.PUBLIC_BASE_URL}{path}"


@require_safe
def llms(_request: HttpRequest) -> HttpResponse:
    """An index of the pages for language models (llmstxt.org)."""
    return as_markdown(overview())


def overview() -> str:
    parts = [
        f"# {NAME}",
        f"> {told_without(SUMMARY, products_not_sold())}",
        f"The OpenAPI document: {absolute('/v1/openapi.json')}",
    ]
    for group, pages in groupby(texts(), key=lambda text: text.group):
        lines = [
            f"- [{page.title}]({absolute(page.path)}.md): {page.summary}".removesuffix(": ") for page in pages
        ]
        parts.append(f"## {group}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


@require_safe
def llms_full(_request: HttpRequest) -> HttpResponse:
    """All pages in one document."""
    return as_markdown(_whole(clock.today(), settings.PUBLIC_BASE_URL))


@lru_cache(maxsize=1)
def _whole(_day: date, _base_url: str) -> str:
    return "\n\n---\n\n".join(text.write().strip() for text in texts()) + "\n"


@require_safe
def released(request: HttpRequest, version: str) -> HttpResponse:
    """The OpenAPI document of a release, as it was published."""
    file = RELEASED / f"{version}.json.gz"
    if not file.is_file():
        raise Http404
    content, compressed = file.read_bytes(), accepts_gzip(request)
    response = HttpResponse(content if compressed else gzip.decompress(content), content_type=JSON)
    if compressed:
        response["Content-Encoding"] = "gzip"
    response["Cache-Control"] = "public, max-age=86400"
    response["Vary"] = "Accept-Encoding"
    return response


@require_safe
def api_catalog(_request: HttpRequest) -> HttpResponse:
    """RFC 9727: which APIs are here, and where each is described."""
    api = absolute("/v1")
    described = {
        "anchor": api,
        "service-desc": [{"href": absolute("/v1/openapi.json"), "type": "application/json"}],
        "service-doc": [
            {"href": absolute("/docs/"), "type": "text/html"},
            {"href": absolute("/llms.txt"), "type": "text/markdown"},
        ],
        "status": [{"href": settings.STATUS_URL or absolute("/health/ready")}],
    }
    catalogue = absolute("/.well-known/api-catalog")
    response = JsonResponse({"linkset": [{"anchor": catalogue, "item": [{"href": api}]}, described]})
    response["Content-Type"] = CATALOGUE
    response["Link"] = f'<{catalogue}>; rel="api-catalog"'
    return response


@require_safe
def security(_request: HttpRequest) -> HttpResponse:
    """RFC 9116: where to report a vulnerability. 404 without SUPPORT_EMAIL."""
    if not settings.SUPPORT_EMAIL:
        raise Http404
    expires = datetime.combine(clock.today() + timedelta(days=SECURITY_DAYS), time(), UTC)
    lines = [
        f"Contact: mailto:{settings.SUPPORT_EMAIL}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {absolute('/.well-known/security.txt')}",
    ]
    return _plain(lines)


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Search engines may index the documentation, but not the portal, the back office or the API."""
    allowed = (
        "/docs/",
        "/static/",
        "/v1/openapi.json",
        "/sandbox/openapi.json",
        "/llms.txt",
        "/llms-full.txt",
        "/.well-known/",
        "/sitemap.xml",
    )
    lines = [
        "User-agent: *",
        "Disallow: /",
        "Disallow: /docs/search",
        *(f"Allow: {path}" for path in allowed),
    ]
    return _plain([*lines, "", f"Sitemap: {absolute('/sitemap.xml')}"])


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    addresses = [absolute("/docs/"), *(absolute(text.path) for text in texts())]
    return render(request, "docs/sitemap.xml", {"addresses": addresses}, content_type="application/xml")


@require_safe
def feed(_request: HttpRequest) -> HttpResponse:
    """The changelog as an Atom feed, with an entry for each dated release."""
    address = absolute("/docs/changelog")
    atom = Atom1Feed(
        title=f"{NAME}: changelog",
        link=address,
        description=SUMMARY,
        feed_url=absolute("/docs/changelog.atom"),
        feed_guid=address,
    )
    for version, day, text in _releases():
        at = datetime.combine(day, time(), UTC)
        html = str(from_text(text).html).replace('href="/', f'href="{absolute("/")}')
        atom.add_item(
            title=version,
            link=address,
            description=html,
            unique_id=f"{address}#{version}",
            pubdate=at,
            updateddate=at,
        )
    return HttpResponse(atom.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def _releases() -> Iterator[tuple[str, date, str]]:
    for version, day, text in RELEASE.findall(of_changelog()):
        yield version, date.fromisoformat(day), text


def _plain(lines: list[str]) -> HttpResponse:
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
