"""eSIM: a plan delivered at once, one delivered a few seconds later, how it is installed, what is used of it, and a top-up."""

from typing import Any

from tests.demo.partner import tell
from tests.demo.story.plot import Story
from tests.demo.telling import chapter, insist, money

ORDERS = "/v1/esim/orders"
PLANS = "/v1/esim/plans"
HERE = "country=PT&planType=data"
LATE = "region=oceania"
"""The sandbox's operator there delivers a few seconds after the order."""


def play(story: Story) -> None:
    chapter("eSIM")
    late = None if story.live else order(story, find_plan(story, LATE), "esim-late", status="pending")
    bought = order(story, find_plan(story, HERE), "esim", status="provisioned")
    ask_again(story, bought)
    use(story, bought)
    top_up(story, bought)
    if late is not None:
        wait_for(story, late)
    story.hear()


def wait_for(story: Story, late: dict[str, Any]) -> None:
    path = f"{ORDERS}/{late['id']}"
    ready = story.partner.poll(path, lambda body: body["status"] != "pending", what="the profile")
    insist(ready.body["status"] == "provisioned", f"not provisioned: {ready.body}")
    tell(ready, f"{late['reference']} provisioned after {ready.seconds:.1f} s, ICCID {ready.body['iccid']}")


def find_plan(story: Story, filters: str) -> dict[str, Any]:
    found = story.partner.get(f"{PLANS}?{filters}&pageSize=5")
    insist(bool(found.body["data"]), f"no plans for {filters}")
    plan = found.body["data"][0]
    tell(found, f"{found.body['total']} plans: {plan['name']}, {price(plan)}")
    return dict(plan)


def order(story: Story, plan: dict[str, Any], name: str, *, status: str) -> dict[str, Any]:
    body = {**order_of(plan), "externalReference": story.reference(name)}
    made = story.partner.post(ORDERS, body, expect=201)
    insist(made.body["status"] == status, f"the order is {made.body['status']}, not {status}")
    insist(made.body["totalCents"] == plan["priceCents"], "the order costs otherwise than its plan")
    story.booked(made.body, "esim.provisioned")
    iccid = made.body["iccid"]
    tell(made, f"{made.body['reference']} {status}, {price(plan)}{f', ICCID {iccid}' if iccid else ''}")
    return dict(made.body)


def ask_again(story: Story, bought: dict[str, Any]) -> None:
    """The same externalReference and plan answer the order that exists."""
    body = {**order_of(bought["plan"]), "externalReference": bought["externalReference"]}
    again = story.partner.post(ORDERS, body)
    insist(again.body == bought, "a reused externalReference did not answer the order")
    tell(again, f"same externalReference: {bought['reference']} again")
    listed = story.partner.get(f"{ORDERS}?externalReference={bought['externalReference']}")
    insist([row["id"] for row in listed.body["data"]] == [bought["id"]], f"not one order: {listed.body}")
    tell(listed, "one order has it")


def use(story: Story, bought: dict[str, Any]) -> None:
    read = story.partner.get(f"{ORDERS}/{bought['id']}")
    insist(read.body == bought, "the order reads otherwise than it was answered")
    tell(read, f"{read.body['activation']['lpa'][:32]}…")
    steps = story.partner.get(f"{ORDERS}/{bought['id']}/instructions")
    platforms = ", ".join(dict.fromkeys(guide["platform"] for guide in steps.body["guides"]))
    tell(steps, f"how to install it: {platforms}")
    usage = story.partner.get(f"{ORDERS}/{bought['id']}/usage")
    used, data = usage.body["dataUsedMb"], usage.body["dataTotalMb"]
    tell(usage, f"{usage.body['status']}, {used} of {data} MB used")


def top_up(story: Story, bought: dict[str, Any]) -> None:
    """More data for the same eSIM: a booking of its own, which the order shows."""
    path = f"{ORDERS}/{bought['id']}/topups"
    offered = story.partner.get(path)
    insist(bool(offered.body["plans"]), "nothing to top up with")
    plan = offered.body["plans"][0]
    tell(offered, f"{len(offered.body['plans'])} top-ups: {plan['name']}, {price(plan)}")
    body = {**order_of(plan), "externalReference": story.reference("esim-more")}
    added = story.partner.post(path, body, expect=201)
    insist(added.body["status"] == "provisioned", f"the top-up is {added.body['status']}")
    insist(added.body["totalCents"] == plan["priceCents"], "the top-up costs otherwise than its plan")
    story.booked(added.body, "esim.topped_up")
    tell(added, f"{added.body['reference']} added to {bought['reference']}, {price(plan)}")
    again = story.partner.post(path, body)
    insist(again.body == added.body, "a reused externalReference did not answer the top-up")
    read = story.partner.get(f"{ORDERS}/{bought['id']}")
    insist(read.body == {**bought, "topups": [added.body]}, "the order does not show its top-up")
    tell(read, f"{bought['reference']} shows its top-up")


def new_booking(story: Story) -> tuple[str, dict[str, Any]]:
    """A plan that is delivered at once: the path and the body."""
    return ORDERS, order_of(story.partner.get(f"{PLANS}?{HERE}&pageSize=1").body["data"][0])


def order_of(plan: dict[str, Any]) -> dict[str, Any]:
    return {"planId": plan["id"]}


def price(plan: dict[str, Any]) -> str:
    return money(plan["priceCents"], plan["currency"])
