"""The bodies that the forms of the reference page begin with."""

import datetime

import pytest
from jsonschema import Draft202012Validator

from apps.common import clock
from apps.gateway.declared import example_of
from apps.gateway.openapi import document
from apps.gateway.openapi.examples import request_examples
from tests.support.operations import operation_of, operations

pytestmark = pytest.mark.usefixtures("noon")

TAKEN = sorted(operation.route.id for operation in operations() if operation.route.body is not None)


def test_every_operation_that_takes_a_body_has_an_example():
    assert len(TAKEN) > 15
    assert sorted(request_examples()) == TAKEN


@pytest.mark.parametrize("operation_id", TAKEN)
def test_the_document_admits_each_example_and_the_serializer_takes_it(operation_id: str):
    example = request_examples()[operation_id]
    operation = operation_of(operation_id)
    entry = document()["paths"][operation.path][operation.method.lower()]
    schema = entry["requestBody"]["content"]["application/json"]["schema"]
    whole = {**schema, "components": document()["components"]}

    assert list(Draft202012Validator(whole).iter_errors(example)) == []
    body = operation.route.body(data=example)
    assert (body.is_valid(), body.errors) == (True, {})


def test_an_example_has_the_examples_of_its_fields_alone():
    days = [(clock.today() + datetime.timedelta(days=ahead)).isoformat() for ahead in (30, 32)]

    assert request_examples()["cancelHotelBooking"] == {}
    assert request_examples()["searchHotels"] == {
        "destination": {"city": "Lisbon"},
        "checkIn": days[0],
        "checkOut": days[1],
        "rooms": [{"adults": 2}],
        "limit": 3,
    }


def test_what_declares_no_example_has_none():
    assert example_of(operation_of("cancelHotelBooking").route.body()) is None
