"""The allow-list: which properties of a body the request log keeps, read from the serializers once a process.

A field that says `logged=True` is kept where its value has the field's form. An object or a list that says so is looked into.
Of every other field only the name is shown. A name means the same in all bodies: what one body declares is kept of each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from rest_framework.serializers import ListField, ListSerializer, Serializer

import apps
from apps.gateway import pagination, sandbox
from apps.gateway.declared import Declared, fields_of
from apps.gateway.request_log.value_forms import Form, any_of
from apps.gateway.serializers import AnswerBody, Body, DetailBody, Envelope, ErrorBody

OF_REFUSALS = (Envelope, ErrorBody, DetailBody)

# Details may name these too. Every other query parameter has the name of a field.
OF_REQUESTS = {
    sandbox.HEADER,
    *(parameter.name for parameter in pagination.PAGE_PARAMETERS),
    "updatedSince",  # declared by the bookings, a floor above
}


@dataclass(frozen=True, slots=True)
class AllowList:
    """`forms` of the values that are kept, by name; the names of objects and lists that are `opened`; all `names` of ours."""

    forms: Mapping[str, Form]
    opened: frozenset[str]
    names: frozenset[str]

    def is_known_path(self, value: object) -> bool:
        """Whether each step of a path such as `slices.0.origin` is a name of ours or a position."""
        return isinstance(value, str) and all(
            step in self.names or (step.isdigit() and len(step) < 4) for step in value.split(".")
        )


@cache
def allow_list() -> AllowList:
    """Of all bodies. Raises ImproperlyConfigured where a field is to be kept that has no form."""
    _import_serializers()
    bodies = _declared_by({*_subclasses(Body), *_subclasses(AnswerBody)} - set(OF_REFUSALS))
    refusals = of_refusals()
    return AllowList(
        {**refusals.forms, **bodies.forms},
        bodies.opened | refusals.opened,
        bodies.names | refusals.names | OF_REQUESTS,
    )


@cache
def of_refusals() -> AllowList:
    """Of the error envelope."""
    return _declared_by(set(OF_REFUSALS))


def _declared_by(bodies: set[type[Serializer[Any]]]) -> AllowList:
    names, opened, forms = set[str](), set[str](), dict[str, list[Form]]()
    for body in bodies:
        for name, declared in fields_of(body()).items():
            field: Any = declared.child if isinstance(declared, ListSerializer) else declared
            names.add(name)
            if not (isinstance(field, Declared) and field.logged):
                continue
            holds_others = isinstance(field, Serializer | ListField)
            if holds_others:
                opened.add(name)
            if form := field.log_form():
                forms.setdefault(name, []).append(form)
            elif not holds_others:
                raise ImproperlyConfigured(f"{body.__name__}.{name} has no form, and cannot be logged")
    return AllowList(
        {name: any_of(several) for name, several in forms.items()}, frozenset(opened), frozenset(names)
    )


def _subclasses(base: type[Serializer[Any]]) -> Iterator[type[Serializer[Any]]]:
    for below in base.__subclasses__():
        yield below
        yield from _subclasses(below)


def _import_serializers() -> None:
    """Of every app: a class is known once its module was imported."""
    for module in walk_packages(apps.__path__, "apps."):
        if module.name.endswith(".serializers"):
            import_module(module.name)
