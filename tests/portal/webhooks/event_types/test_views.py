import re
from html import unescape

import pytest

from apps.common import clock
from apps.webhooks.events import CATALOGUE, TEST
from apps.webhooks.models import Delivery
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

pytestmark = pytest.mark.django_db
LIST = "/portal/test/webhooks/event-types/"
CONFIRMED = f"{LIST}booking.confirmed/"


def text_of(answer) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


def test_every_type_has_its_meaning_and_how_many_are_subscribed(portal, account):
    EndpointFactory.create_batch(2, account=account, events=["booking.confirmed", "payment.refunded"])
    EndpointFactory(events=["booking.cancelled"])
    page = portal.get(LIST)
    text = text_of(page)
    notes = {event.name: " ".join(event.note.replace("`", " ").split()) for event in CATALOGUE}
    assert [name for name, note in notes.items() if name not in text or note not in text] == []
    assert "<code>pending</code>" in page.content.decode()
    counted = {event.name: count for event, count in page.context["sent"]}
    assert counted["booking.confirmed"] == counted["payment.refunded"] == 2
    assert counted["booking.cancelled"] == 0


def test_each_type_that_is_sent_has_a_page_with_its_samples(portal):
    sent = [*(event.name for event in CATALOGUE if event.emitted), TEST]
    for name in sent:
        page = portal.get(f"{LIST}{name}/")
        assert page.status_code == 200, name
        assert [f"&quot;{name}&quot;" in sample.json for sample in page.context["samples"]].count(True) >= 1
    unsent = [event.name for event in CATALOGUE if not event.emitted]
    assert {portal.get(f"{LIST}{name}/").status_code for name in [*unsent, "unheard"]} == {404}


def test_an_endpoint_that_is_failing_is_shown_as_failing(portal, account):
    names = ["booking.confirmed"]
    EndpointFactory(account=account, events=names, description="Works")
    fails = EndpointFactory(account=account, events=names, description="Refuses all")
    DeliveryFactory(endpoint=fails).attempts.create(
        endpoint=fails,
        number=1,
        attempted_at=clock.now(),
        duration_ms=10,
        status_code=500,
        error_code="status",
    )
    text = text_of(portal.get(CONFIRMED))
    assert "Failing Refuses all" in text
    assert "Enabled Works" in text


def test_a_sample_is_sent_to_an_own_endpoint_and_is_in_the_trail(portal, account):
    endpoint = EndpointFactory(account=account, events=["booking.confirmed"], description="Back office")
    assert "Back office" in text_of(portal.get(CONFIRMED))
    answer = portal.post(CONFIRMED, {"endpoint": endpoint.pk, "sample": "flight"}, follow=True)
    delivery = Delivery.objects.get()
    assert answer.redirect_chain == [(f"/portal/test/webhooks/deliveries/{delivery.pk}/", 302)]
    assert '"bookingType":"flight"' in delivery.event.payload
    assert "sent now, as a test" in text_of(answer)
    trail = text_of(portal.get("/portal/audit/"))
    assert f"{portal.user.email} sent a sample to the endpoint" in trail
    assert ": booking.confirmed" in trail


def test_it_goes_to_no_foreign_or_disabled_endpoint_and_in_live_to_none(portal, account):
    own = EndpointFactory(account=account)
    refused = [
        EndpointFactory(),
        EndpointFactory(account=account, environment="live"),
        EndpointFactory(account=account, status="disabled", disabled_at=clock.now()),
    ]
    answers = [portal.post(CONFIRMED, {"endpoint": each.pk}) for each in refused]
    answers.append(portal.post(CONFIRMED, {"endpoint": "we_unknown"}))
    assert [answer.status_code for answer in answers] == [400] * 4
    assert ["There is no such endpoint." in text_of(answer) for answer in answers] == [True] * 4
    assert portal.post(CONFIRMED, {"endpoint": own.pk, "sample": "unheard"}).status_code == 404
    live = portal.post(CONFIRMED.replace("/test/", "/live/"), {"endpoint": refused[1].pk})
    assert (live.status_code, "test environment alone" in text_of(live)) == (400, True)
    assert Delivery.objects.count() == 0


def test_who_may_not_send_is_not_offered_it(portal, portal_as, account):
    endpoint = EndpointFactory(account=account)
    viewer = portal_as("viewer")
    assert "Send this sample" in text_of(portal.get(CONFIRMED))
    assert "Send this sample" not in text_of(viewer.get(CONFIRMED))
    assert viewer.post(CONFIRMED, {"endpoint": endpoint.pk}).status_code == 403
    assert "Switch to test" in text_of(portal.get(CONFIRMED.replace("/test/", "/live/")))
    assert Delivery.objects.count() == 0
