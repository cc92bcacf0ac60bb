"""A parameter that an operation declares is sent once; what it does not declare is ignored, however often (contract §1)."""

import pytest

from apps.keys.scopes import GRANTABLE
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api
from tests.support.operations import Operation, operations

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
    value = VALUES.get(name, "x")

    for query in (f"{name}={value}&{name}={value}", f"{name}=&a=1&%{ord(name[0]):02x}{name[1:]}="):
        assert told(api.send(operation.method, f"{operation.url}?{query}")) == [(name, "must be sent once")]


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
