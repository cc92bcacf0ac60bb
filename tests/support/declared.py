"""Answers are compared with the serializers that declare them: what they lack, what they have beside it, and its types."""

from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from typing import Any

from rest_framework import serializers

from apps.gateway.declared import Declared, fields_of
from apps.gateway.fields import LocalDateTime, OneOf
from apps.gateway.serializers import Envelope
from tests.support.documented import operation_at
from tests.support.operations import operations, sandbox_operations

_known: dict[type[serializers.Serializer[Any]], dict[str, Any]] = {}


def refuse_undeclared(method: str, url: str, status: int, body: object) -> None:
    """AssertionError unless the answer is what its serializer declares."""
    template, method = operation_at(method, url)
    answers = _answers()
    place = (template, method, status)
    declared = answers[place] if place in answers else _envelope()
    found = [] if body is None and declared is None else list(faults(declared, body))
    assert found == [], f"{method.upper()} {url} {status}: not as declared: {found}"


@cache
def _envelope() -> Envelope:
    return Envelope()


@cache
def _answers() -> dict[tuple[str, str, int], serializers.Serializer[Any] | None]:
    return {
        (operation.path, operation.method.lower(), status): answer() if answer else None
        for operation in operations() + sandbox_operations()
        for status, answer in {operation.route.status: operation.route.answer, **operation.route.also}.items()
    }


def faults(field: Any, value: object, at: str = "", *, forms: bool = False) -> Iterator[str]:
    """Where `value` is not what `field` declares. `forms`: a value that the log keeps must have its form, too."""
    field = _kind_of(field, value)
    if field is None:
        yield f"{at}: nothing is declared"
    elif value is None:
        if not (field.allow_null or isinstance(field, serializers.JSONField)):
            yield f"{at}: null"
    elif isinstance(field, serializers.Serializer):
        yield from _faults_of_object(field, value, at, forms=forms)
    elif isinstance(field, serializers.ListSerializer | serializers.ListField):
        if not isinstance(value, list):
            yield f"{at}: no list"
            return
        for index, item in enumerate(value):
            yield from faults(field.child, item, f"{at}.{index}", forms=forms)
    elif not _has_type(field, value):
        yield f"{at}: {value!r} is no {type(field).__name__}"
    elif forms and isinstance(field, Declared) and field.logged and not field.log_form()(value):
        yield f"{at}: {value!r} does not have the form that the log keeps"


def _kind_of(field: Any, value: object) -> Any:
    """Of a OneOf the kind that the value says it is; None where it says none."""
    if not isinstance(field, OneOf):
        return field
    kind = field.kinds.get(str(value.get(field.tell_by))) if isinstance(value, dict) else None
    return kind() if kind else None


def _faults_of_object(
    field: serializers.Serializer[Any], value: object, at: str, *, forms: bool
) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at}: no object"
        return
    declared = _fields_of(field)
    for name in value.keys() - declared.keys():
        yield f"{at}.{name}: not declared"
    for name, below in declared.items():
        if name in value:
            yield from faults(below, value[name], f"{at}.{name}", forms=forms)
        elif below.required:
            yield f"{at}.{name}: missing"


def _fields_of(field: serializers.Serializer[Any]) -> dict[str, Any]:
    """Asked for once of each class, because a serializer copies all its fields for everyone who asks."""
    kind = type(field)
    if kind not in _known:
        _known[kind] = fields_of(field)
    return _known[kind]


def _has_type(field: object, value: object) -> bool:
    match field:
        case serializers.ChoiceField():
            return value in field.choices
        case LocalDateTime():
            return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is None
        case serializers.DateTimeField():
            return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
        case serializers.DateField():
            return isinstance(value, str) and bool(date.fromisoformat(value))
        case serializers.BooleanField():
            return isinstance(value, bool)
        case serializers.IntegerField():
            return isinstance(value, int) and not isinstance(value, bool)
        case serializers.FloatField():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case serializers.CharField():
            return isinstance(value, str)
        case serializers.DictField():
            return isinstance(value, dict)
        case _:
            return isinstance(field, serializers.JSONField)
