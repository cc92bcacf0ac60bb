"""The controls of a test environment (contract §3): clock, reset, funds, faults, and what happens to a booking."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from apps.accounts.clocks import move_clock
from apps.accounts.faults import WHOLE, Faults, set_faults
from apps.accounts.models import Sandbox
from apps.bookings.models import Booking
from apps.bookings.selectors import any_booking_of
from apps.common import clock, errors
from apps.common.environments import Environment
from apps.gateway.client_ip import client_address
from apps.gateway.operations import RateClass, operation
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.settlement import answered_together
from apps.gateway.viewsets import GatewayViewSet
from apps.keys.partner import Partner
from apps.keys.selectors import key_actor
from apps.ledger.money import Trace, add_test_funds
from apps.ledger.selectors import Balance, balance_of
from apps.onboarding.sandboxes import reset_sandbox
from apps.sandbox import serializers
from apps.sandbox.simulate import simulate

ADDED = "Added in the sandbox"


class ClockViewSet(GatewayViewSet):
    @operation(
        "getSandboxClock",
        sandbox=True,
        rate_class=RateClass.READ,
        answer=serializers.ClockAnswer,
    )
    def retrieve(self, request: PartnerRequest) -> Answer:
        """Read the clock of the test environment."""
        return Answer(clock_json(request.partner))

    @operation(
        "advanceSandboxClock",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.AdvanceBody,
        answer=serializers.ClockAnswer,
    )
    def advance(self, request: PartnerRequest) -> Answer:
        """Move the clock of the test environment forward.

        Offers expire, deliveries are retried and quotas reset as if the time had passed. The clock never moves back; a reset
        returns it to real time.
        """
        seconds: int | None = request.validated_data.get("advanceSeconds")
        until: datetime | None = request.validated_data.get("advanceTo")
        claim, actor = request.claim, key_actor(request.partner, client_address(request.http))
        by = None if seconds is None else timedelta(seconds=seconds)
        assert claim is not None

        def move() -> Answer:
            offset = move_clock(account_id=request.partner.account_id, by=by, until=until, actor=actor)
            claim.clock_offset = offset  # the answer is kept for 24 h from the time that it is there now
            return Answer(clock_json(replace(request.partner, clock_offset=offset)))

        return answered_together(request, move)


def clock_json(partner: Partner) -> dict[str, object]:
    return {
        "now": clock.rfc3339(clock.now(partner)),
        "offsetSeconds": int(partner.clock_offset.total_seconds()),
    }


class EnvironmentViewSet(GatewayViewSet):
    @operation(
        "resetSandbox",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.ResetBody,
        answer=serializers.ResetAnswer,
        errors=(errors.Conflict,),
    )
    def reset(self, request: PartnerRequest) -> Answer:
        """Reset the test environment.

        Its bookings, events and call records can no longer be read. The wallet has its opening balance, the clock shows real
        time and all faults are off. API keys and webhook endpoints stay.
        """
        claim, actor = request.claim, key_actor(request.partner, client_address(request.http))
        assert claim is not None

        def reset() -> Answer:
            account_id = request.partner.account_id
            new = reset_sandbox(account_id=account_id, actor=actor, claim_id=claim.record_id)
            claim.clock_offset = new.clock_offset  # its 24 h are those of the clock that counts from now on
            return Answer(reset_json(new))

        return answered_together(request, reset)

    @operation(
        "addSandboxFunds",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.FundsBody,
        answer=serializers.FundsAnswer,
    )
    def add_funds(self, request: PartnerRequest) -> Answer:
        """Add money to the test wallet."""
        partner, claim = request.partner, request.claim
        actor = key_actor(partner, client_address(request.http))
        assert claim is not None
        amount_cents: int = request.validated_data["amountCents"]
        trace = Trace(key_id=partner.key_id, request_id=request.request_id, description=ADDED)

        def add() -> Answer:
            balance = add_test_funds(
                account_id=partner.account_id,
                currency=partner.currency,
                amount_cents=amount_cents,
                reference=str(claim.record_id),
                trace=trace,
                actor=actor,
            )
            return Answer({**balance_json(balance), "amountCents": amount_cents})

        return answered_together(request, add)


def reset_json(sandbox: Sandbox) -> dict[str, object]:
    return {
        "sandbox": sandbox.name,
        "resetAt": clock.rfc3339(sandbox.opened_at),
        "balance": balance_json(balance_of(sandbox.account_id, Environment.TEST)),
    }


def balance_json(balance: Balance) -> dict[str, object]:
    return {
        "currency": balance.currency,
        "availableCents": balance.available_cents,
        "heldCents": balance.held_cents,
    }


class FaultsViewSet(GatewayViewSet):
    @operation("getSandboxFaults", sandbox=True, rate_class=RateClass.READ, answer=serializers.FaultsAnswer)
    def retrieve(self, request: PartnerRequest) -> Answer:
        """Read the faults of the test environment."""
        sandbox = Sandbox.objects.filter(account_id=request.partner.account_id).first()
        return Answer(faults_json(sandbox))

    @operation(
        "setSandboxFaults",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.FaultsBody,
        answer=serializers.FaultsAnswer,
    )
    def replace(self, request: PartnerRequest) -> Answer:
        """Set the faults of the test environment.

        Replaces all of them: a fault that you leave out is switched off. An empty body switches every fault off.
        """
        return Answer(
            faults_json(
                set_faults(account_id=request.partner.account_id, faults=faults_of(request.validated_data))
            )
        )


def faults_of(data: dict[str, Any]) -> Faults:
    def parts(name: str) -> int:
        share: float = data.get(name, 0)
        return round(share * WHOLE)

    return Faults(
        latency_ms=data.get("latencyMs", 0),
        error_share=parts("errorShare"),
        lost_answer_share=parts("lostAnswerShare"),
        duplicate_delivery_share=parts("duplicateDeliveryShare"),
        shuffle_deliveries=int(data.get("shuffleDeliveries", False)),
        seed=data.get("seed", 0),
    )


def faults_json(sandbox: Sandbox | None) -> dict[str, object]:
    faults = Faults.of(sandbox.faults if sandbox is not None else {})
    return {
        "latencyMs": faults.latency_ms,
        "errorShare": faults.error_share / WHOLE,
        "lostAnswerShare": faults.lost_answer_share / WHOLE,
        "duplicateDeliveryShare": faults.duplicate_delivery_share / WHOLE,
        "shuffleDeliveries": bool(faults.shuffle_deliveries),
        "seed": faults.seed,
        "callsDecided": sandbox.calls_drawn if sandbox is not None else 0,
        "deliveriesDecided": sandbox.deliveries_drawn if sandbox is not None else 0,
    }


class SimulateViewSet(GatewayViewSet):
    handle = "The booking's id, of any product."

    @operation(
        "simulateBooking",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.SimulateBody,
        answer=serializers.SimulateAnswer,
        errors=(errors.NotFound, errors.Conflict),
    )
    def create(self, request: PartnerRequest, booking_id: str) -> Answer:
        """Simulate what a supplier does to a test booking.

        The booking changes the way it would in live, and the same events are sent.
        """
        booking = any_booking_of(request.partner.account_id, request.partner.environment, booking_id)
        what, claim = request.validated_data["what"], request.claim
        assert claim is not None
        claim.refuse_if_taken_over()  # what happens to a booking a second time would be reported a second time
        return Answer({"simulated": what, "booking": booking_json(simulate(booking, what))})


def booking_json(booking: Booking) -> dict[str, object]:
    return {
        "bookingType": booking.product,
        "id": booking.id,
        "reference": booking.reference,
        "status": booking.status,
    }
