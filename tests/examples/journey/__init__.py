"""What the partner does, call by call: every operation at least once, and each success that it can answer."""

from tests.examples.journey import account, esim, flights, health, hotels, transfers, webhooks
from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    health.play(stage)
    account.look(stage)
    endpoint = webhooks.set_up(stage)
    hotels.play(stage)
    flights.play(stage)
    transfers.play(stage)
    esim.play(stage)
    account.reconcile(stage)
    webhooks.look_after(stage, endpoint)
