"""The paths that a viewset gets, and which operation answers which method of each."""

import random
from typing import Any

import pytest
from django.urls import URLPattern

from apps.gateway.openapi import hooks
from apps.gateway.operations import RateClass, action, operation
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayRouter, GatewayViewSet, SingletonRouter


class BoatViewSet(GatewayViewSet):
    lookup_url_kwarg = "boatId"

    @operation("createBoat", rate_class=RateClass.BOOKING, answer=None)
    def create(self, request: PartnerRequest) -> Answer:
        """Build a boat.

        It takes
        a while.
        """
        return Answer()

    @operation("listBoats", rate_class=RateClass.READ, answer=None)
    def list(self, request: PartnerRequest) -> Answer:
        return Answer()

    @operation("getBoat", rate_class=RateClass.READ, answer=None)
    def retrieve(self, request: PartnerRequest, boat_id: str) -> Answer:
        return Answer()

    @operation("deleteBoat", rate_class=RateClass.BOOKING, answer=None)
    def destroy(self, request: PartnerRequest, boat_id: str) -> Answer:
        return Answer()

    @action(detail=True, methods=["post"], url_path="set-sail")
    @operation("setSail", rate_class=RateClass.BOOKING, answer=None)
    def sail(self, request: PartnerRequest, boat_id: str) -> Answer:
        return Answer()

    @action(detail=True, methods=["post"])
    @operation("moorBoat", rate_class=RateClass.BOOKING, answer=None)
    def moor(self, request: PartnerRequest, boat_id: str) -> Answer:
        return Answer()


class HarbourViewSet(GatewayViewSet):
    @operation("getHarbour", rate_class=RateClass.READ, answer=None)
    def retrieve(self, request: PartnerRequest) -> Answer:
        return Answer()

    @action(detail=True, methods=["get"])
    @operation("getTide", rate_class=RateClass.READ, answer=None)
    def tide(self, request: PartnerRequest) -> Answer:
        return Answer()


def routes_of(url: URLPattern) -> dict[str, Any]:
    callback: Any = url.callback
    routes: dict[str, Any] = callback.initkwargs["operations"]
    return routes


def operations_by_path(urls: list[URLPattern]) -> list[tuple[str, dict[str, str]]]:
    return [
        (
            str(url.pattern),
            {method: route.id for method, route in routes_of(url).items()},
        )
        for url in urls
    ]


def test_a_resource_has_a_collection_a_record_and_its_actions_in_the_order_of_their_declaration():
    router = GatewayRouter()
    router.register("boats", BoatViewSet, "boat")

    assert operations_by_path(router.urls) == [
        ("boats", {"GET": "listBoats", "POST": "createBoat"}),
        ("boats/<str:boatId>", {"GET": "getBoat", "DELETE": "deleteBoat"}),
        ("boats/<str:boatId>/set-sail", {"POST": "setSail"}),
        ("boats/<str:boatId>/moor", {"POST": "moorBoat"}),
    ]


def test_what_exists_once_is_read_at_its_prefix():
    router = SingletonRouter()
    router.register("harbour", HarbourViewSet, "harbour")

    assert operations_by_path(router.urls) == [
        ("harbour", {"GET": "getHarbour"}),
        ("harbour/tide", {"GET": "getTide"}),
    ]


def test_a_view_is_made_of_actions():
    with pytest.raises(TypeError, match="`actions` argument"):
        BoatViewSet.as_view()


def test_the_docstring_is_summary_and_description():
    route = BoatViewSet.create.operation  # type: ignore[attr-defined]

    assert (route.summary, route.description) == ("Build a boat.", "It takes a while.")
    listed = BoatViewSet.list.operation  # type: ignore[attr-defined]
    assert (listed.summary, listed.description) == ("listBoats", "")


def test_an_action_that_is_not_declared_gets_no_view():
    class Undeclared(GatewayViewSet):
        def list(self, request: PartnerRequest) -> Answer:
            return Answer()

    router = GatewayRouter()
    router.register("undeclared", Undeclared, "undeclared")
    with pytest.raises(AttributeError):
        _ = router.urls


def test_the_document_has_the_methods_of_a_path_in_one_order_whatever_the_process():
    ordered = [
        (path, path, method, None)
        for path, methods in (("/v1/b", "GET POST"), ("/v1/a", "GET PATCH DELETE"))
        for method in methods.split()
    ]
    for seed in range(20):
        first, second = ordered[:2], ordered[2:]
        random.Random(seed).shuffle(first)
        random.Random(seed).shuffle(second)
        assert hooks.in_order_of_methods([*first, *second]) == ordered
