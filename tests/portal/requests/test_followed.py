"""The page of a call: the answer first, the checks in one line, and what followed from it."""

import re

import pytest

from apps.bookings.models import Booking
from apps.ledger.models import LedgerTransaction
from apps.portal.requests.detail import request_timeline
from apps.request_log.models import LoggedCall
from apps.webhooks.models import Delivery, Event
from tests.factories.gateway import api_of_new_partner
from tests.factories.webhooks import EndpointFactory
from tests.portal.requests.reading import text_of
from tests.portal.sample_data.requests import write_down
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/portal/test/requests/"


def page_of(portal, answer):
    return portal.get(f"{LIST}{answer.headers['X-Request-Id']}/")


def test_error_and_answer_come_before_the_checks_which_are_one_line(portal, api):
    refused = api.post("/v1/hotels/searches", {"rooms": [{"adults": 0}]})
    write_down()
    html = page_of(portal, refused).content.decode()
    places = [
        html.index(text) for text in ("invalid_request.", 'id="answer-title"', "checks in", 'id="sent-title"')
    ]
    assert places == sorted(places)
    line = re.search(r"<details[^>]*><summary><h2>(.+?)</h2></summary>\s*<ol", html)
    assert line is not None
    assert re.fullmatch(r"12 checks in \d+\.\d ms, stopped by Fields", line[1])
    assert "<details open" not in line[0], "Folded, and it unfolds without a script"


def test_the_checks_of_a_call_that_passed_say_so(portal, api):
    answer = api.get("/v1/account")
    write_down()
    assert re.search(r"\d+ checks in \d+\.\d ms, all passed", text_of(page_of(portal, answer)))


def test_a_call_that_came_to_no_check_says_so():
    call = LoggedCall(method="GET", path="/v1/account", status=413, duration_ms=1)
    assert request_timeline(call).in_one_line == "It came to no check"


def test_what_followed_from_a_booking_is_shown_by_the_endpoints_name(portal, account, api):
    EndpointFactory(account=account, events=["booking.confirmed"], description="Bookings to the warehouse")
    EndpointFactory(
        account=account, events=["booking.confirmed"], url="https://two.example/hooks?token=secret"
    )
    order = FlightShop(api).ordered()
    api.get("/v1/account")
    write_down()
    booking = Booking.objects.get(pk=order["id"])
    page = portal.get(f"{LIST}{booking.request_id}/")
    html, text = page.content.decode(), text_of(page)
    lines = LedgerTransaction.objects.filter(booking_reference=order["reference"]).order_by("created_at")
    assert [line.type for line in lines] == ["hold", "capture"]
    assert [line.pk for line in page.context["followed"].ledger] == [line.pk for line in lines]
    assert [html.count(f'data-copy-text="{line.pk}"') for line in lines] == [1, 1]
    event = Event.objects.get(type="booking.confirmed")
    assert f'data-copy-text="{event.pk}"' in html
    deliveries = list(Delivery.objects.filter(event=event))
    assert len(deliveries) == 2
    assert all(f"/portal/test/webhooks/deliveries/{each.pk}/" in html for each in deliveries)
    assert "Bookings to the warehouse" in text
    assert "https://two.example/hooks 0 tries" in text, "Without the query, in which receivers put tokens"
    assert all(
        f'data-copy-text="{each}"' in html for each in (booking.request_id, booking.pk, booking.reference)
    )


def test_what_followed_from_another_call_of_the_booking_is_not_shown(portal, api):
    shop = FlightShop(api)
    order = shop.ordered()
    read = api.get(f"/v1/flights/orders/{order['id']}")
    cancelled = shop.cancel(order["id"])
    write_down()
    assert page_of(portal, read).context["followed"].is_something is False
    assert f"/portal/test/bookings/{order['id']}/" in page_of(portal, read).content.decode()
    followed = page_of(portal, cancelled).context["followed"]
    assert [sent.event.type for sent in followed.events] == ["booking.cancelled", "payment.refunded"]
    assert [line.type for line in followed.ledger] == ["refund"]


def test_a_call_that_asked_for_a_delivery_leads_to_it(portal, account):
    api = api_of_new_partner(account=account, scopes=["webhooks:manage"])
    endpoint = EndpointFactory(account=account, description="Test receiver")
    sent = api.post(f"/v1/webhooks/endpoints/{endpoint.pk}/test", {})
    write_down()
    page = page_of(portal, sent)
    assert sent.status == 202
    assert page.context["followed"].delivery == Delivery.objects.get()
    assert "webhook.test Pending Test receiver" in text_of(page)


def test_a_call_of_another_account_or_environment_reads_like_an_unknown_one(portal, api):
    foreign = FlightShop(api_of_new_partner(cents=5_000_000)).ordered()
    mine = api.get("/v1/account")
    write_down()
    request_id = Booking.objects.get(pk=foreign["id"]).request_id
    paths = [f"{LIST}{request_id}/", f"{LIST}{'0' * 8}-0000-4000-8000-{'0' * 12}/"]
    paths.append(f"/portal/live/requests/{mine.headers['X-Request-Id']}/")
    answers = [portal.get(path) for path in paths]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert {text_of(answer).split("This request is not in the log")[1] for answer in answers[:2]} == {
        text_of(answers[0]).split("This request is not in the log")[1]
    }
