"""What breaks a partner between two OpenAPI 3.1 documents (contract §6). What only adds breaks nobody.

Names of components are no part of the wire: they may change.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.contract.ratchet.forms import Forms, resolved
from tests.contract.ratchet.schemas import Direction, Schemas

Part = Mapping[str, Any]
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
EXPLODES_UNSAID = ("form", "cookie")
STYLE_UNSAID = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}
WHAT_A_SCHEME_IS = ("type", "scheme", "in", "name", "flows", "openIdConnectUrl")


def breaking_changes(old: Part, new: Part) -> list[str]:
    """One line for each change that a client written against `old` may not survive."""
    return Released(old).broken_by(new)


class Released:
    """A document that partners have built on. What was worked out of it once serves all comparisons."""

    def __init__(self, document: Part) -> None:
        self._document, self._forms = document, Forms(document)

    def broken_by(self, new: Part) -> list[str]:
        """One line for each change that a client written against this document may not survive."""
        return list(_Compared(self._document, new, self._forms).all())


class _Compared:
    def __init__(self, old: Part, new: Part, old_forms: Forms) -> None:
        self._old, self._new = old, new
        self._schemas = Schemas(old_forms, Forms(new))

    def all(self) -> Iterator[str]:
        yield from _servers(self._old, self._new, "the document")
        yield from self._operations("paths", self._operation)
        yield from self._operations("webhooks", self._webhook)

    def _operations(self, kind: str, compare: Any) -> Iterator[str]:
        for path, item in self._old.get(kind, {}).items():
            found = self._new.get(kind, {}).get(path)
            if found is None:
                yield f"{path}: removed"
                continue
            item, found = self._of(item, found)
            for method in METHODS:
                where = f"{method.upper()} {path}" if kind == "paths" else f"webhook {path}"
                if method in item and method not in found:
                    yield f"{where}: {method} removed"
                elif method in item:
                    before, after = (
                        {**operation[method], "parameters": self._parameters_of(operation, method, document)}
                        for operation, document in ((item, self._old), (found, self._new))
                    )
                    yield from compare(before, after, where)

    def _operation(self, old: Part, new: Part, where: str) -> Iterator[str]:
        if old.get("operationId") != new.get("operationId"):
            yield f"{where}: operationId renamed"
        yield from self._security(old, new, where)
        yield from _servers(old, new, where)
        yield from self._parameters(old["parameters"], new["parameters"], where)
        yield from self._body(old.get("requestBody"), new.get("requestBody"), where)
        yield from self._answers(old.get("responses", {}), new.get("responses", {}), where)
        if old.get("callbacks", {}) != new.get("callbacks", {}):
            yield f"{where}: callbacks changed"

    # --- what the client sends --------------------------------------------------------------------------------------
    def _security(self, old: Part, new: Part, where: str) -> Iterator[str]:
        before, after = (
            operation.get("security", document.get("security", [])) or [{}]
            for operation, document in ((old, self._old), (new, self._new))
        )
        for known in before:
            if not any(_asks_no_more(alternative, known) for alternative in after):
                yield f"{where}: another scope or sign-in is asked for"
        for name in {name for alternative in before for name in alternative}:
            schemes = [
                document["components"].get("securitySchemes", {}).get(name)
                for document in (self._old, self._new)
            ]
            one, other = (scheme and {key: scheme.get(key) for key in WHAT_A_SCHEME_IS} for scheme in schemes)
            if one != other:
                yield f"{where}: the sign-in {name} is another"

    def _parameters_of(self, item: Part, method: str, document: Part) -> dict[tuple[str, str], Part]:
        found = {}
        for parameter in (*item.get("parameters", []), *item[method].get("parameters", [])):
            parameter = _followed(parameter, document)
            name = parameter["name"].lower() if parameter["in"] == "header" else parameter["name"]
            found[parameter["in"], name] = parameter
        return found

    def _parameters(self, old: Mapping[Any, Part], new: Mapping[Any, Part], where: str) -> Iterator[str]:
        for key, parameter in new.items():
            if parameter.get("required") and not old.get(key, {}).get("required"):
                yield f"{where} parameter {key[1]}: became required"
        for key, parameter in old.items():
            place = f"{where} parameter {key[1]}"
            if key not in new:
                yield f"{place}: removed"
                continue
            if _written(parameter) != _written(new[key]):
                yield f"{place}: written in another way"
            yield from self._schemas.broken(
                parameter.get("schema"), new[key].get("schema"), Direction.ASKED, place
            )
            yield from self._content(parameter, new[key], Direction.ASKED, place)

    def _body(self, old: Part | None, new: Part | None, where: str) -> Iterator[str]:
        old, new = (
            body and _followed(body, document) for body, document in ((old, self._old), (new, self._new))
        )
        if new and new.get("required") and not (old and old.get("required")):
            yield f"{where} body: became required"
        if old and not new:
            yield f"{where} body: removed"
        if old and new:
            yield from self._content(old, new, Direction.ASKED, f"{where} body")

    # --- what the client reads --------------------------------------------------------------------------------------
    def _answers(self, old: Part, new: Part, where: str) -> Iterator[str]:
        for status, answer in old.items():
            place = f"{where} {status}"
            if status not in new:
                yield f"{place}: status removed"
                continue
            answer, found = self._of(answer, new[status])
            yield from self._headers(answer.get("headers", {}), found.get("headers", {}), place)
            yield from self._content(answer, found, Direction.TOLD, place)
            for name, link in answer.get("links", {}).items():
                if found.get("links", {}).get(name) != link:
                    yield f"{place}: link {name} removed or changed"

    def _headers(self, old: Part, new: Part, where: str) -> Iterator[str]:
        if old == new and not self._schemas.old.refers(old):
            return
        after = {name.lower(): header for name, header in new.items()}
        for name, header in old.items():
            place = f"{where} header {name}"
            if name.lower() not in after:
                yield f"{place}: removed"
                continue
            header, found = self._of(header, after[name.lower()])
            if header.get("required") and not found.get("required"):
                yield f"{place}: may be absent now"
            yield from self._schemas.broken(header.get("schema"), found.get("schema"), Direction.TOLD, place)

    def _content(self, old: Part, new: Part, direction: Direction, where: str) -> Iterator[str]:
        for media, body in old.get("content", {}).items():
            found = new.get("content", {}).get(media)
            if found is None:
                yield f"{where}: {media} removed"
                continue
            if body.get("encoding") != found.get("encoding"):
                yield f"{where}: another encoding"
            yield from self._schemas.broken(body.get("schema"), found.get("schema"), direction, where)

    def _webhook(self, old: Part, new: Part, where: str) -> Iterator[str]:
        """A delivery: here the service sends, and the partner reads and answers."""
        for key, header in old["parameters"].items():
            place = f"{where} header {key[1]}"
            found = new["parameters"].get(key)
            if found is None:
                yield f"{place}: removed"
                continue
            if header.get("required") and not found.get("required"):
                yield f"{place}: may be absent now"
            yield from self._schemas.broken(header.get("schema"), found.get("schema"), Direction.TOLD, place)
        body, found = self._of(old.get("requestBody", {}), new.get("requestBody", {}))
        if body.get("required") and not found.get("required"):
            yield f"{where}: the body may be absent now"
        yield from self._content(body, found, Direction.TOLD, where)
        for status in old.get("responses", {}).keys() - new.get("responses", {}).keys():
            yield f"{where}: the answer {status} no longer counts"

    def _of(self, old: Part, new: Part) -> tuple[Part, Part]:
        return _followed(old, self._old), _followed(new, self._new)


def _followed(part: Part, document: Part) -> Part:
    while "$ref" in part:
        part = resolved(part["$ref"], document)
    return part


def _asks_no_more(alternative: Part, known: Part) -> bool:
    return all(name in known and set(scopes) <= set(known[name]) for name, scopes in alternative.items())


def _written(parameter: Part) -> tuple[Any, ...]:
    """How a value becomes text."""
    style = parameter.get("style", STYLE_UNSAID[parameter["in"]])
    explode = parameter.get("explode", style in EXPLODES_UNSAID)
    return style, explode, parameter.get("allowReserved", False), parameter.get("allowEmptyValue", False)


def _servers(old: Part, new: Part, where: str) -> Iterator[str]:
    after = {server["url"] for server in new.get("servers", [])}
    before: Sequence[Part] = old.get("servers", [])
    for server in before:
        if server["url"] not in after:
            yield f"{where}: the server {server['url']} is gone"
