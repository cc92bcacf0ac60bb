"""The pages of deliveries: the list with its filters, the seven dots, the advice, sending again."""

import re
from datetime import timedelta
from html import unescape

import pytest

from apps.common import clock
from apps.portal.webhooks.delivery_timeline import delivery_timeline
from apps.webhooks.models import Attempt, Delivery, Endpoint
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.portal.reading import text_of

pytestmark = pytest.mark.django_db
LIST = "/portal/test/webhooks/deliveries/"
FAILED = {"status_code": 500, "error_code": "status", "error": "answered 500"}
LOST = {"error_code": "lost", "error": "the sending process stopped", "counted": False}
GOOD = {"status_code": 204}


def listed(answer) -> list[str]:
    return [delivery.pk for delivery in answer.context["page"].rows]


def finished(endpoint: Endpoint, status: str, **more: object) -> Delivery:
    return DeliveryFactory(
        endpoint=endpoint, status=status, next_attempt_at=None, completed_at=clock.now(), **more
    )


def attempted(delivery: Delivery, *answers: dict[str, object]) -> Delivery:
    for number, answer in enumerate(answers, start=1):
        at = clock.now() + timedelta(seconds=number)
        Attempt.objects.create(delivery=delivery, number=number, attempted_at=at, duration_ms=7, **answer)
    return delivery


def tones_of(delivery: Delivery) -> str:
    """One letter for each dot of the schedule: g(ood), b(ad), n(ext), and `.` for an attempt not made."""
    timeline = delivery_timeline(delivery, list(delivery.attempts.order_by("number")), clock.now())
    letters = {"good": "g", "bad": "b", "busy": "n", "": "."}
    return "".join(letters[dot.tone] for dot in timeline.schedule)


def test_filters_narrow_the_list_and_what_cannot_be_read_does_not(portal, endpoint):
    old = finished(endpoint, "DELIVERED", created_at=clock.now() - timedelta(days=3))
    refund = finished(endpoint, "FAILED", event__type="payment.refunded")
    other = DeliveryFactory(endpoint=EndpointFactory(account=endpoint.account))
    today = f"{clock.today()}"
    everything = [other.pk, refund.pk, old.pk]
    expected = {
        "": everything,
        "status=FAILED": [refund.pk],
        "event_type=payment.refunded": [refund.pk],
        "status=EXHAUSTED": [refund.pk],
        f"endpoint={other.endpoint_id}": [other.pk],
        f"since={today}": [other.pk, refund.pk],
        f"until={clock.today() - timedelta(days=2)}": [old.pk],
        f"status=DELIVERED&since={today}": [],
        "status=teapot&since=9999-12-31x&endpoint=we_unknown&cursor=forged": everything,
        "until=9999-12-31": everything,
    }
    assert {query: listed(portal.get(f"{LIST}?{query}")) for query in expected} == expected
    assert listed(portal.get("/portal/live/webhooks/deliveries/")) == []


@pytest.mark.parametrize(
    ("status", "answers", "tones"),
    [
        ("PENDING", [], "n......"),
        ("RETRYING", [FAILED, FAILED], "bbn...."),
        ("RETRYING", [FAILED, LOST], "bn....."),
        ("DELIVERED", [FAILED, GOOD], "bg....."),
        ("EXHAUSTED", [FAILED] * 7, "bbbbbbb"),
        ("DELIVERED", [FAILED] * 7 + [GOOD | {"counted": False, "manual": True}], "bbbbbbb"),
    ],
)
def test_seven_dots_tell_the_schedule(endpoint, status, answers, tones):
    unfinished = status in {"PENDING", "RETRYING"}
    due = clock.now() + timedelta(minutes=5) if unfinished else None
    delivery = DeliveryFactory(endpoint=endpoint, status=status, next_attempt_at=due)
    assert tones_of(attempted(delivery, *answers)) == tones


GONE = {"status_code": 410, "error_code": "gone", "error": "returned 410; the delivery is not retried"}
RESENT = {"counted": False, "manual": True}


@pytest.mark.parametrize(
    ("status", "answers", "headline", "pill"),
    [
        ("PENDING", [], "Not tried yet; next in", "Pending"),
        ("RETRYING", [FAILED, LOST, FAILED], "Failed 2 of 7 attempts; next in", "Retrying"),
        ("DELIVERED", [FAILED, GOOD], "Delivered on attempt 2 of 7", "Delivered"),
        ("DELIVERED", [FAILED] * 7 + [GOOD | RESENT], "Delivered by a resend", "Delivered"),
        ("FAILED", [GONE], "Failed: the endpoint returned 410; not sent again", "Failed"),
        ("FAILED", [FAILED | RESENT], "Failed: not accepted; not sent again", "Failed"),
        ("EXHAUSTED", [FAILED] * 7, "Failed all 7 attempts", "Failed"),
    ],
)
def test_the_headline_says_what_became_of_it_and_the_list_uses_the_same_word(
    portal, endpoint, status, answers, headline, pill
):
    unfinished = status in {"PENDING", "RETRYING"}
    due = clock.now() + timedelta(minutes=5) if unfinished else None
    delivery = attempted(DeliveryFactory(endpoint=endpoint, status=status, next_attempt_at=due), *answers)
    assert headline in text_of(portal.get(f"{LIST}{delivery.pk}/"))
    page = portal.get(LIST, status=status)
    assert (listed(page), f">{pill}</span>" in page.content.decode()) == ([delivery.pk], True)
    assert [tab.label for tab in page.context["tabs"] if tab.is_current] == [pill]


