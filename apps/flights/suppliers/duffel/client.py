"""Duffel's API v2 in its own words: paths, the wrapping in `data`, how long each call may take, and what a refusal means."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any
from urllib.parse import quote

from apps.suppliers.alerts import alert
from apps.suppliers.errors import (
    Expired,
    InvalidField,
    Missing,
    NotPossible,
    OutcomeUnknown,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.http import Limits, Reply, SupplierHTTP, Unreadable
from apps.suppliers.models import AlertKind

logger = logging.getLogger(__name__)

NAME = "duffel"
AIRLINE_ERROR = "airline_error"
OUTCOMES: dict[str, type[SupplierError]] = {
    "offer_expired": Expired,
    "offer_no_longer_available": Expired,
    "offer_request_already_booked": Expired,
    "order_cancellation_stale": Expired,
    "order_not_created": Rejected,  # a 502, promised without side effects
    "past_payment_required_by_date": Expired,
    "ancillary_service_not_available": Rejected,
    "duplicate_passenger_name": Rejected,
    "duplicate_passenger_names": Rejected,
    "order_passengers_incompatible_with_offer": Rejected,
    "duplicate_booking": Rejected,
    "ineligible_airline_credit": Rejected,
    "not_valid_with_selected_offer": Rejected,
    "order_type_not_eligible_for_payment": Rejected,
    "payment_currency_does_not_match_order_currency": Rejected,
    "payment_declined": Rejected,  # of our own means of payment, which no partner's order can better
    "payments_not_allowed_for_order_type": Rejected,
    "services_not_allowed_for_order_type": Rejected,
    "three_d_secure_session_expired": Rejected,
    "three_d_secure_session_not_ready_for_payment": Rejected,
    "high_fraud_risk": Rejected,  # of this order: another traveller's may be taken
    "insufficient_balance": Unavailable,
    "access_token_not_found": Unavailable,
    "expired_access_token": Unavailable,
    "insufficient_permissions": Unavailable,
    "unavailable_feature": Unavailable,
    "unavailable_in_version": Unavailable,
    "rate_limit_exceeded": Unavailable,
    "order_creation_already_attempted": OutcomeUnknown,
    "booking_already_attempted": OutcomeUnknown,
    "modified_externally": OutcomeUnknown,  # the order is no longer what was asked about: only reading it says what it is
    "invalid_order": OutcomeUnknown,
    "airline_internal": OutcomeUnknown,
    "airline_unknown": OutcomeUnknown,
    "gateway_timeout_error": OutcomeUnknown,
    "already_cancelled": NotPossible,
    "already_paid": NotPossible,
    "schedule_changed": NotPossible,
    "stale_airline_initiated_change_accept": NotPossible,
    "stale_airline_initiated_change_update": NotPossible,
    "unsupported_action": NotPossible,
    "order_not_changeable": NotPossible,
    "order_not_changeable_yet": NotPossible,
    "order_not_cancellable": NotPossible,
    "order_change_already_actioned": NotPossible,
    "not_found": Missing,
}
PRICE_MOVED = frozenset({"price_changed", "payment_amount_does_not_match_order_amount"})
LOOK_UP_FIRST = frozenset(
    {
        "offer_request_already_booked",
        "order_creation_already_attempted",
        "booking_already_attempted",
        "modified_externally",
        "invalid_order",
        "duplicate_booking",
        "schedule_changed",
    }
)
"""An earlier order of ours may be what stands in the way."""
ALERTS = {
    "insufficient_balance": AlertKind.WALLET_EMPTY,
    "payment_declined": AlertKind.WALLET_EMPTY,
    "access_token_not_found": AlertKind.CREDENTIALS_REFUSED,
    "expired_access_token": AlertKind.CREDENTIALS_REFUSED,
    "insufficient_permissions": AlertKind.CREDENTIALS_REFUSED,
    "unavailable_feature": AlertKind.CREDENTIALS_REFUSED,
    "unavailable_in_version": AlertKind.CREDENTIALS_REFUSED,
    # Of means of payment that are not ours, and of orders that we do not send: faults of this service.
    "high_fraud_risk": AlertKind.REQUEST_REFUSED,
    "ineligible_airline_credit": AlertKind.REQUEST_REFUSED,
    "invalid_intended_card": AlertKind.REQUEST_REFUSED,
    "invalid_order_create_type": AlertKind.REQUEST_REFUSED,
    "order_type_not_eligible_for_payment": AlertKind.REQUEST_REFUSED,
    "payment_currency_does_not_match_order_currency": AlertKind.REQUEST_REFUSED,
    "payments_not_allowed_for_order_type": AlertKind.REQUEST_REFUSED,
    "three_d_secure_session_expired": AlertKind.REQUEST_REFUSED,
    "three_d_secure_session_not_found": AlertKind.REQUEST_REFUSED,
    "three_d_secure_session_not_ready_for_payment": AlertKind.REQUEST_REFUSED,
    "services_not_allowed_for_order_type": AlertKind.REQUEST_REFUSED,
}
FIELDS = {
    "title": "passengers.{}.title",
    "gender": "passengers.{}.gender",
    "given_name": "passengers.{}.firstName",
    "family_name": "passengers.{}.lastName",
    "born_on": "passengers.{}.dateOfBirth",
    "phone_number": "contact.phone",
    "email": "contact.email",
    "identity_documents": "passengers.{}.identityDocuments",
    "loyalty_programme_accounts": "passengers.{}.loyaltyAccounts",
}
"""Their fields of a passenger, as the partner's body names them."""
LISTS = {
    "identity_documents": (
        "identityDocuments",
        {
            "type": "type",
            "unique_identifier": "number",
            "issuing_country_code": "issuingCountry",
            "expires_on": "expiresOn",
        },
    ),
    "loyalty_programme_accounts": (
        "loyaltyAccounts",
        {"airline_iata_code": "airline", "account_number": "number"},
    ),
}
"""Their lists of a passenger, and the fields of an item. The code for a missing or wrong identity document is not documented:
`validation_…` with a pointer below /passengers is expected.
"""
IN_A_LIST = re.compile(rf"passengers/(\d+)/({'|'.join(LISTS)})(?:/(\d+))?(?:/(\w+))?")
UNKNOWN_LOYALTY = "invalid_loyalty_card"
OBJECTIONS = {
    "not_valid_with_selected_offer": ("passengers", "are not those that this offer is for"),
    "order_passengers_incompatible_with_offer": ("passengers", "are not those that this offer is for"),
    "duplicate_passenger_name": ("passengers", "must not have the same name twice"),
    "duplicate_passenger_names": ("passengers", "must not have the same name twice"),
    "invalid_passenger_name": ("passengers", "have a name that the airline does not accept"),
    "invalid_passenger_title": ("passengers", "have a title that the airline does not accept"),
    "invalid_phone_number": ("contact.phone", "is not accepted by the airline"),
    "invalid_email_address": ("contact.email", "is not accepted by the airline"),
    UNKNOWN_LOYALTY: ("passengers", "have a loyalty account that the airline does not know"),
}
"""Codes that speak of the partner's body without naming its field: an airline's error may name nothing but the airline."""
CERTAIN_TYPES = frozenset(
    {"authentication_error", "fraud_error", "invalid_request_error", "rate_limit_error", "validation_error"}
)
"""Types of error that Duffel raises before it asks an airline."""
CERTAIN_STATUSES = frozenset({400, 404, 405, 406, 411, 413, 414, 415, 431})
"""Of a request that was not even understood."""
READ = Limits(read=30)
SEARCH = Limits(read=25)
BOOKING = Limits(read=130)  # airlines take up to two minutes
SUPPLIER_TIMEOUT_MS = 15_000
MOST_ORDERS = 200
TEST_TOKEN = "duffel_test_"  # noqa: S105  (how one begins; their test and live worlds share one address)


