"""Nothing recorded is sent again: what was another thing each time has a name, and is known before it is used."""

import re
from datetime import date, datetime

import pytest

from apps.docs.postman import days, steps
from apps.gateway.openapi import document
from apps.gateway.recorded_examples import recorded

GIVEN = {"webhookUrl", "run", *(f"day{ahead}" for ahead in days())}
RECORDED = re.compile(r"[a-z]+_[0-9a-z]{20,}|\b[A-Z]-[0-9A-Z]{8}\b|ACME-\d{4}(?!-\{\{run)")


def sent(step) -> str:
    return f"{step.path} {step.query} {step.body or ''}"


def test_every_operation_is_a_step():
    operations = {entry["operationId"] for path in document()["paths"].values() for entry in path.values()}
    assert {step.example.operation_id for step in steps()} == operations


def test_names_are_not_used_twice():
    names = [step.name for step in steps()]
    assert len(set(names)) == len(names) > 50


def test_no_recorded_id_or_reference_is_sent():
    assert any(RECORDED.search(f"{example.request}") for example in recorded())
    assert [found for step in steps() for found in RECORDED.findall(sent(step))] == []


def test_no_recorded_day_is_sent():
    began = datetime.fromisoformat(recorded()[0].at).date()
    told = [day for step in steps() for day in re.findall(r"\d{4}-\d{2}-\d{2}", sent(step))]
    assert told != []
    assert [day for day in told if date.fromisoformat(day) >= began] == []


def test_every_variable_is_kept_from_an_earlier_answer():
    known = set(GIVEN)
    used = 0
    for step in steps():
        for variable in re.findall(r"\{\{(\w+)\}\}", sent(step)):
            assert variable in known, step.name
            used += variable not in GIVEN
        known |= {keep.variable for keep in step.keeps}
    assert used > 20


@pytest.mark.parametrize(
    ("operation_id", "variable", "expression"),
    [
        ("createHotelBooking", "hotelBookingId", "answer.id"),
        ("getHotelRate", "hotelTotalCents", "answer.totalCents"),
        ("repriceFlightOffer", "sliceId", "answer.slices[0].sliceId"),
        ("listEsimPlans", "planId", "answer.data[0].id"),
        ("getEsimPlan", "esimTotalCents", "answer.priceCents"),
    ],
)
def test_a_variable_is_read_where_the_answer_tells_it(operation_id, variable, expression):
    kept = {
        keep.variable: keep.expression
        for step in steps()
        if step.example.operation_id == operation_id
        for keep in step.keeps
    }
    assert kept[variable] == expression


def test_a_price_limit_stands_as_a_number():
    booking = next(step for step in steps() if step.example.operation_id == "createHotelBooking")
    assert '"maxTotalCents": {{hotelTotalCents}}' in booking.body
    assert '"rateId": "{{rateId}}"' in booking.body


def test_a_request_that_is_sent_again_has_the_key_of_the_first_time():
    repeated = [step for step in steps() if step.key == "{{repeatedKey}}"]
    assert [(step.begins_key, step.is_replay) for step in repeated] == [(True, False), (False, True)]
    assert repeated[0].body == repeated[1].body
