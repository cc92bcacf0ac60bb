"""Example bodies, made of the examples that the fields of a body declare."""

from typing import Any

from rest_framework.serializers import ListField, ListSerializer, Serializer

from apps.gateway.declared import fields_of
from apps.gateway.openapi import document
from apps.gateway.openapi.names import component_name
from apps.gateway.serializers import Body


def request_examples() -> dict[str, dict[str, Any]]:
    """By operationId, the body that the reference page begins with, for every operation that takes one.

    The recorded journey (`recorded_examples`) begins with the same ones, at its own instant.

    The service takes it as it stands, but for the handles that only a search gives, such as `offer_…`.
    """
    operations = [entry for path in document()["paths"].values() for entry in path.values()]
    bodies = {component_name(body, is_request=True): body for body in Body.__subclasses__()}
    return {
        entry["operationId"]: example_of(bodies[_component_of(entry)]()) or {}
        for entry in operations
        if "requestBody" in entry
    }


def example_of(field: Any) -> Any:
    """The field's own example, else one made of those below it; None where there is none."""
    own = getattr(field, "example", None)
    if own is not None:
        return own() if callable(own) else own
    if isinstance(field, Serializer):
        below = {name: example_of(child) for name, child in fields_of(field).items()}
        return {name: example for name, example in below.items() if example is not None} or None
    if isinstance(field, ListField | ListSerializer):
        item = example_of(field.child)
        return None if item is None else [item]
    return None


def _component_of(operation: dict[str, Any]) -> str:
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return str(schema["$ref"]).rpartition("/")[2]
