"""The pages of /docs. Public, the same for everyone, and readable without JavaScript."""

from functools import lru_cache

import orjson
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from apps.docs import error_pages
from apps.docs.error_pages import ErrorPage
from apps.docs.guides import BY_SLUG, GUIDES
from apps.docs.rendering import Page, from_text
from apps.docs.shown import show
from apps.gateway.envelope import error_body
from apps.gateway.refusal_examples import BY_TYPE, REQUEST_ID


def index(request: HttpRequest) -> HttpResponse:
    return show(request, "docs/index.html", "index")


def guide(request: HttpRequest, slug: str) -> HttpResponse:
    found = BY_SLUG.get(slug)
    if found is None:
        raise Http404
    after = GUIDES[(GUIDES.index(found) + 1) % len(GUIDES)]
    return show(
        request, "docs/guide.html", slug, heading=found.title, guide=found, page=found.page(), after=after
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
    texts = {"happens": from_text(page.happens), "do": from_text(page.advice)}
    extras = [(name, from_text(meaning)) for name, meaning in page.meanings]
    return show(
        request, "docs/error.html", "errors", page=page, extras=extras, example=example_of(page), **texts
    )


def example_of(page: ErrorPage) -> Page:
    """The envelope as it would come, coloured."""
    body = orjson.dumps(error_body(BY_TYPE[page.type], REQUEST_ID), option=orjson.OPT_INDENT_2).decode()
    return from_text(f"```json\n{body}\n```")


@lru_cache(maxsize=1)
def changelog_page() -> Page:
    return from_text((settings.BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n")[2])


def changelog(request: HttpRequest) -> HttpResponse:
    return show(request, "docs/changelog.html", "changelog", heading="Changelog", page=changelog_page())
