"""The partner's webhook endpoint: deliveries to it are really sent, to a receiver on this machine."""

from collections.abc import Mapping
from dataclasses import replace

from apps.common.outbound.connection import Timings
from apps.webhooks.sender import ReceiverAnswer, Sender
from tests.support.receiver import Receiver

DURATION_MS = 41
"""What a delivery is said to have taken: how long this machine took is nobody's business."""

PATIENCE_SECONDS = 300.0
"""A busy machine makes no delivery fail."""


class ToTheReceiver(Sender):
    """Sends what goes to the partner's address to `receiver`."""

    def __init__(self, receiver: Receiver) -> None:
        super().__init__(allow_local=True)
        self._receiver = receiver

    def post(self, url: str, *, headers: Mapping[str, str], body: bytes, seconds: float) -> ReceiverAnswer:
        answer = super().post(self._receiver.url, headers=headers, body=body, seconds=PATIENCE_SECONDS)
        return replace(answer, duration_ms=DURATION_MS, timings=Timings())
