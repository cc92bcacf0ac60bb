"""GET /v1/operations: what became of a POST. And what the products' views share."""

from collections.abc import Callable

from apps.bookings.flow.cancel import cancel_booking
from apps.bookings.flow.cancellation_quotes import quote_cancellation
from apps.bookings.models import Booking, Product
from apps.bookings.outcomes import CallOutcome, outcome_of_key
from apps.bookings.presenters import call_outcome_json, quoted_cancellation_json
from apps.bookings.serializers import CallOutcomeAnswer
from apps.common import clock
from apps.common.errors import InsufficientScope, InvalidRequest, listed
from apps.gateway.idempotency import WELL_FORMED
from apps.gateway.operations import ANY_SCOPE, QueryParameter, RateClass, operation, operation_named
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet
from apps.keys.partner import Partner

SCOPES = {
    Product.HOTEL: "hotels:book",
    Product.FLIGHT: "flights:book",
    Product.TRANSFER: "transfers:book",
    Product.ESIM: "esim:book",
}
"""For a call that came before its operation was stored with its key."""


class CallOutcomeViewSet(GatewayViewSet):
    @operation(
        "findOperation",
        scope=ANY_SCOPE,
        rate_class=RateClass.READ,
        answer=CallOutcomeAnswer,
        query=(
            QueryParameter(
                "idempotencyKey",
                {"type": "string", "minLength": 8, "maxLength": 255, "pattern": "^[!-~][ -~]*[!-~]$"},
                "The `Idempotency-Key` that the request was sent with.",
                since="1.2",
                required=True,
            ),
        ),
        errors=(InvalidRequest, InsufficientScope),
        since="1.2",
    )
    def retrieve(self, request: PartnerRequest) -> Answer:
        """Look up the outcome of a POST by its Idempotency-Key.

        Reports the current state: while the call runs, after a lost response or a crash, and after the key's 24 hours for as
        long as the booking is known. `next` names the one safe next step; following it repeatedly ends with exactly one
        booking. A key that was used before needs the scope of its operation (403 `insufficient_scope`). An unknown key is not
        an error: its state is `not_seen`, and a copy of the request that is still in transit may yet arrive.
        """
        partner = request.partner
        outcome = outcome_of_key(
            partner.account_id, partner.environment, read_key(request), now=clock.now(partner)
        )
        refuse_other_scopes(partner, outcome)
        return Answer(call_outcome_json(outcome))


def read_key(request: PartnerRequest) -> str:
    """Raises InvalidRequest where it is missing, or could be no Idempotency-Key."""
    key: str = request.query_params.get("idempotencyKey", "")
    if not key:
        raise InvalidRequest.field("idempotencyKey", "is required")
    if not WELL_FORMED.fullmatch(key):
        raise InvalidRequest.field("idempotencyKey", "must have 8 to 255 printable ASCII characters")
    return key


def refuse_other_scopes(partner: Partner, outcome: CallOutcome) -> None:
    """Raises InsufficientScope for a key that may not call the operation that the Idempotency-Key was used for."""
    scope = scope_of(outcome)
    if scope and scope not in partner.scopes:
        raise InsufficientScope(
            why=f"The Idempotency-Key's operation needs the scope {scope}; the key has {listed(sorted(partner.scopes))}.",
            missingScope=scope,
        )


def scope_of(outcome: CallOutcome) -> str:
    """Empty if the answer has nothing that a scope guards."""
    if outcome.call is None:
        return ""
    route = operation_named(outcome.call.operation)
    if route is not None:
        return route.scope
    booking = outcome.verdict.booking
    return SCOPES[Product(booking.product)] if booking is not None else ""


# --- Cancellations of every product ---------------------------------------------------------------------------------------
def cancel(request: PartnerRequest, booking: Booking, answer: Callable[[Booking], Answer]) -> Answer:
    """Cancel the booking as the body asks."""
    asked = request.validated_data
    said = {name: asked[name] for name in ("acceptAirlineCredit",) if name in asked}
    cancelled = cancel_booking(
        caller=request.caller_answered_by(answer),
        booking=booking,
        reason=asked.get("reason"),
        max_penalty_cents=asked.get("maxPenaltyCents"),
        quote_id=asked.get("cancellationQuoteId"),
        **said,
    )
    return answer(cancelled)


def cancellation_quote(request: PartnerRequest, booking: Booking) -> Answer:
    return Answer(quoted_cancellation_json(quote_cancellation(booking, request.caller.trigger.at_supplier())))
