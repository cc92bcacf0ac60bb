"""A parameter that an operation declares is sent once; what it does not declare is ignored, however often (contract §1)."""

import pytest

from apps.gateway.operations import (
    IGNORED,
    LONGEST_NAME,
    MOST_NAMED,
    named_in_header,
)
from apps.keys.scopes import GRANTABLE
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api
from tests.support.operations import Operation, operations, partner_operations

pytestmark = pytest.mark.django_db
VALUES = {"from": "2026-11-01", "to": "2026-11-02", "limit": "5", "page": "1", "pageSize": "5"}
PARAMETERS = [
    pytest.param(operation, parameter.name, id=f"{operation} {parameter.name}")
    for operation in operations()
    for parameter in operation.route.query
]


@pytest.fixture
def api() -> Api:
    return api_of_new_partner(scopes=GRANTABLE)


def told(reply) -> list[tuple[str, str]]:
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    return [(detail["field"], detail["message"]) for detail in reply.error["details"]]


def test_there_are_parameters():
    assert len(PARAMETERS) > 20


@pytest.mark.parametrize(("operation", "name"), PARAMETERS)
def test_a_parameter_that_is_sent_twice_is_refused_by_name(api: Api, operation: Operation, name: str):
    value, path = VALUES.get(name, "x"), operation.url.partition("?")[0]

    for query in (f"{name}={value}&{name}={value}", f"{name}=&a=1&%{ord(name[0]):02x}{name[1:]}="):
        assert told(api.send(operation.method, f"{path}?{query}")) == [(name, "must be sent once")]


def test_all_that_are_sent_twice_are_named(api: Api):
    query = "status=pending&status=failed&limit=1&limit=1&limit=1&cursor=x&other=1&other=2"

    assert told(api.get(f"/v1/flights/orders?{query}")) == [
        ("limit", "must be sent once"),
        ("status", "must be sent once"),
    ]


@pytest.mark.parametrize("query", ["other=1&other=2", "Limit=1&Limit=2", "limit[]=1&limit[]=2", "&&&="])
def test_what_the_operation_does_not_know_is_ignored_also_when_it_is_sent_twice(api: Api, query: str):
    assert api.get(f"/v1/flights/orders?{query}").body == {"data": [], "hasMore": False, "nextCursor": None}
    assert api.get(f"/v1/account?limit=1&limit=2&{query}").status == 200
    assert api.post(f"/v1/hotels/searches?limit=1&limit=2&{query}", {"limit": 1}).status == 201


@pytest.mark.parametrize("operation", partner_operations(), ids=str)
def test_every_operation_names_what_it_ignored_whatever_it_answers(api: Api, operation: Operation):
    known = "&".join(f"{parameter.name}=x" for parameter in operation.route.query)
    path = operation.url.partition("?")[0]
    reply = api.send(operation.method, f"{path}?colour=Ada&{known}&page_size=5&colour=2")

    assert reply.headers[IGNORED] == "colour, page_size"


def test_nothing_is_named_where_nothing_was_ignored(api: Api):
    for query in ("", "?", "?&&", "?=5", "?limit=5&status=pending"):
        reply = api.get(f"/v1/flights/orders{query}")
        assert (reply.status, reply.headers.get(IGNORED)) == (200, None), query


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/hotels/bookings?limt=5", 403),  # a scope that the key has not
        ("/v1/flights/orders?limt=5&limit=0", 400),
        ("/v1/flights/orders/ford_x?limt=5", 404),
    ],
)
def test_a_refusal_names_them_too(path: str, status: int):
    reply = api_of_new_partner(scopes=["flights:book"]).get(path)

    assert (reply.status, reply.headers[IGNORED]) == (status, "limt")


@pytest.mark.parametrize(("method", "path"), [("PUT", "/v1/account"), ("GET", "/v1/nowhere")])
def test_nothing_is_named_where_there_is_no_operation(api: Api, method: str, path: str):
    assert IGNORED not in api.send(method, f"{path}?limt=5").headers


@pytest.mark.parametrize(
    ("names", "written"),
    [
        (["filter[status]", "a.b-c_d~e"], "filter[status], a.b-c_d~e"),
        (["a,b", "a b", "a\r\nSet-Cookie: x", "\x00"], "a%2Cb, a%20b, a%0D%0ASet-Cookie%3A%20x, %00"),
        (["caf\xe9", "\U0001f600", "\ud800"], "caf%C3%A9, %F0%9F%98%80, %3F"),
        (["x" * LONGEST_NAME, "y" * (LONGEST_NAME + 1), "\xe9" * 20, "z"], f"{'x' * LONGEST_NAME}, z"),
        ([f"p{number}" for number in range(1_000)], ", ".join(f"p{number}" for number in range(MOST_NAMED))),
        (["y" * (LONGEST_NAME + 1)], ""),
    ],
)
def test_names_are_made_safe_for_a_header_and_bounded(names: list[str], written: str):
    assert named_in_header(names) == written
