"""Every stored row that belongs to given environments, as text: to show that nothing of them has changed."""

from collections.abc import Collection

from django.apps import apps
from django.db import connection
from django.db.models import Field, ForeignKey, Model

Environments = Collection[tuple[str, str]]
"""Account id and environment."""


def rows_of(environments: Environments) -> dict[str, list[str]]:
    """By table. A row that names no environment belongs to that of the row that it refers to."""
    return {
        model._meta.db_table: _rows(model, path, environments)
        for model in apps.get_models()
        if (path := _path(model, frozenset())) is not None
    }


def _path(model: type[Model], seen: frozenset[type[Model]]) -> list[ForeignKey[Model, Model]] | None:
    """The references that lead to account and environment, or None where none do."""
    names = {field.name for field in model._meta.fields}
    if {"account", "environment"} <= names:
        return []
    for field in model._meta.fields:
        target = field.related_model
        if not isinstance(field, ForeignKey) or not isinstance(target, type) or target in seen:
            continue
        further = _path(target, seen | {model})
        if further is not None:
            return [field, *further]
    return None


def _rows(model: type[Model], path: list[ForeignKey[Model, Model]], environments: Environments) -> list[str]:
    joins, last = "", "t0"
    for depth, field in enumerate(path, start=1):
        target = field.related_model
        assert isinstance(target, type)
        primary = target._meta.pk
        assert isinstance(primary, Field)
        joins += (
            f" JOIN {target._meta.db_table} t{depth} ON t{depth}.{primary.column} = {last}.{field.column}"
        )
        last = f"t{depth}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT t0::text FROM {model._meta.db_table} t0{joins}"
            f" WHERE ({last}.account_id, {last}.environment) IN"
            " (SELECT * FROM unnest(%s::text[], %s::text[])) ORDER BY 1",
            [[account for account, _ in environments], [environment for _, environment in environments]],
        )
        return [row for (row,) in cursor.fetchall()]
