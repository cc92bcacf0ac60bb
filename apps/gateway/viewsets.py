"""The base of the service's viewsets: each path of one knows which operation answers which method."""

from typing import Any

from rest_framework.viewsets import ViewSet

from apps.gateway.routes import Route


class OperationViewSet(ViewSet):
    """A viewset whose actions are declared with `@Route`. Subclasses dispatch by themselves: nothing of DRF's own
    authentication, permissions, throttles, negotiation or rendering runs.
    """

    routes: dict[str, Route] = {}
    """The operations of one path, by method in upper case. `as_view` sets it."""

    @classmethod
    def as_view(cls, actions: dict[str, Any] | None = None, **initkwargs: Any) -> Any:
        """The view of one path. Raises AttributeError for an action that is not declared with `@Route`."""
        routes = {method.upper(): getattr(cls, name).route for method, name in (actions or {}).items()}
        return super().as_view(actions, routes=routes, **initkwargs)

    @classmethod
    def get_extra_actions(cls) -> list[Any]:
        """The extra actions in the order of their declaration. DRF sorts them by name, and the OpenAPI document would too."""
        declared = [name for owner in reversed(cls.__mro__) for name in vars(owner)]
        return sorted(super().get_extra_actions(), key=lambda action: declared.index(action.__name__))
