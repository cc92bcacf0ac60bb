"""GET and POST /sandbox/clock: the clock of the key's test environment (contract §3)."""

from dataclasses import replace
from datetime import datetime, timedelta

from apps.accounts.services.move_clock import move_clock
from apps.common import clock
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.client_ip import client_address
from apps.gateway.routes import RateClass, Route
from apps.gateway.together import answered_together
from apps.gateway.views import GatewayViewSet
from apps.keys.actors import key_actor
from apps.keys.partner import Partner
from apps.sandbox import serializers


class ClockViewSet(GatewayViewSet):
    @Route(
        "getSandboxClock",
        sandbox=True,
        rate_class=RateClass.READ,
        answer=serializers.ClockAnswer,
    )
    def retrieve(self, call: Call) -> Answer:
        """Read the clock of the test environment."""
        return Answer(clock_json(call.partner))

    @Route(
        "advanceSandboxClock",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.AdvanceBody,
        answer=serializers.ClockAnswer,
    )
    def advance(self, call: Call) -> Answer:
        """Move the clock of the test environment forward."""
        seconds: int | None = call.data.get("advanceSeconds")
        until: datetime | None = call.data.get("advanceTo")
        claim, actor = call.claim, key_actor(call.partner, client_address(call.request))
        by = None if seconds is None else timedelta(seconds=seconds)
        assert claim is not None

        def move() -> Answer:
            offset = move_clock(account_id=call.partner.account_id, by=by, until=until, actor=actor)
            claim.clock_offset = offset  # the answer is kept for 24 h from the time that it is there now
            return Answer(clock_json(replace(call.partner, clock_offset=offset)))

        return answered_together(call, move)


def clock_json(partner: Partner) -> dict[str, object]:
    return {
        "now": clock.rfc3339(clock.now(partner)),
        "offsetSeconds": int(partner.clock_offset.total_seconds()),
    }
