"""The pages of /docs/reference: an overview, one page a product, one page an operation, and the form that tries them."""

import orjson
from csp.constants import SELF
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse

from apps.docs.own_key import own_key
from apps.docs.reference import operations
from apps.docs.reference.markdown import written
from apps.docs.reference.operations import Operation
from apps.docs.reference.samples import samples_of
from apps.docs.rendering import Page, from_text
from apps.docs.shown import show
from apps.gateway.examples import request_examples


def overview(request: HttpRequest) -> HttpResponse:
    return show(
        request,
        "docs/reference/index.html",
        "reference",
        heading="API reference",
        products=operations.products(),
    )


def product(request: HttpRequest, slug: str) -> HttpResponse:
    found = next((each for each in operations.products() if each.slug == slug), None)
    if found is None:
        raise Http404
    description = from_text(found.description)
    return show(
        request, "docs/reference/product.html", "reference", product=found, described=description, of=found
    )


def operation(request: HttpRequest, product: str, slug: str) -> HttpResponse:
    of = next((each for each in operations.products() if each.slug == product), None)
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
    every = operations.every()
    following = every.index(operation) + 1
    return every[following] if following < len(every) else None


@csp_update({"img-src": [SELF, "data:"]})  # the form's own icons
def try_it(request: HttpRequest) -> HttpResponse:
    """A form for every operation; calls go to this service, with a key that the reader types."""
    examples = orjson.dumps(request_examples()).decode()
    return show(request, "docs/reference/try.html", "try", heading="Try it", examples=examples)
