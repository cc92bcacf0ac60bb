import json

import pytest

from apps.common import errors
from apps.gateway.exceptions import error_body, error_response

SPECIFIED = {
    400: {"invalid_request", "idempotency_key_required"},
    401: {
        "authentication_required",
        "invalid_api_key",
        "api_key_revoked",
        "api_key_expired",
        "wrong_environment",
    },
    402: {"insufficient_funds", "payment_failed"},
    403: {"insufficient_scope", "ip_not_allowed", "account_not_active", "product_not_offered"},
    404: {"not_found"},
    405: {"method_not_allowed"},
    409: {"idempotency_key_reuse", "idempotency_key_in_progress", "price_changed", "conflict"},
    410: {"offer_expired", "event_forgotten"},
    413: {"payload_too_large"},
    415: {"unsupported_media_type"},
    429: {"rate_limit_exceeded"},
    500: {"internal_error"},
    502: {"upstream_error"},
    503: {"upstream_unavailable"},
}


def test_there_is_one_class_for_each_specified_type_and_status():
    found: dict[int, set[str]] = {}
    for error in errors.GatewayError.__subclasses__():
        found.setdefault(error.status, set()).add(error.type)

    assert found == SPECIFIED


def test_the_body_holds_type_message_request_id_and_extras():
    error = errors.InsufficientFunds(available_cents=5, required_cents=10, currency="EUR")

    assert error_body(error, "an-id") == {
        "error": {
            "type": "insufficient_funds",
            "message": error.default_message,
            "requestId": "an-id",
            "availableCents": 5,
            "requiredCents": 10,
            "currency": "EUR",
        }
    }


def test_want_of_funds_says_that_the_same_idempotency_key_would_get_the_same_answer():
    error = errors.InsufficientFunds(available_cents=5, required_cents=10, currency="EUR")

    assert error.message.endswith("Top up and send it again with a new Idempotency-Key.")


@pytest.mark.parametrize("base", ["https://docs.example", "https://docs.example/"])
def test_doc_url_points_to_the_types_page_where_there_are_pages(settings, base: str):
    settings.DOCS_BASE_URL = base

    assert error_body(errors.NotFound(), "i")["error"] == {
        "type": "not_found",
        "message": errors.NotFound.default_message,
        "requestId": "i",
        "docUrl": "https://docs.example/errors/not_found",
    }


@pytest.mark.parametrize(
    "refusal", [each for each in errors.GatewayError.__subclasses__() if each.status == 401]
)
def test_every_401_names_its_scheme(refusal: type[errors.GatewayError]):
    response = error_response(refusal(), "i")

    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")


def test_no_other_refusal_asks_for_credentials():
    assert "WWW-Authenticate" not in error_response(errors.IpNotAllowed(), "i")


def test_the_response_is_json_in_utf_8_with_the_errors_own_headers():
    response = error_response(
        errors.Conflict("Müller 日本", bookingId="x", headers={"Retry-After": "3"}), "i"
    )

    assert (response.status_code, response["Content-Type"], response["Retry-After"]) == (
        409,
        "application/json",
        "3",
    )
    assert json.loads(response.content)["error"]["message"] == "Müller 日本"
    assert "Müller 日本".encode() in response.content
    assert "Retry-After" not in json.loads(response.content)["error"]


def details(count: int, field: str = "a", message: str = "is wrong") -> list[dict[str, str]]:
    return [{"field": f"{field}{number}", "message": message} for number in range(count)]


def test_fifty_details_are_told_and_nothing_is_said_of_more():
    assert errors.InvalidRequest(details=details(50)).extras == {"details": details(50)}


def test_of_more_details_the_first_fifty_are_told_and_how_many_are_left_out():
    refusal = errors.InvalidRequest(details=details(10_000))

    assert refusal.extras == {"details": details(50), "detailsOmitted": 9_950}


def test_a_name_of_any_length_is_cut():
    refusal = errors.InvalidRequest.field("x" * 200_000, "y" * 200_000)

    assert refusal.extras["details"] == [{"field": "x" * 99 + "…", "message": "y" * 299 + "…"}]
    assert errors.InvalidRequest.field("x" * 100, "y" * 300).extras["details"] == [
        {"field": "x" * 100, "message": "y" * 300}
    ]


@pytest.mark.parametrize("character", ["x", '"', "é", "日", "🛫", "\x01", "\u2028"])
def test_the_largest_refusal_has_64_kib_at_most(character: str):
    """A path may be of whatever characters the caller chose; the messages are our own words."""
    refusal = errors.InvalidRequest(details=details(1_000, character * 1_000, "must be a whole number" * 100))

    assert 20_000 < len(error_response(refusal, "i").content) <= 64 * 1024
