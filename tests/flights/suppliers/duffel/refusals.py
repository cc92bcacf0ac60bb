"""Every refusal that Duffel documents: its code, the status and the type of error that it comes with.

From Duffel's reference (overview, errors) and the lists of codes in its clients. A code that clients know under several types has
the one of the call that it belongs to.
"""

AUTHENTICATION, STATE, AIRLINE = "authentication_error", "invalid_state_error", "airline_error"
REQUEST, VALIDATION, API, RATE, FRAUD = (
    "invalid_request_error",
    "validation_error",
    "api_error",
    "rate_limit_error",
    "fraud_error",
)

DOCUMENTED: dict[str, tuple[int, str]] = {
    # Who asks, and how
    "missing_authorization_header": (401, AUTHENTICATION),
    "invalid_authorization_header": (401, AUTHENTICATION),
    "access_token_not_found": (401, AUTHENTICATION),
    "expired_access_token": (401, AUTHENTICATION),
    "insufficient_permissions": (403, AUTHENTICATION),
    "unavailable_feature": (403, AUTHENTICATION),
    "missing_version_header": (400, REQUEST),
    "invalid_version_header": (400, REQUEST),
    "unsupported_version": (400, REQUEST),
    "unavailable_in_version": (400, REQUEST),
    "missing_content_type_header": (400, REQUEST),
    "invalid_content_type_header": (400, REQUEST),
    "unsupported_format": (406, REQUEST),
    "missing_data_param": (400, REQUEST),
    "invalid_data_param": (400, REQUEST),
    "malformed_data_param": (400, REQUEST),
    "bad_request": (400, REQUEST),
    "unsupported_action": (404, REQUEST),
    "not_found": (404, REQUEST),
    "rate_limit_exceeded": (429, RATE),
    # What stands in a body
    "validation_required": (422, VALIDATION),
    "validation_format": (422, VALIDATION),
    "validation_length": (422, VALIDATION),
    "validation_inclusion": (422, VALIDATION),
    "payment_amount_does_not_match_order_amount": (422, VALIDATION),
    "payment_currency_does_not_match_order_currency": (422, VALIDATION),
    "order_passengers_incompatible_with_offer": (422, VALIDATION),
    "duplicate_passenger_name": (422, VALIDATION),
    "duplicate_passenger_names": (422, AIRLINE),
    "invalid_passenger_name": (422, AIRLINE),
    "invalid_passenger_title": (422, AIRLINE),
    "invalid_phone_number": (422, AIRLINE),
    "invalid_email_address": (422, AIRLINE),
    "invalid_loyalty_card": (422, AIRLINE),
    "invalid_card_expiration_date": (422, AIRLINE),
    "invalid_intended_card": (422, VALIDATION),
    "ineligible_airline_credit": (422, VALIDATION),
    "three_d_secure_session_not_found": (422, VALIDATION),
    "three_d_secure_session_not_ready_for_payment": (422, STATE),
    "three_d_secure_session_expired": (422, STATE),
    # Offers and orders
    "offer_expired": (422, STATE),
    "offer_no_longer_available": (422, AIRLINE),
    "offer_request_already_booked": (422, STATE),
    "price_changed": (422, AIRLINE),
    "ancillary_service_not_available": (422, AIRLINE),
    "insufficient_balance": (422, STATE),
    "payment_declined": (422, AIRLINE),
    "high_fraud_risk": (422, FRAUD),
    "invalid_order": (422, STATE),
    "order_creation_already_attempted": (422, STATE),
    "booking_already_attempted": (422, STATE),
    "duplicate_booking": (422, AIRLINE),
    "schedule_changed": (422, AIRLINE),
    "modified_externally": (422, AIRLINE),
    "order_not_created": (502, AIRLINE),
    # Changes and cancellations
    "already_cancelled": (422, STATE),
    "order_not_cancellable": (422, STATE),
    "order_cancellation_stale": (422, STATE),
    "order_not_changeable": (422, STATE),
    "order_not_changeable_yet": (422, STATE),
    "order_change_already_actioned": (422, STATE),
    # Faults of theirs, and of airlines
    "airline_internal": (502, AIRLINE),
    "airline_unknown": (502, AIRLINE),
    "gateway_timeout_error": (504, API),
    "internal_server_error": (500, API),
    "service_unavailable": (503, API),
}
