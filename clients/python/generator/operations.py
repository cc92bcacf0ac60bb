"""The operations of the document as the methods that the client has for them."""

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from apps.docs.client_methods import NAMES
from clients.python.generator.models import Structs

METHODS = ("get", "post", "put", "patch", "delete")
TYPES = {"integer": "int", "boolean": "bool", "number": "float", "string": "str"}
FORMATS = {"date": "date", "date-time": "datetime"}
JSON = "application/json"
FILE = "bytes"
"""The return type of an operation whose response is a file."""


@dataclass(frozen=True)
class Argument:
    """One argument of a method: its name in Python, its name in JSON, its type."""

    name: str
    wire: str
    type: str
    required: bool
    sentence: str = ""


@dataclass(frozen=True)
class Operation:
    """One method of the client."""

    resource: tuple[str, ...]
    name: str
    method: str
    path: str
    ids: list[Argument]
    query: list[Argument]
    body: list[Argument]
    takes_body: bool
    has_triggers: bool
    answer: str
    item: str
    """The type of what a list holds; empty if the operation is no list."""
    also: list[int]
    """Statuses besides success whose response is not an error."""
    text: str

    @property
    def is_followed(self) -> bool:
        """Whether its list is endless, and read in parts."""
        return bool(self.item) and "after" in {argument.name for argument in self.query}

    @property
    def paged_by(self) -> str:
        """`cursor`, `page`, or nothing."""
        names = {argument.name for argument in self.query}
        return next((name for name in ("cursor", "page") if self.item and name in names), "")


def operations(document: dict[str, Any], structs: Structs) -> list[Operation]:
    """All of them, in the document's order. Raises KeyError for one that client_methods.py does not name."""
    return [
        operation
        for path, method, declared in declarations(document)
        for operation in _by_kind_of_answer(_operation(path, method, declared, structs), declared)
    ]


def _by_kind_of_answer(operation: Operation, declared: dict[str, Any]) -> Iterator[Operation]:
    """One that returns JSON or, by `format`, a file becomes two methods, each with one return type: itself, and `download`."""
    if operation.answer in ("", FILE) or len(_success(declared)["content"]) == 1:
        yield operation
        return
    query = [argument for argument in operation.query if argument.name != "format"]
    yield replace(operation, query=query)
    form = next(one for one in declared["parameters"] if one["name"] == "format")
    files = [word for word in form["schema"]["enum"] if word != "json"]
    argument = Argument("format", "format", f"Literal{files!r}", required=True)
    text = f"{operation.text.partition('.')[0]}, as a file."
    yield replace(operation, name="download", query=[*query, argument], answer=FILE, text=text)


def declarations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and declaration of each operation, with references to shared parts replaced."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                declared = item[method]
                parameters = [_meant(one, document) for one in declared.get("parameters", [])]
                responses = {status: _meant(one, document) for status, one in declared["responses"].items()}
                yield path, method, {**declared, "parameters": parameters, "responses": responses}


def _meant(part: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """`part`, or the component that it refers to."""
    if "$ref" not in part:
        return part
    found: Any = document
    for name in part["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return _meant(found, document)


def _operation(path: str, method: str, declared: dict[str, Any], structs: Structs) -> Operation:
    *resource, name = NAMES[declared["operationId"]].split(".")
    parameters = declared["parameters"]
    headers = {parameter["name"] for parameter in parameters if parameter["in"] == "header"}
    body = _component(declared.get("requestBody", {}))
    success = _success(declared)
    answer = _component(success) or (FILE if success.get("content") else "")
    items = [field.type for field in structs.get(answer, []) if field.name == "data"]
    return Operation(
        resource=tuple(resource),
        name=name,
        method=method.upper(),
        path=path,
        ids=[_argument(parameter) for parameter in parameters if parameter["in"] == "path"],
        query=[_argument(parameter) for parameter in parameters if parameter["in"] == "query"],
        body=[
            Argument(field.name, field.wire, typed(field.type), field.required, field.sentence)
            for field in structs.get(body, [])
        ],
        takes_body=bool(body),
        has_triggers="X-Partner-Customer-Ref" in headers,
        answer=answer,
        item=items[0].removeprefix("list[").removesuffix("]") if items else "",
        also=[
            int(status)
            for status, found in declared["responses"].items()
            if status >= "300" and _component(found) not in {"", "ErrorEnvelope"}
        ],
        text="\n\n".join(_sentences(declared)),
    )


def _success(declared: dict[str, Any]) -> dict[str, Any]:
    return next(found for status, found in declared["responses"].items() if status < "300")


def typed(written: str) -> str:
    """A type of models.py as resources.py writes it. Lists are Sequences: the methods named `list` hide the type."""
    builtin = {"str", "int", "bool", "float", "None", "Any", "dict", "list", "Literal", "date", "datetime"}
    quoted = re.split(r"('[^']*')", written.replace("date_aliased", "date"))
    for position in range(0, len(quoted), 2):
        quoted[position] = re.sub(
            r"[A-Za-z_]\w*",
            lambda word: word[0] if word[0] in builtin else f"models.{word[0]}",
            quoted[position],
        ).replace("list[", "Sequence[")
    return "".join(quoted)


def snake(name: str) -> str:
    """`externalReference` as `external_reference`, `from` as `from_`."""
    spelled = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    return f"{spelled}_" if keyword.iskeyword(spelled) else spelled


def _argument(parameter: dict[str, Any]) -> Argument:
    return Argument(
        name=snake(parameter["name"]),
        wire=parameter["name"],
        type=_type(parameter["schema"]),
        required=parameter.get("required", False),
        sentence=parameter.get("description", ""),
    )


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return f"Literal{schema['enum']!r}"
    return FORMATS.get(schema.get("format", ""), TYPES[schema["type"]])


def _component(holder: dict[str, Any]) -> str:
    """The name of the component of a body or response; empty without one."""
    schema = holder.get("content", {}).get(JSON, {}).get("schema", {})
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _sentences(declared: dict[str, Any]) -> Iterator[str]:
    yield f"{declared['summary'].rstrip('.')}."
    if declared.get("description"):
        yield declared["description"]
