"""The pages of /docs. Public, readable without JavaScript, and the same for everyone but for the reader's own test key."""

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.html import escape
from django.utils.safestring import mark_safe

from apps.docs import error_pages, pages
from apps.docs.error_pages import ErrorPage
from apps.docs.guides import guides
from apps.docs.own_key import PLACEHOLDER, own_key
from apps.docs.rendering import Page, from_text
from apps.docs.search import MOST_CHARACTERS, search
from apps.docs.shown import show


def index(request: HttpRequest) -> HttpResponse:
    return show(request, "docs/index.html", "index")


def guide(request: HttpRequest, slug: str) -> HttpResponse:
    shown = guides()
    found = next((each for each in shown if each.slug == slug), None)
    if found is None:
        raise Http404
    after = shown[(shown.index(found) + 1) % len(shown)]
    page = found.page()
    key = own_key(request) if PLACEHOLDER in page.html else None
    html = page.html.replace(PLACEHOLDER, escape(key.placeholder)) if key else page.html
    return show(
        request,
        "docs/guide.html",
        slug,
        own_key=key,
        heading=found.title,
        guide=found,
        page=page,
        html=mark_safe(html),  # noqa: S308 - our own text
        after=after,
    )


def errors(request: HttpRequest) -> HttpResponse:
    envelope = example_of(error_pages.BY_TYPE["insufficient_funds"])
    return show(
        request, "docs/errors.html", "errors", heading="Errors", pages=error_pages.PAGES, envelope=envelope
    )


def error(request: HttpRequest, type: str) -> HttpResponse:
    """The address that `error.docUrl` names."""
    page = error_pages.BY_TYPE.get(type)
    if page is None:
        raise Http404
    texts: dict[str, Any] = {"happens": from_text(page.happens), "do": from_text(page.advice)}
    extras = [(name, from_text(meaning)) for name, meaning in page.meanings]
    return show(
        request, "docs/error.html", "errors", page=page, extras=extras, example=example_of(page), **texts
    )


def example_of(page: ErrorPage) -> Page:
    return from_text(pages.example_of(page))


def search_page(request: HttpRequest) -> HttpResponse:
    return show(request, "docs/search.html", "search", **_found(request))


def found(request: HttpRequest) -> HttpResponse:
    """The list alone, for the page's script."""
    told = _found(request)
    return JsonResponse({"said": told["said"], "pages": [asdict(each) for each in told["found"]]})


def _found(request: HttpRequest) -> dict[str, Any]:
    query = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:MOST_CHARACTERS]
    found = search(query)
    return {"query": query, "found": found, "said": said(query, len(found))}


def said(query: str, count: int) -> str:
    if not query:
        return "Type a word in the field: a field's name, an error, a product."
    if not count:
        return f"No page has “{query}”. Try fewer or other words."
    return f"{count} page{'' if count == 1 else 's'} with “{query}”"


@lru_cache(maxsize=1)
def changelog_page() -> Page:
    return from_text(pages.of_changelog().partition("\n")[2])


def changelog(request: HttpRequest) -> HttpResponse:
    return show(request, "docs/changelog.html", "changelog", heading="Changelog", page=changelog_page())