class DuffelCall(Enum):
    """What was asked: the same answer means another thing of each."""

    READ = auto()  # searches, reads, quotes: whatever becomes of them, nothing is booked or changed
    OFFER = auto()  # a read of an offer
    CHANGE_OFFER = auto()  # taking up a change option, which is not binding yet
    ORDER = auto()
    CONFIRM = auto()  # of a change or a cancellation
    SERVICES = auto()  # bags for an order
    PAY = auto()  # for an order on hold

    @property
    def writes(self) -> bool:
        return self in (DuffelCall.ORDER, DuffelCall.CONFIRM, DuffelCall.SERVICES, DuffelCall.PAY)

    @property
    def names_an_offer(self) -> bool:
        """Whether what is not found is an offer, which has expired then."""
        return self in (DuffelCall.OFFER, DuffelCall.CHANGE_OFFER, DuffelCall.ORDER)


@dataclass(frozen=True, slots=True)
class Fault:
    """The first of an error answer's `errors`; "" for what it does not say."""

    code: str = ""
    type: str = ""
    field: str = ""
    pointer: str = ""


class Refusal(Exception):
    """Duffel answered, and not with a 2xx. Holds no message of theirs: those quote what was sent."""

    def __init__(self, call: DuffelCall, status: int, fault: Fault) -> None:
        super().__init__(f"{status} {fault.code or 'without a code'}")
        self.call = call
        self.status = status
        self.fault = fault

    @property
    def code(self) -> str:
        return self.fault.code


