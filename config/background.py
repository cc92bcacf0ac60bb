"""What runs in the background: the queue of each task, and how often beat calls it.

Every sweep is a plain function that finds its own work, so a late message is dropped.
"""

from collections.abc import Collection
from typing import Any

# Three kinds of tasks take long, and most of it is waiting: for receivers, up to 30 s a run; for suppliers, minutes; for
# PostgreSQL, when a backlog is settled, old rows are deleted or the ledger is checked. One worker runs all three in threads (the
# `network` line of the Procfile), and each kind has a third of them at most (config/celery.py): a supplier and a receiver that
# hang at the same time delay neither each other nor the settlements. All other tasks are short, in Celery's own queue.
QUEUES = {
    "webhooks": ("webhooks.deliver_due", "webhooks.sweep", "webhooks.take_exams"),
    "suppliers": (
        "apps.bookings.tasks.recover_operations",
        "apps.bookings.tasks.poll_standing_bookings",
        "apps.bookings.tasks.poll_more_bookings",
        "apps.bookings.tasks.follow_supplier_hints",
        "apps.esim.tasks.sync_esim_plans",
        "apps.hotels.tasks.learn_hotels",
        "apps.hotels.tasks.sync_hotels",
        "apps.hotels.tasks.look_for_strays",
    ),
    "long": (
        "apps.bookings.tasks.settle_what_is_owed",
        "apps.bookings.tasks.settle_more",
        "apps.bookings.tasks.forget_idempotency_records",
        "apps.bookings.tasks.forget_supplier_hints",
        "apps.bookings.tasks.forget_old_travellers",
        "apps.flights.tasks.prune_flight_searches",
        "apps.hotels.tasks.prune_hotel_searches",
        "apps.hotels.tasks.forget_hotels",
        "apps.ledger.tasks.close_last_month",
        "apps.ledger.tasks.nightly_check",
        "apps.portal.tasks.forget_ended_sessions",
        "apps.transfers.tasks.prune_transfer_searches",
        "request_log.prune",
        "webhooks.end_left_behind",
        "webhooks.prune",
        "webhooks.prune_sandboxes",
    ),
}
ROUTES = {task: {"queue": queue} for queue, tasks in QUEUES.items() for task in tasks}
Entries = dict[str, dict[str, Any]]


def schedule(
    *,
    sold: Collection[str],
    recovery_seconds: float,
    settlement_seconds: float,
    news_seconds: float,
    esim_seconds: float,
    webhook_seconds: float,
) -> Entries:
    """What beat calls, by name. The tasks that ask a product's suppliers rest while it is not `sold`."""
    hotels: Entries = {
        "hotels: learn of hotels": every(15, "apps.hotels.tasks.learn_hotels"),
        "hotels: sync the list of hotels": every(60, "apps.hotels.tasks.sync_hotels"),
        "hotels: look for strays": every(86_400, "apps.hotels.tasks.look_for_strays"),
    }
    esim: Entries = {"esim: sync the catalogue": every(esim_seconds, "apps.esim.tasks.sync_esim_plans")}
    return {
        "keys: every second": every(1, "gateway.every_second"),
        "requests: prune": every(3_600, "request_log.prune"),
        "searches: give back units": every(15, "gateway.give_back_search_units"),
        "bookings: recover": every(recovery_seconds, "apps.bookings.tasks.recover_operations"),
        "bookings: settle what is owed": every(settlement_seconds, "apps.bookings.tasks.settle_what_is_owed"),
        **(esim if "esim" in sold else {}),
        "webhooks: sweep": every(webhook_seconds, "webhooks.sweep"),
        "webhooks: advance recoveries": every(webhook_seconds, "webhooks.advance_recoveries"),
        "webhooks: take exams": every(webhook_seconds, "webhooks.take_exams"),
        "bookings: forget idempotency records": every(900, "apps.bookings.tasks.forget_idempotency_records"),
        "bookings: ask suppliers for news": every(
            min(60.0, news_seconds), "apps.bookings.tasks.poll_standing_bookings"
        ),
        "bookings: follow suppliers' hints": every(30, "apps.bookings.tasks.follow_supplier_hints"),
        "bookings: forget suppliers' hints": every(3_600, "apps.bookings.tasks.forget_supplier_hints"),
        "bookings: forget travellers": every(86_400, "apps.bookings.tasks.forget_old_travellers"),
        "flights: prune searches": every(900, "apps.flights.tasks.prune_flight_searches"),
        "hotels: prune searches": every(900, "apps.hotels.tasks.prune_hotel_searches"),
        **(hotels if "hotels" in sold else {}),
        "hotels: forget hotels": every(86_400, "apps.hotels.tasks.forget_hotels"),
        "transfers: prune searches": every(900, "apps.transfers.tasks.prune_transfer_searches"),
        "webhooks: end what was left behind": every(60, "webhooks.end_left_behind"),
        "webhooks: prune": every(3_600, "webhooks.prune"),
        "accounts: announce lapsed approvals": every(3_600, "apps.accounts.tasks.announce_lapsed_approvals"),
        "portal: tell of troubles": every(60, "portal.tell_troubles"),
        "portal: report low balances": every(60, "portal.report_low_balances"),
        "portal: forget ended sessions": every(86_400, "apps.portal.tasks.forget_ended_sessions"),
        "ledger: nightly fold": every(86_400, "apps.ledger.tasks.nightly_check"),
        "ledger: close last month": every(3_600, "apps.ledger.tasks.close_last_month"),
        "ledger: expire proposals": every(3_600, "apps.ledger.tasks.expire_proposals"),
    }


def every(seconds: float, task: str) -> dict[str, Any]:
    """At most once a second: of none beat would never rest."""
    at_most = max(1.0, float(seconds))
    return {"task": task, "schedule": at_most, "options": {"expires": at_most}}
