"""The six sandbox triggers on every product's booking: five refusals, and a supplier that takes its time."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

from tests.demo.partner import Answer, tell
from tests.demo.story.plot import Story
from tests.demo.telling import chapter, insist

REFUSALS = {
    "sbx_offer_expired": (410, "offer_expired"),
    "sbx_price_changed": (409, "price_changed"),
    "sbx_insufficient_funds": (402, "insufficient_funds"),
    "sbx_payment_failed": (402, "payment_failed"),
    "sbx_supplier_error": (502, "upstream_error"),
}
SLOW = "sbx_slow"
NO_HANDLE = "/v1/esim/orders"
"""A plan does not expire, so that sbx_offer_expired has nothing to do there."""


def play(story: Story, products: Sequence[ModuleType]) -> None:
    chapter("Sandbox triggers")
    bookings = [product.new_booking(story) for product in products]
    for path, body in bookings:
        for trigger, (status, error_type) in REFUSALS.items():
            if trigger == "sbx_offer_expired" and path == NO_HANDLE:
                ignored(story, path, body, trigger)
            else:
                refused(story, path, body, trigger, status, error_type)
    slowly(story, bookings)
    story.hear()


def refused(
    story: Story, path: str, body: dict[str, Any], trigger: str, status: int, error_type: str
) -> None:
    answer = story.partner.post(path, body, expect=status, trigger=trigger)
    insist(answer.error_type == error_type, f"{trigger} answered {answer.error_type}, not {error_type}")
    insist(answer.headers.get("X-Sandbox-Trigger") == trigger, f"{trigger} was not confirmed")
    tell(answer, f"{trigger:<22} {answer.error_type}")


def ignored(story: Story, path: str, body: dict[str, Any], trigger: str) -> None:
    answer = story.partner.post(path, body, expect=201, trigger=trigger)
    insist(answer.headers.get("X-Sandbox-Trigger-Ignored") == trigger, f"{trigger} was not ignored")
    booked(story, path, answer)
    tell(answer, f"{trigger:<22} {answer.body['status']}, X-Sandbox-Trigger-Ignored")


def slowly(story: Story, bookings: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """All at once, because each waits for its supplier."""
    with ThreadPoolExecutor(len(bookings)) as pool:
        waiting = [
            pool.submit(story.partner.post, path, body, expect=201, trigger=SLOW) for path, body in bookings
        ]
    for (path, _), done in zip(bookings, waiting, strict=True):
        answer = done.result()
        insist(answer.headers.get("X-Sandbox-Trigger") == SLOW, f"{SLOW} was not confirmed")
        booked(story, path, answer)
        tell(answer, f"{SLOW:<22} {answer.body['status']}, after {answer.seconds:.1f} s")


def booked(story: Story, path: str, answer: Answer) -> None:
    story.booked(answer.body, "esim.provisioned" if path == NO_HANDLE else "booking.confirmed")
