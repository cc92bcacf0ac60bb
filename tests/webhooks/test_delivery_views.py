"""Deliveries as a partner reads and resends them."""

from datetime import timedelta

import pytest

from apps.common import clock
from apps.common.clock import rfc3339
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, Endpoint
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.api import Api, Reply
from tests.support.receiver import Receiver
from tests.support.receiver import Reply as Answer
from tests.webhooks.conftest import Deliver, Partners

DELIVERIES = "/v1/webhooks/deliveries"


@pytest.fixture
def owned(partners: Partners, receiver: Receiver) -> Endpoint:
    """The partner's own endpoint, in test."""
    return EndpointFactory(account_id=partners.account_id, account=None, url=receiver.url)


def finished(endpoint: Endpoint, status: str = "DELIVERED", **more: object) -> Delivery:
    now = clock.now()
    return DeliveryFactory(endpoint=endpoint, status=status, next_attempt_at=None, completed_at=now, **more)


def ids(reply: Reply) -> list[str]:
    assert reply.status == 200, reply.body
    return [delivery["id"] for delivery in reply.body["data"]]


class TestList:
    def test_delivery_shows_where_it_stands(self, api: Api, owned: Endpoint) -> None:
        delivery = DeliveryFactory(endpoint=owned)
        assert api.get(DELIVERIES).body == {
            "data": [
                {
                    "id": delivery.pk,
                    "endpointId": owned.pk,
                    "eventId": delivery.event_id,
                    "eventType": "booking.confirmed",
                    "status": "PENDING",
                    "attemptCount": 0,
                    "nextAttemptAt": rfc3339(delivery.next_attempt_at),
                    "createdAt": rfc3339(delivery.created_at),
                    "completedAt": None,
                }
            ],
            "hasMore": False,
            "nextCursor": None,
        }

    @pytest.mark.parametrize("spelling", [str.upper, str.lower, str.title])
    @pytest.mark.parametrize("status", DeliveryStatus.values)
    def test_status_filters_in_any_case(
        self, api: Api, owned: Endpoint, status: str, spelling: object
    ) -> None:
        rows = {s: finished(owned, s).pk for s in ("DELIVERED", "FAILED", "EXHAUSTED")}
        rows["PENDING"] = DeliveryFactory(endpoint=owned).pk
        rows["RETRYING"] = DeliveryFactory(endpoint=owned, status="RETRYING").pk
        assert ids(api.get(f"{DELIVERIES}?status={spelling(status)}")) == [rows[status]]  # type: ignore[operator]

    def test_type_and_endpoint_filter_together(self, api: Api, owned: Endpoint, partners: Partners) -> None:
        other = EndpointFactory(account_id=partners.account_id, account=None)
        wanted = finished(owned, event__type="payment.refunded").pk
        finished(owned)
        elsewhere = finished(other, event__type="payment.refunded").pk
        assert ids(api.get(f"{DELIVERIES}?eventType=payment.refunded")) == [elsewhere, wanted]
        assert ids(api.get(f"{DELIVERIES}?eventType=payment.refunded&endpointId={owned.pk}")) == [wanted]
        assert ids(api.get(f"{DELIVERIES}?endpointId={other.pk}&status=failed")) == []
        assert ids(api.get(f"{DELIVERIES}?endpointId=we_unknown")) == []

    @pytest.mark.parametrize(
        "query",
        ["status=SENT", "eventType=booking.eaten", "eventType=Booking.Confirmed", "endpointId=", "limit=0"],
    )
    def test_unknown_filters_are_refused(self, api: Api, query: str) -> None:
        reply = api.get(f"{DELIVERIES}?{query}")
        assert (reply.status, reply.error["details"][0]["field"]) == (400, query.partition("=")[0])

    def test_those_of_deleted_endpoints_stay_listed(self, api: Api, owned: Endpoint) -> None:
        delivery = finished(owned)
        delete_endpoint(endpoint=owned)
        assert ids(api.get(f"{DELIVERIES}?endpointId={owned.pk}")) == [delivery.pk]


