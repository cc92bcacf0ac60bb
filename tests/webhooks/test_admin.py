"""The fleet of webhook endpoints in the back office."""

import pytest

from apps.common import clock
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, Endpoint, EndpointStatus
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.back_office import Desk, faults_of, told

pytestmark = pytest.mark.django_db
FLEET = "/admin/webhooks/endpoint/"
DELIVERIES = "/admin/webhooks/delivery/"


def finished(**fields: object) -> Delivery:
    return DeliveryFactory(status=DeliveryStatus.EXHAUSTED, next_attempt_at=None, **fields)


def attempt_of(delivery: Delivery) -> Attempt:
    return Attempt.objects.create(
        delivery=delivery, number=1, attempted_at=clock.now(), duration_ms=20, status_code=500
    )


def test_endpoints_are_disabled_and_enabled_through_the_services() -> None:
    endpoint = EndpointFactory(consecutive_failures=7)
    desk = Desk()
    assert told(desk.act(FLEET, "disable", endpoint)) == ["Disabled: 1."]
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.disabled_at is not None) == (EndpointStatus.DISABLED, True)
    desk.act(FLEET, "enable", endpoint)
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.consecutive_failures) == (EndpointStatus.ENABLED, 0)
    history = desk.get(f"{FLEET}{endpoint.pk}/history/").content.decode()
    assert "Disabled" in history


def test_a_delivery_is_sent_once_more_and_what_cannot_be_says_why() -> None:
    endpoint = EndpointFactory()
    exhausted, waiting = finished(endpoint=endpoint), DeliveryFactory(endpoint=endpoint)
    answer = Desk().act(DELIVERIES, "send_again", exhausted, waiting)
    assert told(answer) == [
        f"{waiting.pk}: This delivery is not finished; it is retried automatically.",
        "To be sent once more: 1.",
    ]
    exhausted.refresh_from_db()
    assert (exhausted.status, exhausted.status_before_resend) == ("PENDING", "EXHAUSTED")


def test_who_may_only_look_changes_nothing() -> None:
    delivery = finished()
    desk = Desk("webhooks.view_endpoint", "webhooks.view_delivery")
    desk.act(FLEET, "disable", delivery.endpoint)
    desk.act(DELIVERIES, "send_again", delivery)
    assert Endpoint.objects.get().status == EndpointStatus.ENABLED
    assert Delivery.objects.get().status == "EXHAUSTED"
    assert desk.get("/admin/webhooks/event/").status_code == 403


def test_the_worst_endpoint_comes_first_with_what_waits_for_it() -> None:
    calm, troubled = EndpointFactory(), EndpointFactory(consecutive_failures=9)
    due = DeliveryFactory(endpoint=troubled).next_attempt_at
    rows = Desk().get(FLEET).context["cl"].result_list
    assert [(row.pk, row.oldest_due) for row in rows] == [(troubled.pk, due), (calm.pk, None)]


def test_history_is_read_and_not_edited_and_the_pages_are_lean() -> None:
    deliveries = [finished() for _ in range(9)]
    attempt, delivery = attempt_of(deliveries[0]), deliveries[0]
    rows = {"endpoint": delivery.endpoint_id, "event": delivery.event_id, "delivery": delivery.pk}
    desk, pages = Desk(), ["/admin/webhooks/recovery/"]
    for model, pk in {**rows, "attempt": attempt.pk}.items():
        page = f"/admin/webhooks/{model}/{pk}/"
        pages += [f"/admin/webhooks/{model}/", f"/admin/webhooks/{model}/?q={pk}", f"{page}change/"]
        answers = [desk.post(f"{page}change/", {"status": "x"}), desk.post(f"{page}delete/", {"post": "yes"})]
        answers.append(desk.get(f"/admin/webhooks/{model}/add/"))
        assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert [fault for page in pages for fault in faults_of(desk, page)] == []


def test_secrets_are_not_shown() -> None:
    endpoint = EndpointFactory()
    page = Desk().get(f"{FLEET}{endpoint.pk}/change/").content.decode()
    assert endpoint.url in page
    assert endpoint.secret_encrypted not in page
    assert endpoint.secret not in page
