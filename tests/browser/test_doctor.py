"""The signature doctor and the receiver exam in a browser: a verdict that can be read, and a page that follows an exam."""

import time

import pytest
from playwright.sync_api import expect

from apps.webhooks.models import Exam
from apps.webhooks.services.take_exams import take_exams
from apps.webhooks.signatures import signature_headers
from tests.browser.visitor import Visitor
from tests.factories.webhooks import EndpointFactory, EventFactory
from tests.portal.person import Person
from tests.support.receiver import receiving
from tests.webhooks.sent import BODY, EVENT_ID

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_pasted_delivery_is_judged(visitor: Visitor, owner: Person):
    endpoint = EndpointFactory(account=owner.account)
    EventFactory(id=EVENT_ID, account=owner.account, payload=BODY.decode())
    signed = signature_headers(
        event_id=EVENT_ID, timestamp=int(time.time()), body=BODY, signing_secrets=[endpoint.secret]
    )
    visitor.carry_session_of(owner)
    page = visitor.page
    visitor.goto("/portal/test/webhooks/doctor/")
    page.get_by_label("Headers").fill("\n".join(f"{name}: {value}" for name, value in signed.items()))
    page.get_by_label("Body", exact=True).fill(BODY.decode().replace('","', '", "'))
    page.get_by_role("button", name="Check signature").click()
    expect(page.get_by_role("heading", name="What is wrong")).to_be_visible()
    expect(page.get_by_text("spacing; they differ from byte 40")).to_be_visible()
    assert visitor.unfit() == []

    page.get_by_label("Body", exact=True).fill(BODY.decode())
    page.get_by_role("button", name="Check signature").click()
    expect(page.get_by_role("heading", name="The signature is valid.")).to_be_visible()
    assert visitor.unfit() == []
    assert visitor.complaints == []


@pytest.mark.slow
def test_an_exam_is_followed_to_its_end(visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    page = visitor.page
    with receiving() as receiver:
        endpoint = EndpointFactory(account=owner.account, url=receiver.url)
        visitor.goto(f"/portal/test/webhooks/{endpoint.pk}/exam/")
        page.get_by_role("button", name="Start an exam").click()
        expect(page.get_by_text("0 of 8 passed")).to_be_visible()
        take_exams(seconds=60)
    expect(page.get_by_text("6 of 8 passed")).to_be_visible()
    expect(page.locator("#case-bad_signature-failed")).to_have_attribute("open", "")
    expect(page.get_by_text("Verify the signature first")).to_be_visible()
    assert Exam.objects.get().status == "failed"
    assert visitor.unfit() == []
    assert visitor.complaints == []
