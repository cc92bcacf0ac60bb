"""The base of every request body: unknown properties are named and refused at every depth (specification §4, rule 3)."""

from collections.abc import Iterator, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from apps.gateway.errors import InvalidRequest

UNKNOWN = "is not a property of this request"


class Body(serializers.Serializer[Any]):
    """A request body or an object inside one."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) if isinstance(data, Mapping) else set()
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if unknown and isinstance(error.detail, dict):
                raise serializers.ValidationError(
                    {**error.detail, **{name: [UNKNOWN] for name in unknown}}
                ) from None
            raise
        if unknown:
            raise serializers.ValidationError({name: [UNKNOWN] for name in sorted(unknown)})
        return value


def page_of(row: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The answer of a listing of `row`s, for the OpenAPI document (contract §1)."""
    members = {
        "data": row(many=True),
        "hasMore": serializers.BooleanField(),
        "nextCursor": serializers.CharField(allow_null=True),
    }
    return type(f"{row.__name__.removesuffix('Answer')}Page", (serializers.Serializer,), members)


def validate(body_class: type[Any], body: Mapping[str, object], **context: object) -> dict[str, Any]:
    """The validated body. Raises InvalidRequest with one detail a fault, each at its dotted path."""
    serializer = body_class(data=body, context=context)
    if serializer.is_valid():
        return dict(serializer.validated_data)
    details = [{"field": field, "message": message} for field, message in _faults(serializer.errors, "")]
    raise InvalidRequest(details=details)


def _faults(errors: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(errors, Mapping):
        for name, below in errors.items():
            step = path if name == "non_field_errors" else f"{path}.{name}".lstrip(".")
            yield from _faults(below, step)
    elif isinstance(errors, list) and all(isinstance(item, ErrorDetail | str) for item in errors):
        for item in errors:
            yield path, str(item)
    elif isinstance(errors, list):
        for index, below in enumerate(errors):
            yield from _faults(below, f"{path}.{index}".lstrip("."))
