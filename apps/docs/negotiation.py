"""Each page twice: as HTML for people, as Markdown for machines (`.md` behind the path, or `Accept: text/markdown`)."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from apps.docs.pages import text_at

MARKDOWN = "text/markdown"
View = Callable[..., HttpResponse]


def twin(_request: HttpRequest, page: str) -> HttpResponse:
    """The page at `/docs/<page>` as Markdown."""
    text = text_at(f"/docs/{page}")
    if text is None:
        raise Http404
    return as_markdown(text.write())


def as_markdown(text: str) -> HttpResponse:
    return HttpResponse(text, content_type=f"{MARKDOWN}; charset=utf-8")


def either(view: View) -> View:
    """A view whose page is answered as Markdown to who prefers that."""

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, **named: str) -> HttpResponse:
        wished = request.get_preferred_type(["text/html", MARKDOWN]) == MARKDOWN
        response = twin(request, request.path.removeprefix("/docs/")) if wished else view(request, **named)
        patch_vary_headers(response, ["Accept"])
        return response

    return answer
