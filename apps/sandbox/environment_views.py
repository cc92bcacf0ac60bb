"""POST /sandbox/reset and /sandbox/funds: a test environment that begins anew, and money for its wallet (contract §3)."""

from apps.accounts.models import Sandbox
from apps.common import clock, errors
from apps.common.environments import Environment
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.client_ip import client_address
from apps.gateway.routes import RateClass, Route
from apps.gateway.together import answered_together
from apps.gateway.views import GatewayViewSet
from apps.keys.actors import key_actor
from apps.ledger.selectors import Balance, balance_of
from apps.ledger.services.add_test_funds import add_test_funds
from apps.ledger.trace import Trace
from apps.onboarding.services.sandboxes.reset import reset_sandbox
from apps.sandbox import serializers
from apps.webhooks.serializers import EmptyBody

ADDED = "Added in the sandbox"


class EnvironmentViewSet(GatewayViewSet):
    @Route(
        "resetSandbox",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=EmptyBody,
        answer=serializers.ResetAnswer,
        errors=(errors.Conflict,),
    )
    def reset(self, call: Call) -> Answer:
        """Begin the test environment anew: empty, with the starting balance, the clock at the real time and no faults."""
        claim, actor = call.claim, key_actor(call.partner, client_address(call.request))
        assert claim is not None

        def reset() -> Answer:
            account_id = call.partner.account_id
            new = reset_sandbox(account_id=account_id, actor=actor, claim_id=claim.record_id)
            claim.clock_offset = new.clock_offset  # its 24 h are those of the clock that counts from now on
            return Answer(reset_json(new))

        return answered_together(call, reset)

    @Route(
        "addSandboxFunds",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.FundsBody,
        answer=serializers.FundsAnswer,
    )
    def add_funds(self, call: Call) -> Answer:
        """Add money to the test wallet."""
        partner, claim = call.partner, call.claim
        actor = key_actor(partner, client_address(call.request))
        assert claim is not None
        amount_cents: int = call.data["amountCents"]
        trace = Trace(key_id=partner.key_id, request_id=call.request_id, description=ADDED)

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

        return answered_together(call, add)


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