def data_of(reply: Reply, call: DuffelCall) -> Any:
    """What the answer wraps in `data`. Raises Refusal; Unreadable for a 2xx that is not as documented."""
    if not 200 <= reply.status < 300:
        raise Refusal(call, reply.status, _fault(reply))
    body = reply.json()
    if not isinstance(body, dict) or "data" not in body:
        raise Unreadable("no data in the response")
    return body["data"]


@contextmanager
def outcomes(call: DuffelCall) -> Iterator[None]:
    """Turns what Duffel answered otherwise than hoped into the errors of `apps.suppliers.errors`."""
    try:
        yield
    except Refusal as refusal:
        raise outcome_of(refusal) from refusal
    except OutcomeUnknown as error:
        if call.writes:
            raise
        raise Unavailable(str(error)) from error
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        # Only the kind of error: its text may quote a traveller.
        logger.error("a response of duffel could not be read: %s", type(error).__name__)
        raise _unclear(call)("the response could not be read") from None


def outcome_of(refusal: Refusal) -> SupplierError:
    """How the call ended. Notifies staff if only they can help."""
    if refusal.code in ALERTS or refusal.status in (401, 403):
        kind = ALERTS.get(refusal.code, AlertKind.CREDENTIALS_REFUSED)
        alert(NAME, kind, refusal.code or str(refusal.status))
    if refusal.call == DuffelCall.ORDER and (objection := _objection_of(refusal)):
        return objection
    ended = _listed(refusal) or _by_status(refusal)
    if ended is OutcomeUnknown:
        ended = _unclear(refusal.call)
    if ended is NotPossible:
        return NotPossible(f"The airline's reason: {refusal.code.replace('_', ' ')}.")
    return ended(str(refusal))


def _listed(refusal: Refusal) -> type[SupplierError] | None:
    if refusal.code == "not_found" and refusal.call.names_an_offer:
        return Expired
    if refusal.code == "unsupported_action" and refusal.call.names_an_offer:
        return Rejected  # an offer has no state that could forbid it
    if refusal.code in OUTCOMES:
        return OUTCOMES[refusal.code]
    if refusal.code.startswith(("validation_", "invalid_")) and refusal.status not in (401, 403):
        return Rejected
    return None


def _by_status(refusal: Refusal) -> type[SupplierError]:
    """Of a code that is not listed, or none. On a write it is a certain no where type or status promise that, and otherwise
    unknown: an airline's error, or one about a state, may be about an order that stands.
    """
    match refusal.status:
        case 401 | 403 | 429:
            return Unavailable
        case 404:
            return Expired if refusal.call.names_an_offer else Missing
        case 422 if refusal.call == DuffelCall.CHANGE_OFFER:
            return Expired  # past its `expires_at`: the code is not documented
        case 503 if refusal.call == DuffelCall.ORDER and refusal.fault.type != AIRLINE_ERROR:
            return Unavailable  # promised: nothing was booked
        case status if 400 <= status < 500 and status != 408:
            return OutcomeUnknown if refusal.call.writes and not _is_certain(refusal) else Rejected
        case _:
            return OutcomeUnknown


def _is_certain(refusal: Refusal) -> bool:
    if refusal.fault.type:
        return refusal.fault.type in CERTAIN_TYPES
    return refusal.status in CERTAIN_STATUSES


def _unclear(call: DuffelCall) -> type[SupplierError]:
    return OutcomeUnknown if call.writes else Unavailable


def _objection_of(refusal: Refusal) -> InvalidField | None:
    """What is wrong with the partner's body; None where nothing of it is."""
    if field := _field_of(refusal):
        return InvalidField(field, "is not accepted by the airline")
    told = OBJECTIONS.get(refusal.code)
    return InvalidField(*told) if told else None


