"""What the guides show of real calls: samples of a call, and the answers and deliveries that the OpenAPI document records.

All of it is Markdown. An answer is shown in part where the whole would be long: each path names a part of it to keep,
such as `hotels.0.rates.0.rateId`.
"""

import json
from typing import Any

from apps.docs.reference import operations
from apps.docs.reference.samples import samples_of
from apps.docs.reference.schemas import Reader
from apps.gateway.openapi import document


def sample(operation_id: str) -> str:
    """The call in four languages; with scripts they become tabs."""
    parts = [
        f'<div class="sample" data-tab="{each.language}" markdown="1">\n<p class="sample-name">{each.language}</p>\n\n'
        f"```{each.lexer}\n{each.code}\n```\n\n</div>"
        for each in samples_of(operations.by_id(operation_id))
    ]
    return '<div class="samples" data-tabs="language" markdown="1">\n\n' + "\n\n".join(parts) + "\n\n</div>"


def answer(operation_id: str, name: str, *paths: str) -> str:
    """The recorded answer of this name: all of it, or the parts that `paths` name."""
    [value] = [
        example.value
        for each in operations.by_id(operation_id).answers
        for example in each.examples
        if example.name == name
    ]
    return _block(picked(value, paths) if paths else value)


def event(type: str) -> str:
    """The first recorded delivery of a type: its whole body."""
    reader = Reader(document())
    body = reader.resolve(reader.resolve(document()["webhooks"][type])["post"]["requestBody"])
    return _block(operations.examples_of(reader, body["content"]["application/json"])[0].value)


def picked(value: Any, paths: tuple[str, ...]) -> Any:
    """The parts of `value` that the paths name, in the value's own order. Of a list only the items that are named."""
    first = {path.partition(".")[0] for path in paths}
    below = {
        name: tuple(
            rest for head, _, rest in (path.partition(".") for path in paths) if head == name and rest
        )
        for name in first
    }
    if isinstance(value, list):
        return [_part(value[int(name)], below[name]) for name in sorted(first, key=int)]
    unknown = first - set(value)
    if unknown:
        raise KeyError(f"the recorded answer has no {', '.join(sorted(unknown))}")
    return {name: _part(value[name], below[name]) for name in value if name in first}


def _part(value: Any, paths: tuple[str, ...]) -> Any:
    return picked(value, paths) if paths else value


def _block(value: Any) -> str:
    return f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"
