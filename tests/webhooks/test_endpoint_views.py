"""Endpoints over the API."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from pytest_django import Settings

from apps.common import clock
from apps.common.clock import rfc3339
from apps.gateway.models import IdempotencyRecord
from apps.webhooks.models import Endpoint, Event
from apps.webhooks.services.endpoints import create_endpoint
from tests.factories.webhooks import DeliveryFactory
from tests.support.api import Api
from tests.support.receiver import Receiver
from tests.webhooks.conftest import Deliver, Partners
from tests.webhooks.endpoint_calls import BODY, ENDPOINTS, created, fields_named, without_secret


class TestCreate:
    def test_new_endpoint_is_enabled_and_shows_its_secret(self, api: Api) -> None:
        endpoint = created(api, description="Orders")
        stored = Endpoint.objects.get()
        assert endpoint == {
            "id": stored.id,
            "url": "https://hooks.partner.example/in",
            "events": ["booking.confirmed", "booking.cancelled"],
            "description": "Orders",
            "status": "enabled",
            "disabledReason": None,
            "disabledAt": None,
            "consecutiveFailures": 0,
            "environment": "test",
            "previousSecretExpiresAt": None,
            "createdAt": rfc3339(stored.created_at),
            "updatedAt": rfc3339(stored.updated_at),
            "secret": stored.secret,
        }
        assert str(endpoint["secret"]).startswith("whsec_")

    def test_secret_is_nowhere_in_plain_text(self, api: Api) -> None:
        secret = created(api)["secret"]
        rows = [*Endpoint.objects.values(), *IdempotencyRecord.objects.values()]
        assert len(rows) == 2
        assert not [row for row in rows if str(secret) in str(row)]

    def test_unknown_types_refuse_the_whole_list(self, api: Api) -> None:
        events = ["booking.confirmed", "checkout.created", "booking.eaten", "webhook.test"]
        reply = api.post(ENDPOINTS, {**BODY, "events": events})
        assert fields_named(reply) == ["events.1", "events.2", "events.3"]
        assert Endpoint.objects.count() == 0

    @pytest.mark.parametrize(
        "url",
        [
            "http://hooks.partner.example/in",
            "https://user:password@hooks.partner.example/",
            "https://169.254.169.254/latest/meta-data/",
            "https://hooks.partner.example/" + "a" * 2_048,
        ],
    )
    def test_url_that_is_not_public_https_is_refused(self, api: Api, settings: Settings, url: str) -> None:
        settings.WEBHOOK_ALLOW_LOCAL_TARGETS = False
        assert fields_named(api.post(ENDPOINTS, {**BODY, "url": url})) == ["url"]

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"url": None}, "url"),
            ({"url": 7}, "url"),
            ({"events": []}, "events"),
            ({"events": "booking.confirmed"}, "events"),
            ({"events": [7]}, "events.0"),
            ({"description": "x" * 256}, "description"),
            ({"secret": "whsec_mine"}, "secret"),
            ({"status": "disabled"}, "status"),
        ],
    )
    def test_malformed_bodies_name_their_fields(
        self, api: Api, change: dict[str, object], field: str
    ) -> None:
        assert fields_named(api.post(ENDPOINTS, {**BODY, **change})) == [field]

    def test_everything_wrong_is_said_at_once(self, api: Api) -> None:
        assert fields_named(api.post(ENDPOINTS, {})) == ["url", "events"]

    def test_twenty_first_endpoint_is_a_conflict_in_its_environment_alone(self, partners: Partners) -> None:
        for number in range(20):
            create_endpoint(
                account_id=partners.account_id,
                environment="test",
                url=f"https://hooks.partner.example/{number}",
                events=["booking.confirmed"],
            )
        reply = partners.test.post(ENDPOINTS, BODY)
        assert (reply.status, reply.error_type) == (409, "conflict")
        assert created(partners.live)["environment"] == "live"
        partners.test.delete(f"{ENDPOINTS}/{Endpoint.objects.filter(environment='test')[0].pk}")
        assert created(partners.test)["status"] == "enabled"


UNKNOWN = "we_01kb2c0000000000000000000a"


class TestListAndRead:
    def test_read_and_list_show_all_but_the_secret(self, api: Api) -> None:
        endpoint = created(api)
        assert api.get(f"{ENDPOINTS}/{endpoint['id']}").body == without_secret(endpoint)
        assert api.get(ENDPOINTS).body["data"] == [without_secret(endpoint)]

    def test_nobody_sees_anothers_endpoints_nor_the_other_environments(self, partners: Partners) -> None:
        endpoint = created(partners.test)
        for other in (partners.live, partners.stranger):
            assert other.get(ENDPOINTS).body["data"] == []
            for method, path, body in [
                ("GET", "", None),
                ("PATCH", "", {"description": "mine"}),
                ("DELETE", "", None),
            ]:
                reply = other.send(method, f"{ENDPOINTS}/{endpoint['id']}{path}", body)
                assert (reply.status, reply.error_type) == (404, "not_found")
            for path in ("rotate-secret", "test"):
                reply = other.post(f"{ENDPOINTS}/{endpoint['id']}/{path}", {})
                assert (reply.status, reply.error_type) == (404, "not_found")
        assert partners.test.get(f"{ENDPOINTS}/{endpoint['id']}").body == without_secret(endpoint)

    @pytest.mark.parametrize("id", [UNKNOWN, "we_!", "a" * 65, "we_%00"])
    def test_unknown_and_malformed_ids_are_the_same_to_a_caller(self, api: Api, id: str) -> None:
        reply = api.get(f"{ENDPOINTS}/{id}")
        assert (reply.status, reply.error_type) == (404, "not_found")


class TestChange:
    def test_what_is_given_is_changed_and_nothing_else(
        self, api: Api, stopped_clock: Callable[..., None]
    ) -> None:
        before = created(api, description="old")
        stopped_clock(milliseconds=1)
        changed = api.patch(f"{ENDPOINTS}/{before['id']}", {"url": "https://new.partner.example/"})
        assert changed.status == 200
        assert changed.body == {
            **without_secret(before),
            "url": "https://new.partner.example/",
            "updatedAt": changed.body["updatedAt"],
        }
        assert changed.body["updatedAt"] > before["updatedAt"]
        cleared = api.patch(
            f"{ENDPOINTS}/{before['id']}", {"description": "", "events": ["esim.provisioned"]}
        )
        assert (cleared.body["description"], cleared.body["events"]) == ("", ["esim.provisioned"])

    def test_disabling_and_enabling(self, api: Api) -> None:
        id = created(api)["id"]
        Endpoint.objects.update(consecutive_failures=7)
        disabled = api.patch(f"{ENDPOINTS}/{id}", {"status": "disabled"}).body
        assert (disabled["status"], disabled["disabledReason"]) == ("disabled", "disabled_by_partner")
        assert disabled["disabledAt"] == disabled["updatedAt"]
        enabled = api.patch(f"{ENDPOINTS}/{id}", {"status": "enabled"}).body
        assert [enabled[n] for n in ("status", "disabledReason", "disabledAt", "consecutiveFailures")] == [
            "enabled",
            None,
            None,
            0,
        ]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"status": "sleeping"}, "status"),
            ({"events": ["booking.confirmed", "checkout.expired"]}, "events.1"),
            ({"url": "https://10.1.2.3/"}, "url"),
            ({"consecutiveFailures": 0}, "consecutiveFailures"),
        ],
    )
    def test_bad_change_changes_nothing(self, api: Api, body: dict[str, object], field: str) -> None:
        before = created(api)
        assert fields_named(api.patch(f"{ENDPOINTS}/{before['id']}", {"description": "x", **body})) == [field]
        assert api.get(f"{ENDPOINTS}/{before['id']}").body == without_secret(before)


class TestDelete:
    def test_deleted_endpoint_is_gone_and_what_it_was_owed_ends_failed(self, api: Api) -> None:
        id = created(api)["id"]
        delivery = DeliveryFactory(endpoint=Endpoint.objects.get())
        reply = api.delete(f"{ENDPOINTS}/{id}")
        assert (reply.status, reply.content) == (204, b"")
        assert api.get(f"{ENDPOINTS}/{id}").status == 404
        assert api.delete(f"{ENDPOINTS}/{id}").status == 404
        assert api.get(ENDPOINTS).body["data"] == []
        shown = api.get(f"/v1/webhooks/deliveries/{delivery.pk}").body
        assert (shown["status"], shown["nextAttemptAt"]) == ("FAILED", None)
        assert Endpoint.objects.get().secret_encrypted == ""


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

    def test_disabled_endpoint_is_a_conflict(self, api: Api) -> None:
        id = created(api)["id"]
        api.patch(f"{ENDPOINTS}/{id}", {"status": "disabled"})
        reply = api.post(f"{ENDPOINTS}/{id}/test")
        assert (reply.status, reply.error_type, Event.objects.count()) == (409, "conflict", 0)
