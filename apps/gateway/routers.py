"""The routers of /v1: paths without a trailing slash, and identifiers of any form (a malformed one is an unknown one)."""

from rest_framework import routers


class GatewayRouter(routers.SimpleRouter):
    """The paths of a resource: the collection, one record of it, and the extra actions of both."""

    def __init__(self) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)


class SingletonRouter(GatewayRouter):
    """The paths of a resource that exists once (the account): it is read at the prefix itself, its extra actions below it."""

    routes = [
        routers.Route(
            url="{prefix}", mapping={"get": "retrieve"}, name="{basename}-detail", detail=True, initkwargs={}
        ),
        routers.DynamicRoute(
            url="{prefix}/{url_path}", name="{basename}-{url_name}", detail=True, initkwargs={}
        ),
    ]
