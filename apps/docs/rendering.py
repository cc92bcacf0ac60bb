"""Markdown to HTML for the guides: headings with anchors, tables, code highlighted by classes (inline styles are not allowed)."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

import markdown
from django.conf import settings
from django.template import Context
from django.template.backends.django import Template as DjangoTemplate
from django.template.loader import get_template, render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from apps.common import contact

# Wide content scrolls in a frame of its own, which the keyboard can reach.
FRAMED = (
    ("<table>", '<div class="table-wrap" tabindex="0" role="region" aria-label="Table"><table>'),
    ("</table>", "</table></div>"),
    ("<pre>", '<pre tabindex="0" role="region" aria-label="Example">'),
)
# A copy button after each code block, hidden without scripts.
BLOCK_ENDS = "</pre></div>"
CODE, STRONG, LINK = (
    re.compile(r"`([^`]+)`"),
    re.compile(r"\*\*([^*]+)\*\*"),
    re.compile(r"\[([^\]]+)\]\((/[^)\s]*)\)"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """A rendered text. `toc`: (anchor, heading) of its second-level headings."""

    html: SafeString
    toc: tuple[tuple[str, str], ...]


def text_of(name: str, context: dict[str, Any]) -> str:
    """Render a Markdown template. Nothing is escaped: Markdown escapes code itself."""
    template = cast("DjangoTemplate", get_template(name)).template
    return str(template.render(Context(context, autoescape=False)))


@lru_cache(maxsize=512)
def from_text(text: str) -> Page:
    """Render our own Markdown, never user input. Cached, because highlighting code takes 100 ms a page."""
    converter = markdown.Markdown(
        extensions=["fenced_code", "tables", "toc", "codehilite", "sane_lists", "md_in_html"],
        extension_configs={
            "codehilite": {"guess_lang": False, "css_class": "code"},
            "toc": {"toc_depth": "2-3"},
        },
    )
    html = converter.convert(text)
    for plain, framed in FRAMED:
        html = html.replace(plain, framed)
    html = html.replace(BLOCK_ENDS, f"</pre>{copy_button()}</div>")
    toc = tuple((token["id"], token["name"]) for token in converter.toc_tokens)
    return Page(mark_safe(html), toc)  # noqa: S308 - our own text


@cache
def copy_button() -> str:
    return render_to_string("docs/parts/copy.html").strip()


@lru_cache(maxsize=4096)
def in_line(text: str) -> SafeString:
    """Render one sentence with code, bold and links, much faster than full Markdown."""
    html = CODE.sub(r"<code>\1</code>", escape(text))
    html = STRONG.sub(r"<strong>\1</strong>", html)
    return mark_safe(LINK.sub(r'<a href="\2">\1</a>', html))  # noqa: S308 - our own text, escaped


def ask() -> str:
    """The contact, for the middle of a sentence; a link if there is an address."""
    address = settings.SUPPORT_EMAIL
    return f"write to [{address}](mailto:{address})" if address else contact.ask()