def test_attempts_have_their_cause_and_the_payload_its_bytes(portal, endpoint):
    silent = {"error_code": "timeout", "error": "no response within 10 s"}
    delivery = attempted(finished(endpoint, "EXHAUSTED"), FAILED, silent, GOOD)
    page = f"{LIST}{delivery.pk}/"
    timeline = portal.get(page).context["timeline"]
    assert [each.cause for each in timeline.entries[::-1]] == [
        "Internal Server Error",
        "no response within 10 s",
        "Accepted",
    ]
    shown = portal.get(page, payload="raw").content.decode()
    raw = re.search(r'<pre id="payload"[^>]*>(.*?)</pre>', shown, re.DOTALL)
    assert unescape(raw[1]) == delivery.event.payload


def test_an_answer_is_shown_as_text_with_its_cause_and_what_to_do(portal, endpoint):
    answer = FAILED | {
        "status_code": 401,
        "error": "answered 401",
        "response_body": "<script>alert(1)</script>",
    }
    sent = {"request_headers": {"X-Service-Signature": "t=1,v1=<b>"}}
    delivery = attempted(finished(endpoint, "EXHAUSTED"), answer | sent)
    page = portal.get(f"{LIST}{delivery.pk}/")
    assert "<script>alert" not in page.content.decode()
    text = text_of(page)
    assert "<script>alert(1)</script>" in text
    assert "The receiver rejected the signature." in text
    assert "X-Service-Signature: t=1,v1=<b>" in text


def test_a_finished_delivery_is_sent_again(portal, endpoint):
    delivery = finished(endpoint, "EXHAUSTED")
    answer = portal.post(f"{LIST}{delivery.pk}/resend/", follow=True)
    delivery.refresh_from_db()
    assert (delivery.status, delivery.status_before_resend) == ("PENDING", "EXHAUSTED")
    assert "Sending again; sending now" in text_of(answer)


def test_one_that_is_not_finished_is_refused_with_the_reason(portal, endpoint):
    delivery = DeliveryFactory(endpoint=endpoint)
    answer = portal.post(f"{LIST}{delivery.pk}/resend/", follow=True)
    assert "it is retried automatically" in text_of(answer)
    assert portal.get(f"{LIST}{delivery.pk}/resend/")["Location"] == f"{LIST}{delivery.pk}/"


def retrying(endpoint: Endpoint) -> Delivery:
    due = clock.now() + timedelta(hours=2)
    return DeliveryFactory(endpoint=endpoint, status="RETRYING", attempt_count=1, next_attempt_at=due)


def test_one_that_waits_is_sent_now(portal, endpoint):
    delivery = retrying(endpoint)
    page = f"{LIST}{delivery.pk}/"
    assert "Counts as the next of the 7 attempts." in text_of(portal.get(page))
    answer = portal.post(f"{page}send-now/", follow=True)
    delivery.refresh_from_db()
    assert delivery.next_attempt_at <= clock.now()
    assert "Failed 0 of 7 attempts; sending now" in text_of(answer)
    assert "Send now" not in text_of(answer), "A second click is not offered"
    assert portal.post(f"{page}send-now/").status_code == 302


def test_those_that_are_ticked_are_sent_and_the_list_stays_as_it_was(portal, endpoint):
    failed, waiting, left = finished(endpoint, "FAILED"), retrying(endpoint), finished(endpoint, "FAILED")
    page = portal.get(f"{LIST}?endpoint={endpoint.pk}").content.decode()
    assert page.count('name="delivery"') == 3
    action = unescape(re.search(r'action="([^"]+/send/[^"]*)"', page)[1])
    assert action == f"{LIST}send/?endpoint={endpoint.pk}"
    answer = portal.post(action, {"delivery": [failed.pk, waiting.pk, "whd_unknown"]}, follow=True)
    assert answer.redirect_chain == [(f"{LIST}?endpoint={endpoint.pk}", 302)]
    assert "2 sent now. 1 not found." in text_of(answer)
    due = Delivery.objects.filter(next_attempt_at__lte=clock.now()).values_list("pk", flat=True)
    assert set(due) == {failed.pk, waiting.pk}
    again = portal.post(action, {"delivery": [failed.pk, waiting.pk]}, follow=True)
    assert "2 on the way already." in text_of(again)
    left.refresh_from_db()
    assert left.status == "FAILED"


def test_nothing_ticked_and_too_much_ticked_is_said(portal, endpoint):
    assert "Tick the deliveries" in text_of(portal.post(f"{LIST}send/", follow=True))
    many = {"delivery": [f"whd_{number}" for number in range(101)]}
    assert "At most 100 deliveries" in text_of(portal.post(f"{LIST}send/", many, follow=True))
    assert portal.get(f"{LIST}send/")["Location"] == LIST


def test_deliveries_of_others_are_as_unknown_as_what_never_was(portal, portal_as, endpoint):
    foreign = finished(EndpointFactory(), "FAILED")
    elsewhere = finished(EndpointFactory(account=endpoint.account, environment="live"), "FAILED")
    answers = [
        text_of(portal.post(f"{LIST}send/", {"delivery": [each]}, follow=True))
        for each in (foreign.pk, elsewhere.pk, "whd_unknown", "whd_\x00")
    ]
    assert ["1 not found." in answer for answer in answers] == [True] * 4
    assert Delivery.objects.filter(status="FAILED").count() == 2
    viewer = portal_as("viewer")
    own = finished(endpoint, "FAILED")
    assert viewer.post(f"{LIST}send/", {"delivery": [own.pk]}).status_code == 403
    assert 'name="delivery"' not in viewer.get(LIST).content.decode()
