"""JSON as HTML, coloured; each object and list folds. It needs no script. Its text is the JSON itself, so it can be copied."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

INDENT = "  "
ENCODE = json.JSONEncoder(ensure_ascii=False).encode
LONG = 80
"""Lines from which on all that lies deeper than `OPEN_LEVELS` begins folded."""
OPEN_LEVELS = 2
DEEPEST = 40
"""Below that a part is written in one line: recursion must end, whatever was stored."""


def json_view(value: Any) -> SafeString:
    """`value` is what `json.loads` returned."""
    levels = OPEN_LEVELS if _lines(value) > LONG else DEEPEST
    return mark_safe("".join(_parts(value, "", "", "", levels)))  # noqa: S308 - every text is escaped where it is written


def text_view(text: str) -> SafeString:
    """The same for a text that is JSON; another text as it is."""
    try:
        return json_view(json.loads(text))
    except (ValueError, RecursionError):
        return format_html("{}", text)


def _lines(value: Any, depth: int = 0) -> int:
    """How many lines it takes, an item each."""
    if not _is_opened(value, depth):
        return 1
    return 2 + sum(_lines(each, depth + 1) for each in (value.values() if isinstance(value, dict) else value))


def _is_opened(value: Any, depth: int) -> bool:
    return isinstance(value, dict | list) and bool(value) and depth < DEEPEST


def _parts(value: Any, name: str, comma: str, indent: str, levels: int) -> Iterator[str]:
    """The HTML of one value. `name` is what stands before it, `levels` how many more begin unfolded."""
    if not _is_opened(value, len(indent) // len(INDENT)):
        yield f"{indent}{name}{_leaf(value)}{comma}\n"
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    opened = " open" if levels > 0 else ""
    yield f'<details{opened}><summary>{indent}{name}{opening}<span data-end="{closing}{comma}"></span>\n</summary>'
    items = value.items() if isinstance(value, dict) else ((None, each) for each in value)
    for number, (key, below) in enumerate(items, start=1):
        named = "" if key is None else f'<span class="json-name">{_text(key)}</span>: '
        yield from _parts(below, named, "," if number < len(value) else "", indent + INDENT, levels - 1)
    yield f"{indent}{closing}{comma}\n</details>"


def _leaf(value: Any) -> str:
    kind = (
        "text" if isinstance(value, str) else "word" if value is None or isinstance(value, bool) else "number"
    )
    return f'<span class="json-{kind}">{_text(value)}</span>'


def _text(value: Any) -> str:
    return escape(ENCODE(value))
