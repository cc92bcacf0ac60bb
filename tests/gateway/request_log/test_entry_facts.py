"""What an entry takes from an answer, a path and headers: each fact by itself."""

import uuid
from typing import Any

import pytest

from apps.accounts.models import Account
from apps.gateway.request_log.models import LoggedCall, reference_to
from tests.gateway.request_log.drafts import replay, row_of
from tests.support.operations import Operation, partner_operations, sandbox_operations

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        pytest.param(" " * 1_014 + "curl/8.5.0", "curl/8.5.0", id="at the end of what is looked at"),
        pytest.param(" " * 1_018 + "curl/8.5.0", "curl/8", id="cut"),
    ],
)
def test_so_much_of_a_user_agent_is_looked_at(sent: str, kept: str):
    assert row_of(replay(200, {}, HTTP_USER_AGENT=sent))["user_agent"] == kept


def test_a_path_is_cut_to_its_column():
    assert row_of(replay(200, {}, "/v1" * 200))["path"] == ("/v1" * 200)[:255]


@pytest.mark.parametrize(
    ("key", "kept"),
    [
        (None, None),
        ("", None),
        ("short", None),
        ("x" * 256, None),
        (str(uuid.UUID(int=7)), str(uuid.UUID(int=7))),
    ],
)
def test_what_cannot_be_an_idempotency_key_is_not_kept(key: str | None, kept: str | None):
    sent = {} if key is None else {"HTTP_IDEMPOTENCY_KEY": key}

    assert row_of(replay(200, {}, **sent)).get("idempotency_key") == kept


REFERENCE = "F-2K7M9QXR"


@pytest.mark.parametrize(
    ("path", "body", "booking"),
    [
        ("/v1/account", {"id": "a", "reference": REFERENCE}, ("a", REFERENCE)),
        ("/v1/account", {"id": 1, "reference": REFERENCE}, (None, None)),
        ("/v1/account", {"id": "a", "reference": "Ada"}, (None, None)),
        ("/v1/account", {"id": "a", "reference": 7}, (None, None)),
        ("/v1/flights/orders/ford_01kb2c0000000000000000000a", {}, ("ford_01kb2c0000000000000000000a", None)),
        (
            "/v1/hotels/bookings/hbk_01kb2c0000000000000000000a/cancel",
            [],
            ("hbk_01kb2c0000000000000000000a", None),
        ),
        (
            "/v1/flights/orders/ford_01kb2c0000000000000000000a",
            {"id": "a", "reference": REFERENCE},
            ("a", REFERENCE),
        ),
        ("/v1/flights/orders/Ada", {}, (None, None)),
        ("/v1/flights/orders", {}, (None, None)),
        ("/v1/flights/offers/offer_01kb2c0000000000000000000a", {}, (None, None)),
    ],
)
def test_the_booking_of_a_call_is_named_by_its_answer_or_its_path(
    path: str, body: object, booking: tuple[str | None, str | None]
):
    found = row_of(replay(200, body, path))

    assert (found.get("booking_id"), found.get("booking_reference")) == booking


@pytest.mark.parametrize(
    ("path", "product"),
    [("/v1", None), ("/v1/account", "account"), ("/v1/esim/plans", "esim"), ("/v1/ping", None)],
)
def test_the_product_is_what_follows_v1(path: str, product: str | None):
    assert row_of(replay(200, {}, path)).get("product") == product


@pytest.mark.parametrize("operation", [*partner_operations(), *sandbox_operations()], ids=str)
def test_the_path_of_every_operation_is_kept_whole(operation: Operation):
    path = operation.url_of("ford_01kb2c0000000000000000000a").partition("?")[0]

    assert row_of(replay(200, {}, path))["path"] == path


def test_what_an_entry_refers_to_is_neither_looked_for_nor_indexed_unless_told() -> None:
    fields: list[Any] = [reference_to(Account), reference_to(Account, null=True, db_index=True)]

    assert [(field.db_constraint, field.db_index, field.null) for field in fields] == [
        (False, False, False),
        (False, True, True),
    ]


@pytest.mark.parametrize(("status", "is_error"), [(200, False), (399, False), (400, True), (500, True)])
def test_an_error_is_an_answer_of_400_or_above(status: int, is_error: bool):
    assert LoggedCall(status=status).is_error is is_error
