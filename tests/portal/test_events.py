"""The pages of events and of their types, and sending one to an endpoint."""

import re

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.webhooks.models import Delivery, Event
from tests.factories.gateway import api_of_new_partner
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.portal.reading import text_of
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/portal/test/webhooks/events/"


def finished(endpoint, event, status="DELIVERED") -> Delivery:
    return DeliveryFactory(
        endpoint=endpoint, event=event, status=status, next_attempt_at=None, completed_at=clock.now()
    )


def test_the_list_says_of_each_event_what_became_of_it(portal, account):
    nowhere = EventFactory(account=account, type="payment.refunded")
    half = EventFactory(account=account)
    finished(EndpointFactory(account=account), half)
    finished(EndpointFactory(account=account), half, "EXHAUSTED")
    retried = EventFactory(account=account)
    DeliveryFactory(endpoint=EndpointFactory(account=account), event=retried, status="RETRYING")
    finished(EndpointFactory(account=account), retried)
    DeliveryFactory(endpoint=EndpointFactory(account=account), event=(waits := EventFactory(account=account)))
    good = EventFactory(account=account)
    finished(EndpointFactory(account=account), good)
    page = portal.get(LIST)
    shown = [event.pk for event in page.context["page"].rows]
    assert sorted(shown) == sorted([good.pk, half.pk, nowhere.pk, retried.pk, waits.pk])
    rows = re.findall(r"<tr>(.*?)</tr>", page.content.decode(), re.DOTALL)[1:]
    said = [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in rows]
    became = dict(zip(shown, (each.split("–")[1].strip() for each in said), strict=True))
    assert became == {
        good.pk: "Delivered",
        half.pk: "Failed 1 of 2",
        retried.pk: "Retrying 1 of 2",
        waits.pk: "Pending",
        nowhere.pk: "No endpoint",
    }
    assert len(portal.get(LIST, type="payment.refunded").context["page"].rows) == 1
    assert "No event matches" in text_of(portal.get(LIST, text="evt_none"))
    assert "No events yet" in text_of(portal.get("/portal/live/webhooks/events/"))


def test_an_event_shows_its_booking_its_payload_and_its_deliveries_by_endpoint(portal, account):
    api = api_of_new_partner(account=account, cents=5_000_000)
    EndpointFactory(account=account, events=["booking.confirmed"], description="Back office")
    EndpointFactory(account=account, events=["booking.confirmed"], url="https://two.example/in?token=x")
    order = FlightShop(api).ordered()
    event = Event.objects.get()
    page = portal.get(f"{LIST}{event.pk}/")
    html, text = page.content.decode(), text_of(page)
    assert f'href="/portal/test/bookings/{order["id"]}/"' in html
    assert "Pending Back office 0 attempts" in text
    assert "Pending https://two.example/in 0 attempts" in text
    assert "The supplier confirmed a hotel, flight or transfer booking." in text
    copied = [event.pk, order["id"], order["reference"], Booking.objects.get().request_id]
    assert [each for each in copied if f'data-copy-text="{each}"' not in html] == []
    assert event.payload.split('"')[3] in html
    booking_page = portal.get(f"/portal/test/bookings/{order['id']}/").content.decode()
    assert f'href="{LIST}{event.pk}/"' in booking_page


def test_an_event_is_sent_to_an_endpoint_that_never_got_it(portal, account):
    event, endpoint = EventFactory(account=account), EndpointFactory(account=account, events=[])
    page = f"{LIST}{event.pk}/"
    answer = portal.post(page, {"endpoint": endpoint.pk}, follow=True)
    delivery = Delivery.objects.get()
    assert (delivery.event, delivery.endpoint, delivery.status) == (event, endpoint, "PENDING")
    assert "It is sent now." in text_of(answer)
    again = portal.post(page, {"endpoint": endpoint.pk})
    assert (again.status_code, Delivery.objects.count()) == (400, 1)
    assert "This delivery is not finished" in text_of(again)


def test_it_is_sent_to_no_other_endpoint_than_an_enabled_own_one(portal, account):
    event = EventFactory(account=account)
    EndpointFactory(account=account)
    others = [
        EndpointFactory(),
        EndpointFactory(account=account, environment="live"),
        EndpointFactory(account=account, status="disabled", disabled_at=clock.now()),
    ]
    answers = [portal.post(f"{LIST}{event.pk}/", {"endpoint": each.pk}) for each in others]
    answers += [
        portal.post(f"{LIST}{event.pk}/", {"endpoint": "we_unknown"}),
        portal.post(f"{LIST}{event.pk}/"),
    ]
    said = ["There is no such endpoint."] * 4 + ["Choose an endpoint."]
    assert [sentence in text_of(answer) for sentence, answer in zip(said, answers, strict=True)] == [True] * 5
    assert Delivery.objects.count() == 0


TYPES = "/portal/test/webhooks/event-types/"
CONFIRMED = f"{TYPES}booking.confirmed/"


def test_a_sample_is_sent_to_an_own_endpoint_and_is_in_the_trail(portal, account):
    endpoint = EndpointFactory(account=account, events=["booking.confirmed"], description="Back office")
    assert "Back office" in text_of(portal.get(CONFIRMED))
    answer = portal.post(CONFIRMED, {"endpoint": endpoint.pk, "sample": "flight"}, follow=True)
    delivery = Delivery.objects.get()
    assert answer.redirect_chain == [(f"/portal/test/webhooks/deliveries/{delivery.pk}/", 302)]
    assert '"bookingType":"flight"' in delivery.event.payload
    assert "being sent as a test" in text_of(answer)
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