def _field_of(refusal: Refusal) -> str | None:
    """The field of the partner's body that an invalid passenger field is; None if it is not the partner's."""
    if not refusal.code.startswith(("validation_", "invalid_")):
        return None
    if found := IN_A_LIST.search(refusal.fault.pointer):
        passenger, theirs, item, member = found.groups()
        ours, members = LISTS[theirs]
        parts = ("passengers", passenger, ours, item, members.get(member) if item else None)
        return ".".join(part for part in parts if part)
    name = FIELDS.get(refusal.fault.field or refusal.fault.pointer.rpartition("/")[2])
    place = re.search(r"passengers/(\d+)", refusal.fault.pointer)
    if name is None or ("{}" in name and place is None):
        return None
    return name.format(place[1] if place else "")


def _fault(reply: Reply) -> Fault:
    """Whatever stands there, a refusal has an outcome: by its status, where nothing else can be read.

    Each part is read for itself, so that an odd one loses no other: `source` is a text in some errors of airlines.
    """
    try:
        first = reply.json()["errors"][0]
        source = first.get("source")
    except (LookupError, ValueError, TypeError, AttributeError):
        return Fault()
    where = source if isinstance(source, dict) else {}
    return Fault(_text(first, "code"), _text(first, "type"), _text(where, "field"), _text(where, "pointer"))


