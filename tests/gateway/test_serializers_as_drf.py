"""Bodies are taken and refused as DRF's own serializers do it."""

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework import serializers

from apps.common.errors import InvalidRequest
from apps.gateway.serializers import UNKNOWN, Body, validate
from tests.support.operations import operations

JUNK = st.sampled_from(
    [None, True, 0, -1, 1.5, "", " ", "x", "PT", "LIS", [], [None], {}, {"name": 1}, 10**13]
)
TEXTS = st.sampled_from(
    ["Lisbon", "LIS", "PT", " a ", "ada@example.com", "+351210000000", "2027-02-10", "\x00", ""]
)
BODY_CLASSES = sorted({op.route.body for op in operations() if op.route.body}, key=str)


def values_of(field: Any) -> st.SearchStrategy[Any]:
    """What may be sent for the field: often what it takes."""
    if isinstance(field, serializers.Serializer):
        names = {name: values_of(below) for name, below in field.fields.items()}
        likely = st.fixed_dictionaries({}, optional={**names, "unknown": JUNK})
        return st.one_of(likely, likely, likely, JUNK)
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return st.one_of(st.lists(values_of(field.child), max_size=3), JUNK)
    if isinstance(field, serializers.ChoiceField):
        return st.one_of(st.sampled_from(list(field.choices)), JUNK)
    if isinstance(field, serializers.IntegerField | serializers.FloatField):
        return st.one_of(st.integers(0, 6), JUNK)
    if isinstance(field, serializers.BooleanField):
        return st.one_of(st.booleans(), JUNK)
    return st.one_of(TEXTS, JUNK)


def as_drf_does(self: Body, data: Any) -> Any:
    """By DRF's own method, then a look for unknown names; and the rules where nothing is wrong."""
    value, found = None, {}
    try:
        value = serializers.Serializer.to_internal_value(self, data)
    except serializers.ValidationError as refused:
        found = dict(refused.detail)  # type: ignore[arg-type]
    if isinstance(data, dict):
        found |= {name: [UNKNOWN] for name in sorted(data.keys() - self.fields.keys())}
    if found:
        raise serializers.ValidationError(found)
    for _, rule in self.rules:
        rule(value)
    return value


def outcome(body_class: type[Body], body: dict[str, object]) -> tuple[str, object]:
    try:
        return "valid", validate(body_class, body)
    except InvalidRequest as refused:
        return "refused", refused.extras["details"]


@pytest.mark.django_db
@pytest.mark.parametrize("body_class", BODY_CLASSES, ids=lambda body: getattr(body, "__name__", ""))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_body_is_taken_and_refused_as_drf_does_it(body_class: type[Body], data: st.DataObject):
    body = data.draw(values_of(body_class()).filter(lambda drawn: isinstance(drawn, dict)))

    found = outcome(body_class, body)
    with patch.object(Body, "to_internal_value", as_drf_does):
        expected = outcome(body_class, body)

    if expected[0] == "valid":
        assert repr(found) == repr(expected)
    else:  # beside what DRF says, we tell what the rules say
        assert found[0] == "refused"
        assert [detail for detail in told(found) if detail in told(expected)] == told(expected)


def told(outcome: tuple[str, Any]) -> list[dict[str, str]]:
    details: list[dict[str, str]] = outcome[1]
    return details
