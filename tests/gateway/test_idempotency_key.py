"""The Idempotency-Key header, and the fingerprint that tells whether a request is the same (contract §2)."""

import json

import pytest

from apps.gateway.idempotency import fingerprint
from apps.gateway.models import IdempotencyRecord
from tests.factories.gateway import api_of_new_partner
from tests.gateway.searches import FLIGHTS
from tests.support.api import Api


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner()


@pytest.mark.parametrize("key", ["12345678", "x" * 255, "with a space", "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"])
def test_eight_to_255_printable_ascii_characters_are_a_key(api: Api, key: str):
    assert api.post("/v1/flights/searches", FLIGHTS, key=key).status == 201
    assert IdempotencyRecord.objects.get().key == key


@pytest.mark.parametrize(
    "key", ["", "1234567", "x" * 256, "é2345678", "１２３４５６７８", "tab\tinside", "\x7f2345678"]
)
def test_anything_else_is_none(api: Api, key: str):
    reply = api.post("/v1/flights/searches", FLIGHTS, Idempotency_Key=key)

    assert (reply.status, reply.error_type) == (400, "idempotency_key_required")
    assert not IdempotencyRecord.objects.exists()


BODY = {"a": 1, "b": {"c": [1, "x", None], "d": 2**70}}


@pytest.mark.parametrize(
    "same", [{"b": {"d": 2**70, "c": [1, "x", None]}, "a": 1}, json.loads(json.dumps(BODY, indent=3))]
)
def test_spacing_and_the_order_of_names_do_not_matter(same: object):
    assert fingerprint("POST", "/v1/x", BODY) == fingerprint("POST", "/v1/x", same)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/v1/x", BODY),
        ("POST", "/v1/y", BODY),
        ("POST", "/v1/x", {}),
        ("POST", "/v1/x", {**BODY, "a": 2}),
        ("POST", "/v1/x", {**BODY, "a": 1.5}),
        ("POST", "/v1/x", {**BODY, "a": True}),
        ("POST", "/v1/x", {**BODY, "b": {"c": ["x", 1, None], "d": 2**70}}),
        ("POST", "/v1/x", {**BODY, "b": {"c": [1, "x", None], "d": 2**70 + 1}}),
    ],
)
def test_method_path_and_values_do(method: str, path: str, body: object):
    assert fingerprint(method, path, body) != fingerprint("POST", "/v1/x", BODY)


@pytest.mark.parametrize("number", [-(2**63), -2, -1, 1, 2**63, 2**64 - 1])
def test_a_number_within_64_bits_is_another_value_than_its_digits_also_beside_one_beyond(number: int):
    bodies = [{"a": number, "b": 2**70}, {"a": str(number), "b": 2**70}]

    assert len({fingerprint("POST", "/v1/x", body) for body in bodies}) == 2


@pytest.mark.parametrize("number", [-(2**63) - 1, 2**64])
def test_a_number_beyond_64_bits_has_a_fingerprint_of_its_own(number: int):
    assert len(fingerprint("POST", "/v1/x", {"a": number})) == 64
    assert fingerprint("POST", "/v1/x", {"a": number}) != fingerprint("POST", "/v1/x", {"a": number + 1})


def test_so_it_has_in_a_list_and_in_an_object_of_a_list():
    items: list[object] = [2**64, 2**64 + 1, {"b": 2**64}, {"b": 2**64 + 1}]

    assert len({fingerprint("POST", "/v1/x", {"a": [item]}) for item in items}) == 4
