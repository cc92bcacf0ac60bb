"""The partner arrives: a key that works, a webhook endpoint, and a first delivery to it."""

import secrets

from tests.demo.partner import tell
from tests.demo.receiver import Inbox
from tests.demo.stage import BALANCE_CENTS, Stage
from tests.demo.story.plot import Story
from tests.demo.telling import chapter, insist, money, note

EVENTS = [
    "booking.confirmed",
    "booking.cancelled",
    "booking.schedule_changed",
    "booking.supplier_changed",
    "booking.rejected",
    "payment.refunded",
    "esim.provisioned",
    "esim.topped_up",
]


def play(stage: Stage, inbox: Inbox) -> Story:
    note(f"on {stage.where}")
    chapter("The partner")
    partner = stage.partner
    account = partner.get("/v1/account")
    balance = account.body["balance"]
    insist(balance["availableCents"] == BALANCE_CENTS, f"the balance is not the one put in: {balance}")
    tell(account, f"{account.body['name']}, {account.body['environment']} key, {money_of(balance)} to spend")
    story = Story(partner, inbox, secrets.token_hex(2), live=stage.live)
    register(story)
    return story


def register(story: Story) -> None:
    """The receiver becomes an endpoint, and is tried."""
    body = {"url": story.inbox.url, "events": EVENTS, "description": "make demo"}
    made = story.partner.post("/v1/webhooks/endpoints", body, expect=201)
    story.endpoint_id, story.inbox.secret = made.body["id"], made.body["secret"]
    tell(made, f"{made.body['url']}, secret {made.body['secret'][:10]}…")
    tried = story.partner.post(f"/v1/webhooks/endpoints/{story.endpoint_id}/test", {}, expect=202)
    tell(tried, f"{tried.body['eventType']} {tried.body['status']}")
    story.expect("webhook.test")
    story.hear()


def money_of(balance: dict[str, object]) -> str:
    return money(int(str(balance["availableCents"])), str(balance["currency"]))
