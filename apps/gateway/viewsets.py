"""The base of the service's viewsets: each path of one knows which operation answers which method."""

from functools import update_wrapper
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.viewsets import ViewSet

from apps.gateway.routes import Route


class OperationViewSet(ViewSet):
    """A viewset whose actions are declared with `@Route`. Subclasses dispatch by themselves: nothing of DRF's own
    authentication, permissions, throttles, negotiation or rendering runs.
    """

    handle: str = ""
    """What the identifier in the path is, in a sentence of the OpenAPI document."""
    other_handles: dict[str, str] = {}
    """The same of further identifiers in the path, by their names."""
    routes: dict[str, Route] = {}
    """The operations of one path, by method in upper case. `as_view` sets it, for DRF's view and for our own."""
    names: dict[str, str] = {}
    """The actions that carry them out, by the same methods."""

    @classmethod
    def as_view(cls, actions: dict[str, Any] | None = None, **initkwargs: Any) -> Any:
        """The view of one path. Raises AttributeError for an action that is not declared with `@Route`.

        The OpenAPI document reads the attributes of DRF's view. A call does without what that view prepares for DRF's dispatch.
        """
        names = {method.upper(): name for method, name in (actions or {}).items()}
        routes = {method: getattr(cls, name).route for method, name in names.items()}
        documented = super().as_view(actions, routes=routes, **initkwargs)

        def view(request: HttpRequest, *args: object, **path_arguments: str) -> HttpResponseBase:
            self = cls()
            self.routes, self.names = routes, names
            return self.dispatch(request, *args, **path_arguments)

        return update_wrapper(view, documented)

    @classmethod
    def get_extra_actions(cls) -> list[Any]:
        """The extra actions in the order of their declaration. DRF sorts them by name, and the OpenAPI document would too."""
        declared = [name for owner in reversed(cls.__mro__) for name in vars(owner)]
        return sorted(super().get_extra_actions(), key=lambda action: declared.index(action.__name__))
