"""The declaration of an operation: what it says unless told, and what a method's docstring becomes."""

import pytest

from apps.gateway import routes
from apps.gateway.routes import (
    QueryParameter,
    RateClass,
    Route,
    action,
    declared_ids,
    methods_served,
    route_named,
)


def test_an_operation_answers_200_and_refuses_a_stopped_account_with_403_unless_told():
    route = Route("read", rate_class=RateClass.READ, answer=None)

    assert (route.status, route.inactive_status) == (200, 403)
    assert (
        route.counts_quota,
        Route("s", rate_class=RateClass.SEARCH, answer=None, product="x").counts_quota,
    ) == (
        False,
        True,
    )


def test_an_operation_is_a_sale_outside_the_sandbox_and_needs_no_parameter_unless_told() -> None:
    route = Route("book", scope="hotels:book", rate_class=RateClass.BOOKING, answer=None)

    assert (route.sells, route.after_sale, route.sandbox) == ("hotels", False, False)
    assert not QueryParameter("limit", {"type": "integer"}, "How many.").required


def test_a_docstring_is_summary_and_description():
    def handler() -> None:
        """Build a boat.

        It takes
        a while.
        """

    def silent() -> None: ...

    declared = Route("build", rate_class=RateClass.BOOKING, answer=None)
    for function, told in ((handler, ("Build a boat.", "It takes a while.")), (silent, ("build", ""))):
        route = declared(function).route  # type: ignore[attr-defined]
        assert (route.id, route.summary, route.description) == ("build", *told)


def test_an_operation_is_found_by_its_id_once_a_method_carries_it_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(routes, "_declared", {})
    for id_ in ("setSail", "castAnchor"):
        Route(id_, rate_class=RateClass.BOOKING, answer=None)(lambda: None)

    assert declared_ids() == ["castAnchor", "setSail"]
    found = [route_named(id_) for id_ in ("setSail", "castAnchor", "row")]
    assert [route and route.id for route in found] == ["setSail", "castAnchor", None]


def test_an_extra_action_has_its_methods_its_path_and_whether_it_is_of_one_record():
    @action(methods=["post"], detail=True, url_path="set-sail")
    def sail() -> None: ...

    @action(methods=["get"], detail=False)
    def tide() -> None: ...

    assert [(one.url_path, one.detail, dict(one.mapping)) for one in (sail, tide)] == [  # type: ignore[attr-defined]
        ("set-sail", True, {"post": "sail"}),
        ("tide", False, {"get": "tide"}),
    ]


def test_what_is_served_has_head_where_there_is_get():
    assert methods_served(["POST", "GET"]) == ["GET", "HEAD", "POST"]
    assert methods_served(["POST", "DELETE"]) == ["DELETE", "POST"]


def test_an_operation_belongs_to_the_product_of_its_scope_until_something_is_booked():
    sells = [
        Route("x", rate_class=RateClass.BOOKING, answer=None, scope=scope, after_sale=after_sale).sells
        for scope, after_sale in (("hotels:book", False), ("hotels:book", True), ("ledger:read", False))
    ]
    assert sells == ["hotels", "", ""]
