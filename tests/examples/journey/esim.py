"""eSIM: find a plan, order it, ask for it again, order one that is delivered later, look at what was used."""

from typing import Any

from tests.examples.stage import Stage

DELIVERED_LATER = {"region": "oceania", "planType": "data", "page": "1", "pageSize": "1"}
"""The sandbox's operator there takes some seconds."""

CHEAPEST = {
    "country": "PT", "minDataMb": "3072", "minDays": "14", "maxPriceCents": "2000", "sort": "price", "limit": "1"
}  # fmt: skip


def play(stage: Stage) -> None:
    plan = find(stage)
    wanted = {
        "planId": plan["id"],
        "externalReference": "ACME-4001",
        "tripReference": "ACME-TRIP-7",
        "maxTotalCents": plan["priceCents"],
    }
    order = stage.call("createEsimOrder", "provisioned", "A profile that is ready at once", **wanted)
    stage.call(
        "createEsimOrder", "existing", "The same externalReference and plan: the existing order", **wanted
    )
    later = stage.call(
        "listEsimPlans", "of-a-region", "Data plans of a region, a page of one", query=DELIVERED_LATER
    )["data"][0]
    stage.call(
        "createEsimOrder",
        "pending",
        "A profile that is delivered later; `esim.provisioned` is sent then",
        planId=later["id"],
        externalReference="ACME-4002",
    )
    stage.call("getEsimOrder", "provisioned", "An order with its activation code", id=order["id"])
    stage.call("getEsimInstructions", "steps", "How to install it, device by device", id=order["id"])
    stage.call("getEsimInstructions", "in-german", "In German", id=order["id"], query={"language": "de"})
    stage.call("getEsimUsage", "not-installed", "No data used yet", id=order["id"])
    use_up(stage, order["id"])
    top_up(stage, order["id"])
    ask_for_refund(stage, plan["id"])
    stage.call(
        "listEsimOrders", "newest", "The newest order, and a cursor for the next ones", query={"limit": "1"}
    )
    stage.call(
        "listEsimOrders",
        "by-reference",
        "Found by your own reference",
        query={"externalReference": "ACME-4001", "tripReference": "ACME-TRIP-7", "status": "provisioned"},
    )
    stage.call(
        "listEsimOrders",
        "changed-since",
        "Bookings that changed since an instant, oldest change first",
        query={"updatedSince": order["updatedAt"], "limit": "1"},
    )


def use_up(stage: Stage, order_id: str) -> None:
    """The events when most is used, days later: `esim.status_changed`, `esim.data_low`."""
    days = 5 * 24 * 3_600
    stage.wait(seconds=days)
    stage.prepare("getEsimUsage", id=order_id)
    stage.wait(seconds=-days)


def top_up(stage: Stage, order_id: str) -> None:
    offered = stage.call("listEsimTopUpPlans", "plans", "What the eSIM can be topped up with", id=order_id)[
        "plans"
    ][0]
    wanted = {
        "planId": offered["id"],
        "externalReference": "ACME-4003",
        "maxTotalCents": offered["priceCents"],
    }
    stage.call("createEsimTopUp", "added", "More data for the same eSIM", id=order_id, **wanted)
    stage.call(
        "createEsimTopUp",
        "existing",
        "The same externalReference and plan: the existing top-up",
        id=order_id,
        **wanted,
    )
    stage.call("getEsimOrder", "topped-up", "The order with its top-up", id=order_id)


def ask_for_refund(stage: Stage, plan_id: str) -> None:
    """And the event a day later, when it is granted: `esim.refund_decided`."""
    order = stage.call(
        "createEsimOrder",
        "any-price",
        "At the current price",
        planId=plan_id,
        externalReference="ACME-4004",
        maxTotalCents=...,
    )
    why = {"reason": "trip_cancelled", "notes": "The conference was called off."}
    stage.call("requestEsimRefund", "requested", "A refund for an unused plan", id=order["id"], **why)
    days = 25 * 3_600
    stage.wait(seconds=days)
    stage.work()
    stage.wait(seconds=-days)


def find(stage: Stage) -> dict[str, Any]:
    found = stage.call(
        "listEsimPlans", "of-a-country", "Plans for Portugal", query={"country": "PT", "limit": "2"}
    )
    stage.call("listEsimPlans", "cheapest", "The cheapest plans for two weeks in Portugal", query=CHEAPEST)
    plan: dict[str, Any] = stage.call("getEsimPlan", "plan", "One plan", id=found["data"][0]["id"])
    return plan
