"""The pages of /docs. Public, readable without JavaScript, and equal for all readers except for their own test keys."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache, lru_cache, wraps
from typing import Any

import orjson
from csp.constants import SELF
from csp.decorators import csp_update
from django.conf import settings
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.common.environments import Environment
from apps.docs import error_pages, pages, postman, reference
from apps.docs.guides import MOVED, guides
from apps.docs.pages import text_at
from apps.docs.reference import Operation
from apps.docs.reference_markdown import written
from apps.docs.rendering import Page, from_text
from apps.docs.samples import samples_of
from apps.docs.search import MOST_CHARACTERS, search
from apps.gateway.openapi.examples import request_examples
from apps.gateway.openapi.serving import told_without
from apps.gateway.renderers import JSON
from apps.gateway.renderers import render as render_json
from apps.keys.scopes import products_not_sold
from apps.keys.selectors import page_of_keys
from apps.portal.context import context_for, memberships_of

PLACEHOLDER = "svc_test_…"
MARKDOWN = "text/markdown"
PRODUCTS = "Hotels, flights, transfers and eSIM data plans"
"""How texts list the products; `told_without` removes those that are not sold."""
View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class OwnKey:
    name: str
    prefix: str

    @property
    def placeholder(self) -> str:
        """The beginning of the secret: `svc_test_AbCd…`."""
        return f"{self.prefix}…"


def own_key(request: HttpRequest) -> OwnKey | None:
    """The newest valid test key of the account that the reader has open; never a live key.

    None if the reader is not signed in, has no account or may not open the portal. The documentation also works without a
    database.
    """
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    try:
        return _newest(request)
    except Error:
        return None


def _newest(request: HttpRequest) -> OwnKey | None:
    user = request.user
    memberships = memberships_of(user) if isinstance(user, User) else []
    if not isinstance(user, User) or not memberships:
        return None
    if settings.PORTAL_REQUIRE_TWO_FACTOR and not memberships[0].two_factor:  # type: ignore[attr-defined]
        return None
    account_id = context_for(request, user, memberships, Environment.TEST).account_id
    for key in page_of_keys(account_id, Environment.TEST, limit=1).keys:
        for secret in key.working_secrets[:1]:  # type: ignore[attr-defined]
            return OwnKey(key.name, secret.prefix)
    return None


def twin(_request: HttpRequest, page: str) -> HttpResponse:
    """The page at `/docs/<page>` as Markdown."""
    text = text_at(f"/docs/{page}")
    if text is None:
        return moved(page.removeprefix("guides/"), ".md")
    return as_markdown(text.write())


def moved(slug: str, ending: str = "") -> HttpResponse:
    """Redirects the address of a former guide to the section that replaces it."""
    if slug not in MOVED:
        raise Http404
    new, mark, section = MOVED[slug].partition("#")
    return HttpResponsePermanentRedirect(f"/docs/guides/{new}{ending}{mark}{section}")


def as_markdown(text: str) -> HttpResponse:
    return HttpResponse(text, content_type=f"{MARKDOWN}; charset=utf-8")


def either(view: View) -> View:
    """Serve the Markdown page instead if the client prefers it."""

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, **named: str) -> HttpResponse:
        wished = request.get_preferred_type(["text/html", MARKDOWN]) == MARKDOWN
        response = twin(request, request.path.removeprefix("/docs/")) if wished else view(request, **named)
        patch_vary_headers(response, ["Accept"])
        return response

    return answer


def show(
    request: HttpRequest, template: str, here: str, own_key: OwnKey | None = None, **context: Any
) -> HttpResponse:
    """Render a page inside the navigation, of which `here` is the current entry. A page that shows a key must not be cached."""
    common = {
        "guides": guides(),
        "sold": told_without(PRODUCTS, products_not_sold()),
        "here": here,
        "base_url": settings.PUBLIC_BASE_URL,
        "own_key": own_key,
    }
    response = render(request, template, {**common, **context})
    if own_key is not None:
        patch_cache_control(response, private=True, no_store=True)
    return response


# --- Guides, errors, search, changelog ---


def index(request: HttpRequest) -> HttpResponse:
    return show(request, "docs/index.html", "index")


def guide(request: HttpRequest, slug: str) -> HttpResponse:
    shown = guides()
    found = next((each for each in shown if each.slug == slug), None)
    if found is None:
        return moved(slug)
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


def error(request: HttpRequest, type: str) -> HttpResponse:
    """The page that `error.docUrl` links."""
    page = error_pages.BY_TYPE.get(type)
    if page is None:
        raise Http404
    texts: dict[str, Any] = {"happens": from_text(page.happens), "do": from_text(page.advice)}
    extras = [(name, from_text(meaning)) for name, meaning in page.meanings]
    return show(
        request,
        "docs/error.html",
        "errors-and-retries",
        page=page,
        extras=extras,
        example=from_text(page.example),
        **texts,
    )


def search_page(request: HttpRequest) -> HttpResponse:
    return show(request, "docs/search.html", "search", **_found(request))


def found(request: HttpRequest) -> HttpResponse:
    """The results as JSON, for the script of the page."""
    results = _found(request)
    return JsonResponse({"said": results["said"], "pages": [asdict(each) for each in results["found"]]})


def _found(request: HttpRequest) -> dict[str, Any]:
    query = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:MOST_CHARACTERS]
    found = search(query)
    return {"query": query, "found": found, "said": said(query, len(found))}


def said(query: str, count: int) -> str:
    if not query:
        return "Enter the name of a field, an error type or a topic."
    if not count:
        return f"No page contains “{query}”. Try fewer or other words."
    return f"{count} page{'' if count == 1 else 's'} with “{query}”"


@lru_cache(maxsize=1)
def changelog_page() -> Page:
    return from_text(pages.of_changelog().partition("\n")[2])


def changelog(request: HttpRequest) -> HttpResponse:
    return show(request, "docs/changelog.html", "changelog", heading="Changelog", page=changelog_page())


def client_libraries(request: HttpRequest) -> HttpResponse:
    page = from_text(pages.clients_text())
    return show(
        request,
        "docs/clients.html",
        "clients",
        heading="Client libraries",
        page=page,
        lead=pages.CLIENTS_SUMMARY,
    )


# --- The reference ---


def overview(request: HttpRequest) -> HttpResponse:
    return show(
        request,
        "docs/reference/index.html",
        "reference",
        heading="API reference",
        products=reference.products(),
    )


def product(request: HttpRequest, slug: str) -> HttpResponse:
    found = next((each for each in reference.products() if each.slug == slug), None)
    if found is None:
        raise Http404
    description = from_text(found.description)
    return show(
        request, "docs/reference/product.html", "reference", product=found, described=description, of=found
    )


def operation(request: HttpRequest, product: str, slug: str) -> HttpResponse:
    of = next((each for each in reference.products() if each.slug == product), None)
    found = next((each for each in of.operations if each.slug == slug), None) if of else None
    if of is None or found is None:
        raise Http404
    return show(
        request,
        "docs/reference/operation.html",
        "reference",
        own_key=own_key(request),
        operation=found,
        of=of,
        described=from_text(found.description),
        samples=[(each.language, coloured(each.lexer, each.code)) for each in samples_of(found)],
        examples=[
            (answer.status, each.summary, coloured("json", written(each.value)))
            for answer in found.answers
            for each in answer.examples
        ],
        after=after(found),
    )


def coloured(lexer: str, code: str) -> Page:
    return from_text(f"```{lexer}\n{code}\n```")


def after(operation: Operation) -> Operation | None:
    """The operation after this one, in the document's order."""
    every = [each for product in reference.products() for each in product.operations]
    following = every.index(operation) + 1
    return every[following] if following < len(every) else None


@csp_update({"img-src": [SELF, "data:"]})  # the form's own icons
def try_it(request: HttpRequest) -> HttpResponse:
    """A form for every operation. Calls go to this service, with the key that the reader enters."""
    examples = orjson.dumps(request_examples()).decode()
    return show(request, "docs/reference/try.html", "try", heading="Try it", examples=examples)


# --- The Postman collection, made once a process ---


def download(_request: HttpRequest, what: str) -> HttpResponse:
    response = HttpResponse(postman_file(what), content_type=JSON)
    name = f"travel-partner-api.postman_{what}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "public, max-age=60"
    return response


@cache
def postman_file(what: str) -> bytes:
    makers: dict[str, Any] = {"collection": postman.collection, "environment": postman.environment}
    return render_json(makers[what]())
