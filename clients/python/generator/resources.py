"""The methods of the client as Python: one class per resource, as a tree, once for each of the two clients."""

import textwrap
from collections.abc import Iterator
from typing import Any

from clients.python.generator.operations import FILE, Argument, Operation, typed

HEAD = """
from __future__ import annotations

from collections.abc import {iterator}, Sequence
from datetime import date, datetime
from typing import Any, Literal

from travel_partner import models, pages
from travel_partner.calls import Call, given, located
from travel_partner.resource import {base}
"""
WIDTH = 110
Tree = dict[str, Any]


def resources(operations: list[Operation], *, asynchronous: bool) -> str:
    """The module's text."""
    iterator, base = ("AsyncIterator", "AsyncResource") if asynchronous else ("Iterator", "Resource")
    parts = [HEAD.format(iterator=iterator, base=base)]
    parts += _classes((), operations, base)
    return "\n".join(parts)


def _classes(path: tuple[str, ...], operations: list[Operation], base: str) -> Iterator[str]:
    """The class of one resource, after those of the resources below it."""
    below = list(
        dict.fromkeys(
            operation.resource[: len(path) + 1]
            for operation in operations
            if operation.resource[: len(path)] == path and len(operation.resource) > len(path)
        )
    )
    for child in below:
        yield from _classes(child, operations, base)
    yield f"\n\nclass {_class_name(path)}({base}):"
    where = f"`client.{'.'.join(path)}`" if path else "All operations, by product"
    yield f'    """{where}."""\n'
    if below:
        yield f"    def __init__(self, send: {base}.Send) -> None:"
        yield "        super().__init__(send)"
        yield from (f"        self.{child[-1]} = {_class_name(child)}(send)" for child in below)
    for operation in operations:
        if operation.resource == path:
            yield from _method(operation, asynchronous=base.startswith("Async"))
            if operation.paged_by:
                yield from _iteration(operation, asynchronous=base.startswith("Async"))
            if operation.is_followed:
                yield from _following(operation, asynchronous=base.startswith("Async"))


def _class_name(path: tuple[str, ...]) -> str:
    return "".join(part.capitalize() for part in path) or "AllOperations"


def _method(operation: Operation, *, asynchronous: bool) -> Iterator[str]:
    answer = _answer(operation) or "None"
    word, waited = ("async def", "await ") if asynchronous else ("def", "")
    arguments = [*operation.query, *operation.body, *_settings(operation)]
    yield f"\n    {word} {operation.name}({_signature(operation.ids, arguments)}) -> {answer}:"
    yield _docstring(operation.text, [*operation.ids, *operation.query, *operation.body])
    yield f"        return {waited}self._send(Call({', '.join(_call(operation))}))"


def _answer(operation: Operation) -> str:
    return f"models.{operation.answer}" if operation.answer not in ("", FILE) else operation.answer


def _iteration(operation: Operation, *, asynchronous: bool) -> Iterator[str]:
    """`iterate()`, next to `list()`: the same arguments without the position. The service refuses a cursor with `pageSize`."""
    by = operation.paged_by
    places = {"cursor", "page", "page_size"} if by == "cursor" else {"page"}
    kept = [argument for argument in operation.query if argument.name not in places]
    settings = _settings(operation)
    kind, prefix = ("AsyncIterator", "a") if asynchronous else ("Iterator", "")
    yield f"\n    def iterate({_signature([], [*kept, *settings])}) -> {kind}[{typed(operation.item)}]:"
    size = next((argument.name for argument in kept if argument.name in {"limit", "page_size"}), "")
    text = f"All items of `list`, page by page; `{size}` is the size of a page."
    yield _docstring(text, [argument for argument in kept if argument.name != size])
    handed = "".join(f", {argument.name}={argument.name}" for argument in [*kept, *settings])
    yield f"        return pages.{prefix}by_{by}(lambda {by}: self.list({by}={by}{handed}))"


