"""The refusals that the document and the pages show."""

from apps.common.errors import GatewayError
from apps.gateway.openapi.components import BY_TYPE, envelope_of


def test_every_error_type_of_the_contract_has_one_example() -> None:
    known = {
        error.type for error in GatewayError.__subclasses__() if error.__module__ == "apps.common.errors"
    }

    assert len(BY_TYPE) > 20
    assert set(BY_TYPE) == known


def test_an_example_is_the_body_that_is_sent_without_the_address_of_a_page(settings) -> None:
    settings.DOCS_BASE_URL = "https://partners.example/docs"

    assert envelope_of(BY_TYPE["insufficient_funds"]) == {
        "error": {
            "type": "insufficient_funds",
            "message": "The available balance does not cover this; nothing was booked. "
            "Top up and send it again with a new Idempotency-Key.",
            "requestId": "0b5c2f1e-8f0b-4d7e-9a54-6f6f3f7d2c11",
            "availableCents": 12_000,
            "requiredCents": 18_460,
            "currency": "EUR",
        }
    }


def test_an_example_shows_every_field_that_its_type_has_beside_the_message() -> None:
    shown = {
        type_: sorted(envelope_of(refusal)["error"].keys() - {"type", "message", "requestId"})
        for type_, refusal in BY_TYPE.items()
    }
    assert {type_: names for type_, names in shown.items() if names} == {
        "invalid_request": ["details"],
        "wrong_environment": ["gatewayEnvironment", "keyEnvironment"],
        "insufficient_funds": ["availableCents", "currency", "requiredCents"],
        "insufficient_scope": ["missingScope"],
        "product_not_offered": ["product"],
        "conflict": ["bookingId"],
        "price_changed": ["currency", "currentTotalCents", "previousTotalCents"],
        "event_forgotten": ["oldest"],
        "rate_limit_exceeded": ["retryAfter"],
    }