def _text(data: dict[str, Any], name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


Data = dict[str, Any]


class DuffelClient:
    """Calls that answer what Duffel wraps in `data`. They raise Refusal, and what SupplierHTTP raises."""

    def __init__(self, *, access_token: str, base_url: str) -> None:
        self.live = not access_token.startswith(TEST_TOKEN)
        self._http = SupplierHTTP(
            NAME,
            base_url=base_url,
            headers={
                "Authorization": f"Bearer {access_token}",
                "Duffel-Version": "v2",
                "Accept": "application/json",
            },
        )

    # --- Reads, and calls that bind to nothing ---------------------------------------------------------------------------

    def search(self, request: Data) -> Data:
        query = {"return_offers": "true", "supplier_timeout": str(SUPPLIER_TIMEOUT_MS)}
        body = {"data": request}
        reply = self._http.read("POST", "/air/offer_requests", query=query, json=body, limits=SEARCH)
        return _object(reply, DuffelCall.READ)

    def offer(self, offer_id: str) -> Data:
        return _object(self._http.read("GET", f"/air/offers/{_id(offer_id)}", limits=READ), DuffelCall.OFFER)

    def offer_with_services(self, offer_id: str) -> Data:
        """Its `available_services` as well, whose ids are good until the next such read."""
        query = {"return_available_services": "true"}
        reply = self._http.read("GET", f"/air/offers/{_id(offer_id)}", query=query, limits=READ)
        return _object(reply, DuffelCall.OFFER)

    def seat_maps(self, offer_id: str) -> list[Data]:
        """Empty if there are none."""
        reply = self._http.read("GET", "/air/seat_maps", query={"offer_id": offer_id}, limits=READ)
        return _list(reply, DuffelCall.OFFER)

    def order_services(self, order_id: str) -> list[Data]:
        """Bags that can be added to an order; of few airlines."""
        path = f"/air/orders/{_id(order_id)}/available_services"
        return _list(self._http.read("GET", path, limits=READ), DuffelCall.READ)

    def order(self, order_id: str) -> Data:
        return self._read(f"/air/orders/{_id(order_id)}")

    def orders_of_offer(self, offer_id: str) -> list[Data]:
        query = {"offer_id": offer_id, "limit": str(MOST_ORDERS)}
        reply = self._http.read("GET", "/air/orders", query=query, limits=READ)
        orders: list[Data] = data_of(reply, DuffelCall.READ)
        return orders

    def order_change(self, change_id: str) -> Data:
        return self._read(f"/air/order_changes/{_id(change_id)}")

    def cancellation(self, cancellation_id: str) -> Data:
        return self._read(f"/air/order_cancellations/{_id(cancellation_id)}")

    def airline_credit(self, credit_id: str) -> Data:
        return self._read(f"/air/airline_credits/{_id(credit_id)}")

    def airline_changes(self, order_id: str) -> list[Data]:
        query = {"order_id": order_id, "limit": str(MOST_ORDERS)}
        reply = self._http.read("GET", "/air/airline_initiated_changes", query=query, limits=READ)
        changes: list[Data] = data_of(reply, DuffelCall.READ)
        return changes

    def payments(self, order_id: str) -> list[Data]:
        query = {"order_id": order_id, "limit": str(MOST_ORDERS)}
        payments: list[Data] = data_of(
            self._http.read("GET", "/air/payments", query=query, limits=READ), DuffelCall.READ
        )
        return payments

    def airlines(self) -> None:
        """The cheapest call that needs a valid token."""
        data_of(self._http.read("GET", "/air/airlines", query={"limit": "1"}, limits=READ), DuffelCall.READ)

    def change_offers(self, request: Data) -> list[Data]:
        """Those within the answer; it may have none, although they are listed."""
        answer = self._quote("/air/order_change_requests", request, DuffelCall.READ)
        if answer.get("order_change_offers"):
            within: list[Data] = answer["order_change_offers"]
            return within
        query = {"order_change_request_id": answer["id"], "limit": str(MOST_ORDERS)}
        reply = self._http.read("GET", "/air/order_change_offers", query=query, limits=READ)
        listed: list[Data] = data_of(reply, DuffelCall.READ)
        return listed

    def take_up_change(self, change_offer_id: str) -> Data:
        return self._quote(
            "/air/order_changes", {"selected_order_change_offer": change_offer_id}, DuffelCall.CHANGE_OFFER
        )

    def quote_cancellation(self, order_id: str) -> Data:
        return self._quote("/air/order_cancellations", {"order_id": order_id}, DuffelCall.READ)

    # --- Writes: once each, and never again ---------------------------------------------------------------------

    def create_order(self, order: Data, *, client_ref: str) -> tuple[int, Data]:
        """The status with the order: 200, 201 and 202 mean different things."""
        reply = self._write("/air/orders", order, client_ref)
        return reply.status, _object(reply, DuffelCall.ORDER)

    def confirm_change(self, change_id: str, payment: Data | None, *, client_ref: str) -> Data:
        confirmed = {"payment": payment} if payment else {}
        reply = self._write(f"/air/order_changes/{_id(change_id)}/actions/confirm", confirmed, client_ref)
        return _object(reply, DuffelCall.CONFIRM)

    def confirm_cancellation(self, cancellation_id: str, *, client_ref: str) -> Data:
        path = f"/air/order_cancellations/{_id(cancellation_id)}/actions/confirm"
        return _object(self._write(path, {}, client_ref), DuffelCall.CONFIRM)

    def pay(self, payment: Data, *, client_ref: str) -> tuple[int, Data]:
        """The status with the payment: 200, 201 and 202 mean different things here, too."""
        reply = self._write("/air/payments", payment, client_ref)
        return reply.status, _object(reply, DuffelCall.PAY)

    def accept_airline_change(self, change_id: str, *, client_ref: str) -> Data:
        path = f"/air/airline_initiated_changes/{_id(change_id)}/actions/accept"
        return _object(self._write(path, {}, client_ref), DuffelCall.CONFIRM)

    def add_services(self, order_id: str, addition: Data, *, client_ref: str) -> Data:
        """The order with them. How long airlines take is not documented; assumed is what an order may take."""
        return _object(
            self._write(f"/air/orders/{_id(order_id)}/services", addition, client_ref), DuffelCall.SERVICES
        )

    # --- Inside -------------------------------------------------------------------------------------------------

    def _read(self, path: str) -> Data:
        return _object(self._http.read("GET", path, limits=READ), DuffelCall.READ)

    def _quote(self, path: str, data: Data, call: DuffelCall) -> Data:
        """Creates something that is of no consequence until it is confirmed; still not sent twice."""
        return _object(self._http.write("POST", path, json={"data": data}, limits=READ), call)

    def _write(self, path: str, data: Data, client_ref: str) -> Reply:
        return self._http.write(
            "POST", path, json={"data": data}, headers={"x-client-correlation-id": client_ref}, limits=BOOKING
        )


def _object(reply: Reply, call: DuffelCall) -> Data:
    data = data_of(reply, call)
    if not isinstance(data, dict):
        raise TypeError("an object was documented")
    return data


def _list(reply: Reply, call: DuffelCall) -> list[Data]:
    data = data_of(reply, call)
    if not isinstance(data, list):
        raise TypeError("a list was documented")
    return data


def _id(text: str) -> str:
    """In a path: whatever was stored as an id stays one part of it."""
    return quote(text, safe="")
