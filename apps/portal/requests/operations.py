"""What the filter "Operation or path" means: operations, which have an index, and a path."""

from typing import Any

from django.urls import Resolver404, resolve

from apps.gateway.routes import declared_ids


def called(text: str) -> dict[str, Any]:
    """The filters for `createHotelBooking` or its beginning, `/v1/hotels/bookings`, `POST /v1/hotels/bookings/{id}/cancel`, or a
    path with an id in it.
    """
    if not text:
        return {}
    method, _, path = text.rpartition(" ")
    if not path.startswith("/"):
        begins = text.lower()
        return {"operations": tuple(each for each in declared_ids() if each.lower().startswith(begins))}
    try:
        match = resolve(path)
    except Resolver404:
        return {"path_begins": path}
    routes = getattr(match.func, "initkwargs", {}).get("routes", {})
    wanted = method.strip().upper()
    operations = tuple(route.id for name, route in routes.items() if wanted in ("", name))
    has_id = any(not str(value).startswith("{") for value in match.kwargs.values())
    return {"operations": operations, "path": path if has_id else None}
