"""What the OpenAPI document says of a field in words, and since which release the field is there."""

from typing import Any

from rest_framework.serializers import ListSerializer

from apps.gateway.declared import Declared

# The release that added what is marked; what is not was there in 1.1.
SINCE = "x-since"


def described(field: Any) -> str:
    """The field's own sentence, then how values of its class are written."""
    if not isinstance(field, Declared):
        return str(field.help_text or "")
    return " ".join(filter(None, (str(field.help_text or field.sentence), field.notation)))  # type: ignore[attr-defined]


def notes(field: Any) -> dict[str, str]:
    """`description` and `x-since` as the document draws them beside the field's form."""
    declared = field.child if isinstance(field, ListSerializer) else field
    since = declared.since if isinstance(declared, Declared) else ""
    told = described(field)
    return ({"description": told} if told else {}) | ({SINCE: since} if since else {})


def beside_references(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: what is said of a reference stands beside it, as OpenAPI 3.1 allows.

    drf-spectacular wraps the reference in an `allOf` of one, which generators of code take for a type of its own.
    """
    _unwrap(result)
    return result


def _unwrap(node: Any) -> None:
    if isinstance(node, dict):
        match node.get("allOf"):
            case [{"$ref": reference}]:
                rest = {name: value for name, value in node.items() if name != "allOf"}
                node.clear()
                node.update({"$ref": reference} | rest)
        for below in node.values():
            _unwrap(below)
    elif isinstance(node, list):
        for below in node:
            _unwrap(below)
