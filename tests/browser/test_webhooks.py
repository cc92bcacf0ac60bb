"""Webhook pages that reload by themselves: new attempts appear, and opened ones stay open."""

import pytest
from playwright.sync_api import expect

from apps.common import clock
from apps.webhooks.models import Attempt, Delivery
from tests.browser.visitor import Visitor
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.portal.person import Person

pytestmark = pytest.mark.django_db(transaction=True)


def tried(delivery: Delivery, number: int, status: str, code: int, error: str = "", **more: object) -> None:
    """Record one more attempt, and the delivery's new status."""
    Attempt.objects.create(
        delivery=delivery,
        number=number,
        attempted_at=clock.now(),
        duration_ms=9,
        status_code=code,
        error_code="status" if error else "",
        error=error,
        **more,
    )
    Delivery.objects.filter(pk=delivery.pk).update(
        status=status, attempt_count=number, status_before_resend=None, next_attempt_at=None
    )


@pytest.mark.slow
def test_a_delivery_is_watched_as_it_fails_and_is_sent_again(visitor: Visitor, owner: Person):
    delivery = DeliveryFactory(endpoint=EndpointFactory(account=owner.account))
    visitor.carry_session_of(owner)
    page = visitor.page
    visitor.goto(f"/portal/test/webhooks/deliveries/{delivery.pk}/")
    expect(page.get_by_text("No attempt yet")).to_be_visible()

    tried(delivery, 1, "FAILED", 410, "answered 410; the delivery is not tried again")
    expect(page.get_by_text("Failed: the endpoint returned 410; not sent again")).to_be_visible()
    first = page.locator("#attempt-1")
    expect(first).to_have_attribute("open", "")

    page.get_by_role("button", name="Send again").click()
    expect(page.get_by_text("Sending again; sending now")).to_be_visible()
    page.locator("#attempt-1 summary").click()
    expect(page.locator("#attempt-1")).not_to_have_attribute("open", "")
    tried(delivery, 2, "DELIVERED", 200, counted=False, manual=True)
    expect(page.get_by_text("Delivered by a resend")).to_be_visible()
    expect(page.locator("#attempt-2")).to_have_attribute("open", "")
    expect(page.locator("#attempt-1")).not_to_have_attribute("open", "")
    expect(page.get_by_role("list", name="Resends").get_by_role("listitem")).to_have_count(1)
    assert visitor.complaints == []
