"""Secrets that a partner rotates, and tests that it sends itself."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.common import clock
from apps.common.clock import rfc3339
from apps.common.ids import new_id
from apps.gateway.models import IdempotencyRecord
from apps.webhooks.models import Delivery, Endpoint, Event
from tests.support.api import Api
from tests.support.receiver import Receiver
from tests.support.receiver import Reply as Answer
from tests.webhooks.conftest import Deliver
from tests.webhooks.endpoint_calls import ENDPOINTS, created, fields_named


class TestRotateSecret:
    def test_both_secrets_are_valid_for_a_day(self, api: Api) -> None:
        before = created(api)
        reply = api.post(f"{ENDPOINTS}/{before['id']}/rotate-secret", {})
        stored = Endpoint.objects.get()
        assert (reply.status, reply.body["secret"]) == (200, stored.secret)
        assert reply.body["secret"] != before["secret"]
        assert stored.previous_secret_expires_at is not None
        assert reply.body["previousSecretExpiresAt"] == rfc3339(stored.previous_secret_expires_at)
        left = stored.previous_secret_expires_at - clock.now()
        assert timedelta(hours=23, minutes=59) < left <= timedelta(hours=24)

    def test_second_rotation_within_the_day_is_refused_and_says_when_it_is_safe(
        self, api: Api, move_clock: Callable[..., None]
    ) -> None:
        id = created(api)["id"]
        rotated = api.post(f"{ENDPOINTS}/{id}/rotate-secret").body
        refused = api.post(f"{ENDPOINTS}/{id}/rotate-secret", {"immediate": False})
        assert (refused.status, refused.error_type) == (400, "invalid_request")
        assert refused.error["safeAfter"] == rotated["previousSecretExpiresAt"]
        move_clock(hours=24, seconds=1)
        assert api.post(f"{ENDPOINTS}/{id}/rotate-secret").status == 200

    def test_immediate_rotation_is_allowed_at_any_time_and_ends_the_window(self, api: Api) -> None:
        id = created(api)["id"]
        api.post(f"{ENDPOINTS}/{id}/rotate-secret")
        reply = api.post(f"{ENDPOINTS}/{id}/rotate-secret", {"immediate": True})
        assert (reply.status, reply.body["previousSecretExpiresAt"]) == (200, None)
        assert Endpoint.objects.get().previous_secret_encrypted == ""

    def test_replay_shows_the_same_secret_and_rotates_nothing(self, api: Api) -> None:
        id = created(api)["id"]
        key = new_id("idem")
        first = api.post(f"{ENDPOINTS}/{id}/rotate-secret", {}, key)
        again = api.post(f"{ENDPOINTS}/{id}/rotate-secret", {}, key)
        assert (again.status, again.body, again.headers["Idempotent-Replayed"]) == (200, first.body, "true")
        secret = first.body["secret"]
        assert secret == Endpoint.objects.get().secret
        assert not [row for row in IdempotencyRecord.objects.values() if secret in str(row)]

    @pytest.mark.parametrize(("body", "field"), [({"immediate": "yes"}, "immediate"), ({"now": True}, "now")])
    def test_bad_body_rotates_nothing(self, api: Api, body: dict[str, object], field: str) -> None:
        before = created(api)
        assert fields_named(api.post(f"{ENDPOINTS}/{before['id']}/rotate-secret", body)) == [field]
        assert Endpoint.objects.get().secret == before["secret"]


class TestTestDelivery:
    def test_test_is_delivered_though_nobody_subscribes_to_it(
        self, api: Api, receiver: Receiver, deliver: Deliver
    ) -> None:
        id = created(api, url=receiver.url)["id"]
        reply = api.post(f"{ENDPOINTS}/{id}/test", {})
        assert (reply.status, reply.body["endpointId"], reply.body["eventType"], reply.body["status"]) == (
            202,
            id,
            "webhook.test",
            "PENDING",
        )
        assert Event.objects.get().request_id == reply.headers["X-Request-Id"]
        assert deliver() == 1
        assert receiver.requests[0].json["id"] == reply.body["eventId"]
        assert api.get(f"/v1/webhooks/deliveries/{reply.body['id']}").body["status"] == "DELIVERED"

    def test_failed_test_counts_as_any_other(self, api: Api, receiver: Receiver, deliver: Deliver) -> None:
        receiver.answer = Answer(status=410)
        id = created(api, url=receiver.url)["id"]
        api.post(f"{ENDPOINTS}/{id}/test")
        deliver()
        assert api.get(f"{ENDPOINTS}/{id}").body["consecutiveFailures"] == 1

    def test_replay_sends_no_second_one(self, api: Api) -> None:
        id, key = created(api)["id"], new_id("idem")
        replies = [api.post(f"{ENDPOINTS}/{id}/test", {}, key) for _ in range(2)]
        assert replies[0].body == replies[1].body
        assert (Delivery.objects.count(), Event.objects.count()) == (1, 1)

    def test_disabled_endpoint_is_a_conflict(self, api: Api) -> None:
        id = created(api)["id"]
        api.patch(f"{ENDPOINTS}/{id}", {"status": "disabled"})
        reply = api.post(f"{ENDPOINTS}/{id}/test")
        assert (reply.status, reply.error_type, Event.objects.count()) == (409, "conflict", 0)
