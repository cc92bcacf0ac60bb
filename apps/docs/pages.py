"""Every page of the documentation as Markdown, for machines and for the search index."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from django.conf import settings

from apps.docs import clients, error_pages, reference, reference_markdown
from apps.docs.error_pages import ErrorPage
from apps.docs.guides import Guide, former_names, guides
from apps.docs.rendering import text_of

TAGS = re.compile(r"^\s*</?(?:div|details)[^>]*>\n?|</?span[^>]*>", re.MULTILINE)
NAMED = re.compile(r'<(?:p class="sample-name"|summary)>(.*?)</(?:p|summary)>')
CLIENTS_SUMMARY = "For Python, TypeScript and PHP: types, safe retries, lists, errors and webhooks."


@dataclass(frozen=True, slots=True)
class Text:
    """One page. `path` is the address of its HTML; with `.md` appended it serves `write()`."""

    path: str
    group: str
    title: str
    summary: str
    write: Callable[[], str]
    aliases: str = ""
    """Words by which the search finds it, too."""


def texts() -> Iterator[Text]:
    """All pages, in reading order."""
    for guide in guides():
        yield Text(
            f"/docs/guides/{guide.slug}",
            "Guides",
            guide.title,
            guide.summary,
            partial(of_guide, guide),
            former_names(guide.slug),
        )
    yield from _of_reference()
    for page in error_pages.PAGES:
        yield Text(f"/docs/errors/{page.type}", "Errors", page.type, page.happens, partial(of_error, page))
    yield Text("/docs/clients", "More", "Client libraries", CLIENTS_SUMMARY, of_clients)
    yield Text("/docs/changelog", "More", "Changelog", "What was added, and when.", of_changelog)


def _of_reference() -> Iterator[Text]:
    yield Text("/docs/reference", "Reference", "API reference", "All reference.", reference_markdown.of_all)
    for product in reference.products():
        path = f"/docs/reference/{product.slug}"
        title = f"{product.title} reference"
        yield Text(
            path, "Reference", title, product.description, partial(reference_markdown.of_product, product)
        )
        for each in product.operations:
            call = f"`{each.method} {each.path}`"
            yield Text(
                reference_markdown.address(each),
                "Reference",
                each.summary,
                call,
                partial(reference_markdown.of_operation, each),
            )


def text_at(path: str) -> Text | None:
    return next((text for text in texts() if text.path == path), None)


def of_guide(guide: Guide) -> str:
    return f"# {guide.title}\n\n{guide.summary}\n\n{without_tabs(guide.text())}\n"


def without_tabs(text: str) -> str:
    """Remove the HTML that turns samples into tabs."""
    plain = NAMED.sub(r"\n\1:", TAGS.sub("", text))
    return re.sub(r"\n{3,}", "\n\n", plain).strip()


def of_error(page: ErrorPage) -> str:
    extras = "\n".join(f"- `error.{name}`: {meaning}" for name, meaning in page.meanings)
    parts = [
        f"# {page.type}",
        f"Status {page.status}. Send it again? {page.retry}. Idempotency-Key: {page.key}.",
        "## What happened",
        page.happens,
        "## What to do",
        page.advice,
        *(["## Further fields", extras] if extras else []),
        "## Example",
        page.example,
    ]
    return "\n\n".join(parts) + "\n"


def of_clients() -> str:
    return f"# Client libraries\n\n{without_tabs(clients_text())}\n"


def clients_text() -> str:
    """As Markdown, with tabs."""
    context = {"packages": clients.packages(), "base_url": settings.PUBLIC_BASE_URL}
    return text_of("docs/clients.md", context)


def of_changelog() -> str:
    return (settings.BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8")
