"""Which functions are which part of a call. What none of them does is the rest: dispatch, services, middleware."""

import importlib
from typing import Any

from tests.bench.parts.attribution import Attribution

HTTP, GATE, VALIDATION, STATEMENTS = "HTTP in and out", "gate", "validation", "statements"
SUPPLIER, RENDERING, REQUEST_LOG, REST = "supplier", "rendering", "request log", "the rest"
COLLECTOR = "garbage collector"
PARTS = (HTTP, GATE, VALIDATION, STATEMENTS, SUPPLIER, RENDERING, REQUEST_LOG, COLLECTOR, REST)

SPOTS: dict[str, tuple[str, ...]] = {
    GATE: ("apps.gateway.views:GatewayViewSet.initial",),
    VALIDATION: (
        "apps.gateway.steps:body",
        "apps.gateway.steps:refusal_of_body",
        "apps.hotels.serializers.bodies:search_request",
        "apps.hotels.serializers.bodies:party_named",
    ),
    STATEMENTS: (
        "apps.common.sql:one_row",
        "apps.common.sql:rows_changed",
        "django.db.models.sql.compiler:SQLCompiler.execute_sql",
        "django.db.models.sql.compiler:SQLInsertCompiler.execute_sql",
        "django.db.backends.utils:CursorWrapper.execute",
        "django.db.backends.base.base:BaseDatabaseWrapper.commit",
        "django.db.backends.base.base:BaseDatabaseWrapper.rollback",
        "django.db.backends.base.base:BaseDatabaseWrapper.set_autocommit",
        "psycopg:Cursor.execute",
        "psycopg:Cursor.fetchone",
        "psycopg:Cursor.fetchall",
        "psycopg:Cursor.fetchmany",
    ),
    SUPPLIER: ("apps.suppliers.guarded_adapter:GuardedAdapter._call",),
    RENDERING: (
        "apps.gateway.views:respond",
        "apps.gateway.answer:render",
        "apps.hotels.presenters:search_json",
        "apps.hotels.presenters:stay_booking_json",
        "apps.account_api.presenters:account_json",
    ),
    REQUEST_LOG: ("apps.gateway.finish:log",),
}


def attribute_all(attribution: Attribution) -> None:
    """From now on each of these functions notes whose its work is. Raises LookupError for one that is no longer there."""
    for part, places in SPOTS.items():
        for place in places:
            owner, name = found(place)
            setattr(owner, name, attribution.part(part, getattr(owner, name)))
    attribution.collections(COLLECTOR)


def found(place: str) -> tuple[Any, str]:
    """The module or class, and the name in it."""
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner: Any = importlib.import_module(module)
    for each in owners:
        owner = getattr(owner, each, None)
    if not hasattr(owner, name):
        raise LookupError(f"{place} is not there any more: say in {__name__} what does its work now")
    return owner, name