def _following(operation: Operation, *, asynchronous: bool) -> Iterator[str]:
    """`follow()`, next to `list()`: the same arguments, how long to pause if there is nothing new, or to end there."""
    kept = [argument for argument in operation.query if argument.name != "after"]
    after = next(argument for argument in operation.query if argument.name == "after")
    pause = Argument(
        "pause",
        "",
        "float",
        required=False,
        sentence="Seconds to wait if there is nothing new; 5 if left out.",
    )
    until_empty = Argument(
        "until_empty",
        "",
        "bool",
        required=False,
        sentence="End after the newest event, instead of waiting for more.",
    )
    settings = _settings(operation)
    kind, prefix = ("AsyncIterator", "a") if asynchronous else ("Iterator", "")
    arguments = [after, *kept, pause, until_empty, *settings]
    yield f"\n    def follow({_signature([], arguments)}) -> {kind}[{typed(operation.item)}]:"
    text = (
        "All items of `list`, then new ones as they happen. Without `until_empty` it never ends: it waits for the next event, so "
        "code after the loop is not reached. Store the `id` of the last event that you processed, and continue `after` it."
    )
    yield _docstring(text, [argument for argument in arguments if argument.name != "limit"])
    handed = "".join(f", {argument.name}={argument.name}" for argument in [*kept, *settings])
    yield f"        return pages.{prefix}following(lambda after: self.list(after=after{handed}), after, pause, until_empty)"


def _settings(operation: Operation) -> list[Argument]:
    """The arguments of a method besides those of the operation."""
    found = []
    if operation.has_triggers:
        found.append(Argument("customer_ref", "", "str", required=False))
    if operation.method == "POST":
        found.append(Argument("idempotency_key", "", "str", required=False))
    return [*found, Argument("timeout", "", "float", required=False)]


def _signature(ids: list[Argument], arguments: list[Argument]) -> str:
    named = sorted(arguments, key=lambda argument: not argument.required)
    return ", ".join(["self", *map(_declared, ids), "*", *map(_declared, named)]) + ","


def _declared(argument: Argument) -> str:
    if argument.required:
        return f"{argument.name}: {argument.type}"
    return f"{argument.name}: {argument.type.removesuffix(' | None')} | None = None"


def _call(operation: Operation) -> Iterator[str]:
    """The arguments of Call."""
    path = f'"{operation.path}"'
    yield f'"{operation.method}"'
    if operation.ids:
        path = f"located({', '.join([path, *(f'{one.wire}={one.name}' for one in operation.ids)])})"
    yield path
    yield _answer(operation) or "type(None)"
    if operation.query:
        yield f"query={_given(operation.query)}"
    if operation.takes_body:
        yield f"body={_given(operation.body)}"
    if operation.also:
        yield f"also=({', '.join(map(str, operation.also))},)"
    yield from (f"{setting.name}={setting.name}" for setting in _settings(operation))


def _given(arguments: list[Argument]) -> str:
    pairs = ", ".join(f'"{argument.wire}": {argument.name}' for argument in arguments)
    return f"given({{{pairs}}})"


def _docstring(text: str, arguments: list[Argument]) -> str:
    """`text`, then a line for each argument that has a description."""
    sentences = [
        f"- `{argument.name}`: {' '.join(argument.sentence.split())}"
        for argument in arguments
        if argument.sentence
    ]
    paragraphs = [*text.replace('"""', "'''").splitlines(), *([""] if sentences else []), *sentences]
    lines = [
        line
        for paragraph in paragraphs
        for line in textwrap.wrap(
            paragraph, WIDTH, subsequent_indent="  " if paragraph[:2] in {"- ", "* "} else ""
        )
        or [""]
    ]
    raw = "r" if any("\\" in line for line in lines) else ""
    close = '"""' if len(lines) == 1 else '\n"""'
    return textwrap.indent(raw + '"""' + "\n".join(lines) + close, " " * 8)
