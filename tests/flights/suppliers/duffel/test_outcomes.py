"""Duffel's table of refusals, code by code: what each means of a search, an offer, an order, a change, a cancellation."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings

from apps.flights.suppliers.base import Cancellation, ChangeOption, FlightOffer, FlightOrder
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.suppliers.errors import (
    Expired,
    InvalidField,
    Missing,
    NotPossible,
    OutcomeUnknown,
    PriceChanged,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.models import SupplierAlert
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.refusals import DOCUMENTED
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import connector, flexible
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.flights.suppliers.requests import DEPARTURE, a_change, a_search, an_order, new_ref
from tests.support.supplier_stub import refusal

pytestmark = pytest.mark.django_db


@dataclass
class Journey:
    """An order with a change and a cancellation prepared, and a second offer to book: all steps but the last of each call."""

    stub: DuffelStub
    duffel: DuffelFlights
    offer: FlightOffer
    order: FlightOrder
    option: ChangeOption
    quote: Cancellation

    def calls(self) -> dict[str, Callable[[], Any]]:
        reference = self.order.supplier_reference
        moved = a_change(self.order, DEPARTURE + timedelta(days=5))
        return {
            "search": lambda: self.duffel.search(a_search()),
            "reprice": lambda: self.duffel.reprice(self.offer),
            "read": lambda: self.duffel.read_order(reference),
            "look-up": lambda: self.duffel.find_order("F-22222222", self.offer),
            "book": lambda: self.duffel.book(an_order(self.offer)),
            "options": lambda: self.duffel.change_options(moved),
            "prepare": lambda: self.duffel.prepare_change(reference, self.option),
            "change": lambda: self.duffel.change(new_ref(), reference, self.option),
            "quote": lambda: self.duffel.quote_cancellation(reference),
            "cancel": lambda: self.duffel.cancel(new_ref(), reference, self.quote),
            "accept": lambda: self.duffel.accept_change(new_ref(), reference, "aic_0000Stub0001"),
        }

    def end_of(self, call: str) -> SupplierError:
        with pytest.raises(SupplierError) as raised:
            self.calls()[call]()
        return raised.value


ROUTES = {
    "search": ("POST", paths.OFFER_REQUESTS),
    "reprice": ("GET", paths.OFFERS),
    "read": ("GET", paths.ORDER),
    "look-up": ("GET", paths.ORDERS),
    "book": ("POST", paths.ORDERS),
    "options": ("POST", paths.CHANGE_REQUESTS),
    "prepare": ("POST", paths.CHANGES),
    "change": ("POST", paths.CONFIRM_CHANGE),
    "quote": ("POST", paths.CANCELLATIONS),
    "cancel": ("POST", paths.CONFIRM_CANCELLATION),
    "accept": ("POST", paths.ACCEPT_AIRLINE_CHANGE),
}
READS = ("search", "reprice", "read", "look-up", "options", "prepare", "quote")
WRITES = ("book", "change", "cancel")


@pytest.fixture
def journey(stub: DuffelStub, duffel: DuffelFlights) -> Journey:
    order = duffel.book(an_order(flexible(duffel)))
    option = duffel.change_options(a_change(order, DEPARTURE + timedelta(days=5)))[-1]
    return Journey(
        stub=stub,
        duffel=duffel,
        offer=flexible(duffel),
        order=order,
        option=duffel.prepare_change(order.supplier_reference, option),
        quote=duffel.quote_cancellation(order.supplier_reference),
    )


def of_all(calls: tuple[str, ...], outcome: type[SupplierError]) -> dict[str, type[SupplierError]]:
    return dict.fromkeys(calls, outcome)


def each(codes: tuple[str, ...], outcomes: dict[str, type[SupplierError]]) -> dict[str, Any]:
    return dict.fromkeys(codes, outcomes)


ALL = (*READS, *WRITES)
LOST = of_all(READS, Unavailable) | of_all(WRITES, OutcomeUnknown)
"""Of a read nothing came; of a write nobody knows."""

TABLE: dict[str, dict[str, type[SupplierError]]] = {
    # Who asks, and how: a fault of ours, or of our account
    **each(("missing_authorization_header", "invalid_authorization_header"), of_all(ALL, Unavailable)),
    **each(("access_token_not_found", "expired_access_token"), of_all(ALL, Unavailable)),
    **each(
        ("insufficient_permissions", "unavailable_feature", "unavailable_in_version"),
        of_all(ALL, Unavailable),
    ),
    **each(
        (
            "missing_version_header",
            "invalid_version_header",
            "unsupported_version",
            "missing_content_type_header",
            "invalid_content_type_header",
            "unsupported_format",
            "missing_data_param",
            "invalid_data_param",
            "malformed_data_param",
            "bad_request",
        ),
        of_all(ALL, Rejected),
    ),
    "unsupported_action": of_all(("search", "reprice", "book", "prepare"), Rejected)
    | of_all(("read", "look-up", "options", "change", "quote", "cancel"), NotPossible),
    "rate_limit_exceeded": of_all(ALL, Unavailable),
    "not_found": of_all(("read", "look-up", "options", "change", "quote", "cancel"), Missing)
    | of_all(("reprice", "book", "prepare"), Expired),
    # What stands in a body
    **each(
        (
            "validation_required",
            "validation_format",
            "validation_length",
            "validation_inclusion",
            "validation_type",
            "validation_unique",
            "validation_checksum",
            "invalid_field_sets",
        ),
        of_all(ALL, Rejected),
    ),
    "payment_amount_does_not_match_order_amount": {"book": PriceChanged, "change": PriceChanged},
    "payment_currency_does_not_match_order_currency": {"book": Rejected, "change": Rejected},
    **each(
        (
            "not_valid_with_selected_offer",
            "order_passengers_incompatible_with_offer",
            "duplicate_passenger_name",
            "duplicate_passenger_names",
            "invalid_passenger_name",
            "invalid_passenger_title",
            "invalid_phone_number",
            "invalid_email_address",
            "invalid_loyalty_card",
        ),
        {"book": InvalidField},
    ),
    **each(
        (
            "invalid_card_expiration_date",
            "invalid_order_create_type",
            "invalid_intended_card",
            "ineligible_airline_credit",
            "three_d_secure_session_not_found",
            "three_d_secure_session_not_ready_for_payment",
            "three_d_secure_session_expired",
            "order_type_not_eligible_for_payment",
            "payments_not_allowed_for_order_type",
            "services_not_allowed_for_order_type",
        ),
        {"book": Rejected},
    ),
    # Offers and orders
    "offer_expired": {"reprice": Expired, "book": Expired},
    "past_payment_required_by_date": {"book": Expired},
    "offer_no_longer_available": {"reprice": Expired, "book": Expired},
    "offer_request_already_booked": {"book": Expired},
    "price_changed": {"book": PriceChanged, "change": PriceChanged},
    "ancillary_service_not_available": {"book": Rejected},
    "insufficient_balance": of_all(("book", "change"), Unavailable),
    "payment_declined": of_all(("book", "change"), Rejected),
    "already_paid": of_all(("book", "change"), NotPossible),
    "high_fraud_risk": {"book": Rejected},
    "order_creation_already_attempted": {"book": OutcomeUnknown},
    "booking_already_attempted": {"book": OutcomeUnknown},
    **each(("modified_externally", "invalid_order"), LOST),
    "duplicate_booking": {"book": Rejected},
    "schedule_changed": of_all(("book", "change"), NotPossible),
    "order_not_created": {"book": Rejected},
    # Changes and cancellations
    "already_cancelled": of_all(("options", "prepare", "change", "quote", "cancel"), NotPossible),
    "order_not_changeable": of_all(("options", "prepare", "change"), NotPossible),
    "order_not_changeable_yet": of_all(("options", "prepare", "change"), NotPossible),
    "order_not_cancellable": of_all(("quote", "cancel"), NotPossible),
    "order_change_already_actioned": of_all(("prepare", "change"), NotPossible),
    "order_cancellation_stale": {"cancel": Expired},
    **each(
        ("stale_airline_initiated_change_accept", "stale_airline_initiated_change_update"),
        {"accept": NotPossible},
    ),
    # Faults of theirs, and of airlines
    **each(("airline_internal", "airline_unknown", "gateway_timeout_error", "internal_server_error"), LOST),
    "service_unavailable": of_all((*READS, "book"), Unavailable)
    | of_all(("change", "cancel"), OutcomeUnknown),
}
ROWS = [(code, call, ended) for code, calls in TABLE.items() for call, ended in calls.items()]


@pytest.mark.usefixtures("no_pauses")
def test_every_code_ends_every_call_as_the_table_says(journey: Journey) -> None:
    """All rows in one journey: a refusal leaves no trace at the supplier, so that none disturbs the next."""
    found = []
    for code, call, _ in ROWS:
        status, body = refusal_of(code)
        journey.stub.trouble(*ROUTES[call], refusal(status, body, times=-1))
        found.append((code, call, type(journey.end_of(call))))
        journey.stub.calm()
        journey.duffel.prove()  # or the client would leave alone who fails so often
    assert found == ROWS
    assert (len(journey.stub.orders), journey.stub.orders[journey.order.supplier_reference]["version"]) == (
        1,
        0,
    )


def test_the_table_has_every_refusal_that_they_document() -> None:
    assert set(TABLE) == set(DOCUMENTED)


def test_the_page_for_maintainers_has_the_same_table() -> None:
    """`docs/suppliers.md`: a row of codes, and how they end a read, an order, a confirmation."""
    _, _, page = (settings.BASE_DIR / "docs/suppliers.md").read_text().partition("| their code |")
    rows = [line.split("|")[1:-1] for line in page.partition("\n\n")[0].splitlines()[2:]]
    written = {code: tuple(map(words, ends)) for codes, *ends in rows for code in words(codes)}
    columns = (READS, ("book",), ("change", "cancel", "accept"))
    assert written == {
        code: tuple({ended.__name__ for call, ended in calls.items() if call in column} for column in columns)
        for code, calls in TABLE.items()
    }


def words(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


CERTAIN, STATE, AIRLINE = "validation_error", "invalid_state_error", "airline_error"


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize(
    ("status", "type", "outcome"),
    [
        (422, CERTAIN, Rejected),
        (422, "invalid_request_error", Rejected),
        (422, "fraud_error", Rejected),
        (400, "invalid_request_error", Rejected),
        (422, STATE, OutcomeUnknown),
        (422, AIRLINE, OutcomeUnknown),
        (422, "api_error", OutcomeUnknown),
        (422, "a_type_of_tomorrow", OutcomeUnknown),
        (400, AIRLINE, OutcomeUnknown),
        (409, STATE, OutcomeUnknown),
        (503, AIRLINE, OutcomeUnknown),
        (503, "api_error", Unavailable),
    ],
)
def test_a_code_of_tomorrow_is_a_certain_no_only_where_status_and_type_promise_it(
    journey: Journey, status: int, type: str, outcome: Any
) -> None:
    told = refusal_of("a_code_of_tomorrow", status=status, type=type)
    journey.stub.trouble(*ROUTES["book"], refusal(*told))
    assert journey.end_of("book").__class__ is outcome
    journey.stub.trouble(*ROUTES["read"], refusal(*told, times=-1))
    assert journey.end_of("read").__class__ in (Rejected, Unavailable)


@pytest.mark.parametrize("source", ["iberia", None, [], 7, {"field": 7, "pointer": None}])
@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("airline_unknown", 422, OutcomeUnknown),
        ("airline_internal", 500, OutcomeUnknown),
        ("duplicate_booking", 422, Rejected),
        ("order_not_created", 502, Rejected),
        ("offer_no_longer_available", 422, Expired),
        ("invalid_email_address", 422, InvalidField),
    ],
)
def test_an_airlines_error_keeps_its_code_whatever_its_source_is(
    journey: Journey, code: str, status: int, outcome: Any, source: Any
) -> None:
    _, body = refusal_of(code, status=status, type=AIRLINE)
    body["errors"][0]["source"] = source
    journey.stub.trouble(*ROUTES["book"], refusal(status, body))
    assert type(journey.end_of("book")) is outcome


@pytest.mark.parametrize("code", ["price_changed", "payment_amount_does_not_match_order_amount"])
def test_a_moved_price_is_read_and_told(journey: Journey, code: str) -> None:
    journey.stub.percent = 110
    journey.stub.trouble(*ROUTES["book"], refusal(*refusal_of(code)))
    ended = journey.end_of("book")
    assert isinstance(ended, PriceChanged)
    assert (
        ended.current_cents == journey.duffel.reprice(journey.offer).total_cents > journey.offer.total_cents
    )


def test_a_moved_price_of_an_offer_that_is_gone_meanwhile_has_expired(journey: Journey) -> None:
    journey.stub.trouble(*ROUTES["book"], refusal(*refusal_of("price_changed")))
    journey.stub.sold_out = True
    assert type(journey.end_of("book")) is Expired


def test_a_moved_price_of_a_change_is_read_and_told(journey: Journey) -> None:
    pending = journey.stub.changes[journey.option.supplier_data["change_id"]]
    pending["change_total_amount"] = str(Decimal(pending["change_total_amount"]) + Decimal("9.99"))
    journey.stub.trouble(*ROUTES["change"], refusal(*refusal_of("price_changed")))
    ended = journey.end_of("change")
    assert isinstance(ended, PriceChanged)
    assert ended.current_cents == journey.option.new_total_cents + 999


def test_a_change_that_was_refused_for_a_price_they_do_not_name_certainly_failed(journey: Journey) -> None:
    pending = journey.stub.changes[journey.option.supplier_data["change_id"]]
    pending["change_total_amount"] = None
    journey.stub.trouble(*ROUTES["change"], refusal(*refusal_of("price_changed")))
    assert type(journey.end_of("change")) is Unavailable


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("insufficient_balance", "wallet_empty"),
        ("payment_declined", "wallet_empty"),
        ("access_token_not_found", "credentials_refused"),
        ("expired_access_token", "credentials_refused"),
        ("insufficient_permissions", "credentials_refused"),
        ("unavailable_feature", "credentials_refused"),
        ("unavailable_in_version", "credentials_refused"),
        ("high_fraud_risk", "request_refused"),
        ("ineligible_airline_credit", "request_refused"),
        ("invalid_intended_card", "request_refused"),
        ("invalid_order_create_type", "request_refused"),
        ("order_type_not_eligible_for_payment", "request_refused"),
        ("payment_currency_does_not_match_order_currency", "request_refused"),
        ("services_not_allowed_for_order_type", "request_refused"),
        ("three_d_secure_session_expired", "request_refused"),
        ("three_d_secure_session_not_found", "request_refused"),
        ("three_d_secure_session_not_ready_for_payment", "request_refused"),
        ("payments_not_allowed_for_order_type", "request_refused"),
    ],
)
def test_what_only_staff_can_end_is_told_to_them(journey: Journey, code: str, kind: str) -> None:
    journey.stub.trouble(*ROUTES["book"], refusal(*refusal_of(code)))
    journey.end_of("book")
    assert list(SupplierAlert.objects.values_list("supplier", "kind", "detail")) == [("duffel", kind, code)]


def test_a_wrong_token_is_refused_and_told(stub: DuffelStub) -> None:
    with pytest.raises(Unavailable):
        connector(stub, token="duffel_test_another").prove()
    assert SupplierAlert.objects.get().kind == "credentials_refused"
    assert connector(stub).prove() == "test token accepted: what it sells is not real"


@pytest.mark.parametrize(
    ("field", "pointer", "ours"),
    [
        ("given_name", "/passengers/0/given_name", "passengers.0.firstName"),
        ("family_name", "/data/passengers/3/family_name", "passengers.3.lastName"),
        ("", "/passengers/1/born_on", "passengers.1.dateOfBirth"),
        ("title", "/passengers/0/title", "passengers.0.title"),
        ("gender", "/passengers/0/gender", "passengers.0.gender"),
        ("phone_number", "/passengers/0/phone_number", "contact.phone"),
        ("email", "", "contact.email"),
    ],
)
def test_an_invalid_passenger_field_is_named_in_the_partners_words(
    journey: Journey, field: str, pointer: str, ours: str
) -> None:
    refused = refusal_of("validation_format", field=field, pointer=pointer)
    journey.stub.trouble(*ROUTES["book"], refusal(*refused))
    ended = journey.end_of("book")
    assert isinstance(ended, InvalidField)
    assert ended.field == ours


@pytest.mark.parametrize(
    ("field", "pointer"), [("amount", "/payments/0/amount"), ("given_name", ""), ("", "")]
)
def test_an_invalid_field_that_is_not_the_partners_is_a_plain_refusal(
    journey: Journey, field: str, pointer: str
) -> None:
    journey.stub.trouble(*ROUTES["book"], refusal(*refusal_of("invalid_param", field=field, pointer=pointer)))
    assert type(journey.end_of("book")) is Rejected


BARE = {
    400: (Rejected, Rejected),
    401: (Unavailable, Unavailable),
    403: (Unavailable, Unavailable),
    404: (Missing, Missing),
    408: (Unavailable, OutcomeUnknown),
    409: (Rejected, OutcomeUnknown),
    422: (Rejected, OutcomeUnknown),
    429: (Unavailable, Unavailable),
    500: (Unavailable, OutcomeUnknown),
    302: (Unavailable, OutcomeUnknown),
    521: (Unavailable, OutcomeUnknown),
}


@pytest.mark.parametrize("status", BARE)
@pytest.mark.usefixtures("no_pauses")
def test_a_refusal_that_cannot_be_read_is_judged_by_its_status(journey: Journey, status: int) -> None:
    for call, ended in zip(("read", "change"), BARE[status], strict=True):
        journey.stub.trouble(*ROUTES[call], refusal(status, b"<html>no JSON</html>", times=-1))
        assert type(journey.end_of(call)) is ended
        journey.stub.calm()