class TestRead:
    def test_detail_shows_payload_and_every_attempt(
        self, api: Api, owned: Endpoint, receiver: Receiver, deliver: Deliver
    ) -> None:
        receiver.answer = Answer(status=503, body=b"busy \xff\x00")
        delivery = DeliveryFactory(endpoint=owned)
        deliver()
        body = api.get(f"{DELIVERIES}/{delivery.pk}").body
        attempt = Attempt.objects.get()
        assert (body["status"], body["attemptCount"]) == ("RETRYING", 1)
        assert body["payload"] == receiver.requests[0].json
        assert body["attempts"] == [
            {
                "number": 1,
                "attemptedAt": rfc3339(attempt.attempted_at),
                "durationMs": attempt.duration_ms,
                "timings": {
                    "lookupMs": None,
                    "connectMs": attempt.connect_ms,
                    "tlsMs": None,
                    "firstByteMs": attempt.first_byte_ms,
                },
                "requestHeaders": attempt.request_headers,
                "statusCode": 503,
                "responseBody": "busy \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}",
                "error": "answered 503",
                "counted": True,
            }
        ]
        sent = receiver.requests[0].headers
        assert {n: v for n, v in sent.items() if n != "Host"} == body["attempts"][0]["requestHeaders"]
        assert body["nextAttemptAt"] == rfc3339(attempt.attempted_at + timedelta(minutes=1))

    def test_nobody_reads_anothers_nor_the_other_environments(
        self, partners: Partners, owned: Endpoint
    ) -> None:
        delivery = finished(owned)
        for other in (partners.live, partners.stranger):
            assert ids(other.get(DELIVERIES)) == []
            assert ids(other.get(f"{DELIVERIES}?endpointId={owned.pk}")) == []
            for reply in (
                other.get(f"{DELIVERIES}/{delivery.pk}"),
                other.post(f"{DELIVERIES}/{delivery.pk}/resend", {}),
            ):
                assert (reply.status, reply.error_type) == (404, "not_found")
        delivery.refresh_from_db()
        assert delivery.status == "DELIVERED"


class TestResend:
    def test_resend_is_one_more_attempt_with_the_same_payload(
        self, api: Api, owned: Endpoint, receiver: Receiver, deliver: Deliver
    ) -> None:
        delivery = DeliveryFactory(endpoint=owned)
        deliver()
        reply = api.post(f"{DELIVERIES}/{delivery.pk}/resend", {})
        assert (reply.status, reply.body["id"], reply.body["status"]) == (202, delivery.pk, "PENDING")
        assert deliver() == 1
        first, second = receiver.requests
        assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
        body = api.get(f"{DELIVERIES}/{delivery.pk}").body
        assert (body["status"], body["attemptCount"]) == ("DELIVERED", 2)
        assert [attempt["counted"] for attempt in body["attempts"]] == [True, False]

    @pytest.mark.parametrize("status", ["FAILED", "EXHAUSTED", "DELIVERED"])
    def test_failed_resend_goes_back_to_where_it_was_and_never_counts(
        self, api: Api, owned: Endpoint, receiver: Receiver, deliver: Deliver, status: str
    ) -> None:
        receiver.answer = Answer(status=500)
        delivery = finished(owned, status)
        api.post(f"{DELIVERIES}/{delivery.pk}/resend")
        assert deliver() == 1
        assert api.get(f"{DELIVERIES}/{delivery.pk}").body["status"] == status
        assert api.get(f"/v1/webhooks/endpoints/{owned.pk}").body["consecutiveFailures"] == 0

    def test_unfinished_delivery_and_one_of_a_disabled_or_deleted_endpoint_are_conflicts(
        self, api: Api, owned: Endpoint
    ) -> None:
        unfinished, ended = DeliveryFactory(endpoint=owned), finished(owned, "FAILED")

        def answer(delivery: Delivery) -> tuple[int, str | None]:
            reply = api.post(f"{DELIVERIES}/{delivery.pk}/resend", {})
            return reply.status, reply.error_type

        assert answer(unfinished) == (409, "conflict")
        disable_endpoint(endpoint=owned)
        assert answer(ended) == (409, "conflict")
        delete_endpoint(endpoint=owned)
        assert answer(ended) == (409, "conflict")
        ended.refresh_from_db()
        assert ended.status == "FAILED"
