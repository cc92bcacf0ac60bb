"""Markdown to HTML for the guides: headings with anchors, tables, code coloured by classes (no inline style is admitted)."""

from dataclasses import dataclass
from typing import Any

import markdown
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

# What is wider than the page scrolls in its own frame, by keyboard too.
FRAMED = (
    ("<table>", '<div class="table-wrap" tabindex="0" role="region" aria-label="Table"><table>'),
    ("</table>", "</table></div>"),
    ("<pre>", '<pre tabindex="0" role="region" aria-label="Example">'),
)


@dataclass(frozen=True, slots=True)
class Page:
    """A rendered text. `toc`: (anchor, heading) of its second-level headings."""

    html: SafeString
    toc: tuple[tuple[str, str], ...]


def from_template(name: str, context: dict[str, Any]) -> Page:
    """A Markdown file of the templates, its variables filled in first."""
    return from_text(render_to_string(name, context))


def from_text(text: str) -> Page:
    """Markdown of our own: never anything a user wrote."""
    converter = markdown.Markdown(
        extensions=["fenced_code", "tables", "toc", "codehilite", "sane_lists"],
        extension_configs={
            "codehilite": {"guess_lang": False, "css_class": "code"},
            "toc": {"toc_depth": "2-3"},
        },
    )
    html = converter.convert(text)
    for plain, framed in FRAMED:
        html = html.replace(plain, framed)
    toc = tuple((token["id"], token["name"]) for token in converter.toc_tokens)
    return Page(mark_safe(html), toc)  # noqa: S308 - our own text
