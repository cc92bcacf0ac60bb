"""Every operation's real answer has exactly what its serializer declares: the presenters build answers without them."""

import copy
from typing import Any

import pytest

from apps.keys.scopes import GRANTABLE
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.support.declared import faults, refuse_undeclared
from tests.support.operations import Operation, operation_of, operations

pytestmark = pytest.mark.django_db


def answered(operation: Operation) -> Any:
    goods = Goods(api_of_new_partner(cents=10_000_000, scopes=GRANTABLE))
    reply = goods.call(operation.route.id)
    assert reply.status == operation.route.status
    return reply.body


@pytest.mark.parametrize("operation", operations(), ids=str)
def test_each_operation_answers_what_its_serializer_declares(operation: Operation):
    body = answered(operation)

    declared = operation.route.answer
    assert (body is None) == (declared is None)
    assert declared is None or list(faults(declared(), body, forms=True)) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda offer: offer.pop("currency"), ".currency: missing"),
        (lambda offer: offer.update(seats=2), ".seats: not declared"),
        (lambda offer: offer.update(totalCents="100"), ".totalCents: '100' is no Cents"),
        (lambda offer: offer.update(totalCents=True), ".totalCents: True is no Cents"),
        (lambda offer: offer.update(cabin=None), ".cabin: null"),
        (lambda offer: offer.update(cabin="luxury"), ".cabin: 'luxury' is no Choice"),
        (lambda offer: offer.update(slices={}), ".slices: no list"),
        (lambda offer: offer["slices"][0].update(origin=5), ".slices.0.origin: 5 is no Airport"),
    ],
)
def test_an_answer_that_is_not_as_declared_is_seen(change: Any, fault: str):
    operation = operation_of("repriceFlightOffer")
    offer = copy.deepcopy(answered(operation))
    change(offer)

    assert list(faults(operation.route.answer(), offer)) == [fault]
    with pytest.raises(AssertionError, match="not as declared"):
        refuse_undeclared("GET", operation.url, 200, offer)


def test_a_value_that_the_log_would_hide_though_it_should_keep_it_is_seen():
    operation = operation_of("repriceFlightOffer")
    offer = {**answered(operation), "offerId": "x"}

    assert list(faults(operation.route.answer(), offer)) == []
    assert list(faults(operation.route.answer(), offer, forms=True)) == [
        ".offerId: 'x' does not have the form that the log keeps"
    ]


def test_a_refusal_with_an_extra_that_nobody_declared_is_seen():
    error = {"type": "conflict", "message": "No.", "requestId": "0b5c2f1e-8f0b-4d7e-9a54-6f6f3f7d2c11"}
    refuse_undeclared("GET", "/v1/account", 409, {"error": error})

    with pytest.raises(AssertionError, match="not as declared"):
        refuse_undeclared("GET", "/v1/account", 409, {"error": {**error, "seats": 2}})
