"""What the partner does, call by call: every operation at least once, and each success that it can answer."""

from tests.examples.journey import (
    account,
    approval,
    documents,
    esim,
    flights,
    health,
    hotel_content,
    hotels,
    places,
    sandbox,
    transfers,
    trips,
    webhooks,
)
from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    """Each chapter begins with an hour of its own, so that a call more in one leaves the instants of the others alone."""
    health.play(stage)
    stage.next_hour()
    account.look(stage)
    endpoint = webhooks.set_up(stage)
    for product in (hotels, flights, transfers, esim):
        stage.next_hour()
        product.play(stage)
    stage.next_hour()
    account.reconcile(stage)
    webhooks.look_after(stage, endpoint)
    stage.next_hour()
    hotel_content.play(stage)
    stage.next_hour()
    places.play(stage)
    stage.next_hour()
    trips.play(stage)
    stage.next_hour()
    documents.play(stage)
    stage.next_hour()
    approval.play(stage)
    stage.next_hour()
    account.state(stage)
    stage.next_hour()
    sandbox.play(stage)
