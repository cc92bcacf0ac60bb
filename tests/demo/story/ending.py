"""The end: every webhook arrived and is recorded as delivered, and the ledger says what the story says, to the cent."""

import time
from collections import Counter
from dataclasses import replace
from typing import Any

from tests.demo.receiver import objections_to
from tests.demo.stage import BALANCE_CENTS, CURRENCY, manage
from tests.demo.story.plot import Story
from tests.demo.telling import Failed, chapter, insist, money, note, table

DELIVERED_SECONDS = 60


def play(story: Story) -> None:
    chapter("Webhooks")
    check_webhooks(story)
    chapter("Ledger")
    story.partner.poll(
        "/v1/account", lambda body: body["balance"]["heldCents"] == 0, what="the end of every hold"
    )
    check_ledger(story)


def check_webhooks(story: Story) -> None:
    deliveries = all_delivered(story)
    expected, arrived, delivered = (
        Counter(event for event, _ in story.events.elements()),
        Counter(event for event, _ in story.inbox.count().elements()),
        Counter(delivery["eventType"] for delivery in deliveries),
    )
    kinds = sorted(expected | arrived | delivered)
    rows = [(kind, *(str(count[kind]) for count in (expected, arrived, delivered))) for kind in kinds]
    table(("EVENT", "EXPECTED", "VERIFIED", "DELIVERED"), rows, numbers=(1, 2, 3))
    insist(story.inbox.count() == story.events, "other webhooks came than the story tells of")
    insist(delivered == expected, "the deliveries listed are not the events expected")
    insist(not story.inbox.refused, f"webhooks that were not verified: {story.inbox.refused}")
    refuse_forgery(story)
    attempts = sum(delivery["attemptCount"] for delivery in deliveries)
    note(f"{len(deliveries)} deliveries, all DELIVERED, in {attempts} attempts; one byte changed is refused.")


def all_delivered(story: Story) -> list[dict[str, Any]]:
    """The service's own list of deliveries once none of them is unfinished: our 200 is recorded a moment after we sent it."""
    give_up = time.monotonic() + DELIVERED_SECONDS
    while True:
        path = f"/v1/webhooks/deliveries?endpointId={story.endpoint_id}"
        deliveries = list(story.partner.everything(path))
        unfinished = Counter(d["status"] for d in deliveries if d["status"] != "DELIVERED")
        if not unfinished and len(deliveries) >= story.events.total():
            return deliveries
        if time.monotonic() > give_up:
            raise Failed(f"of {len(deliveries)} deliveries some are not DELIVERED: {dict(unfinished)}")
        time.sleep(0.2)


def refuse_forgery(story: Story) -> None:
    """That both verifiers said yes means something because they can say no."""
    genuine = story.inbox.last
    assert genuine is not None
    forged = replace(genuine, body=genuine.body.replace(b'"id"', b'"iD"', 1))
    insist(not objections_to(genuine, story.inbox.secret), "the last delivery is no longer verified")
    insist(len(objections_to(forged, story.inbox.secret)) == 2, "a changed body was verified all the same")


def check_ledger(story: Story) -> None:
    """Every booking cost what the story says, all that failed cost nothing, and the sums are the balance."""
    entries = list(story.partner.everything("/v1/account/ledger"))[::-1]
    table(
        ("ENTRY", "BOOKING", "AVAILABLE", "HELD", "AVAILABLE AFTER"),
        [row_of(entry) for entry in entries],
        numbers=(2, 3, 4),
    )
    cost: Counter[str] = Counter()
    for entry in entries:
        cost[entry["bookingReference"] or ""] -= entry["amountCents"]
    insist(cost.pop("") == -BALANCE_CENTS, "what has no booking is not the money put in")
    wrong = {
        reference: (cost[reference], story.spent[reference])
        for reference in cost.keys() | story.spent.keys()
        if cost[reference] != story.spent[reference]
    }
    insist(not wrong, f"bookings that cost otherwise than told (ledger, story): {wrong}")
    check_balance(story, entries)
    note(manage("check_ledger").strip())


def check_balance(story: Story, entries: list[dict[str, Any]]) -> None:
    left = BALANCE_CENTS - story.spent.total()
    available = sum(entry["amountCents"] for entry in entries)
    held = sum(entry["heldDeltaCents"] for entry in entries)
    balance = story.partner.get("/v1/account").body["balance"]
    insist((available, held) == (left, 0), f"the entries add up to {available} and {held}, not {left} and 0")
    insist(
        balance | {"currency": CURRENCY, "availableCents": left, "heldCents": 0} == balance,
        f"the balance is {balance}, not {left}",
    )
    note(
        f"{len(entries)} entries: {money(BALANCE_CENTS, CURRENCY)} put in, "
        f"{money(story.spent.total(), CURRENCY)} spent as reported, {money(left, CURRENCY)} left, nothing held."
    )


def row_of(entry: dict[str, Any]) -> tuple[str, ...]:
    return (
        entry["type"],
        entry["bookingReference"] or "",
        money(entry["amountCents"], CURRENCY, signed=True),
        money(entry["heldDeltaCents"], CURRENCY, signed=True),
        money(entry["availableAfterCents"], CURRENCY),
    )
