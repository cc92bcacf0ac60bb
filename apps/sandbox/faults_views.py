"""GET and PUT /sandbox/faults: what goes wrong in the key's test environment, and how often (contract §3)."""

from typing import Any

from apps.accounts.faults import WHOLE, Faults
from apps.accounts.models import Sandbox
from apps.accounts.services.set_faults import set_faults
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.routes import RateClass, Route
from apps.gateway.views import GatewayViewSet
from apps.sandbox import serializers


class FaultsViewSet(GatewayViewSet):
    @Route("getSandboxFaults", sandbox=True, rate_class=RateClass.READ, answer=serializers.FaultsAnswer)
    def retrieve(self, call: Call) -> Answer:
        """Read the faults of the test environment."""
        sandbox = Sandbox.objects.filter(account_id=call.partner.account_id).first()
        return Answer(faults_json(sandbox))

    @Route(
        "setSandboxFaults",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.FaultsBody,
        answer=serializers.FaultsAnswer,
    )
    def replace(self, call: Call) -> Answer:
        """Set all faults of the test environment. What is left out is off."""
        return Answer(
            faults_json(set_faults(account_id=call.partner.account_id, faults=faults_of(call.data)))
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
