"""Endpoints as a partner registers them."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from apps.common.clock import rfc3339
from apps.common.ids import new_id
from apps.gateway.models import IdempotencyRecord
from apps.webhooks.events import CATALOGUE, SUBSCRIBABLE
from apps.webhooks.models import Endpoint
from apps.webhooks.services.endpoints import create_endpoint
from tests.support.api import Api
from tests.webhooks.conftest import Partners
from tests.webhooks.endpoint_calls import BODY, ENDPOINTS, created, fields_named


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

    def test_replay_within_a_day_shows_the_same_secret(
        self, api: Api, move_clock: Callable[..., None]
    ) -> None:
        key = new_id("idem")
        first = api.post(ENDPOINTS, BODY, key)
        move_clock(hours=23, minutes=59)
        again = api.post(ENDPOINTS, BODY, key)
        assert (again.status, again.body) == (201, first.body)
        assert (first.headers.get("Idempotent-Replayed"), again.headers["Idempotent-Replayed"]) == (
            None,
            "true",
        )
        assert Endpoint.objects.count() == 1

    def test_every_type_but_checkout_may_be_subscribed_to(self, api: Api) -> None:
        events = sorted(SUBSCRIBABLE)
        assert created(api, events=events)["events"] == events
        assert sorted(event.name for event in CATALOGUE if event.name not in SUBSCRIBABLE) == [
            "checkout.created",
            "checkout.expired",
        ]

    def test_unknown_types_refuse_the_whole_list(self, api: Api) -> None:
        events = ["booking.confirmed", "checkout.created", "booking.eaten", "webhook.test"]
        reply = api.post(ENDPOINTS, {**BODY, "events": events})
        assert fields_named(reply) == ["events.1", "events.2", "events.3"]
        assert Endpoint.objects.count() == 0

    @pytest.mark.parametrize(
        "url",
        [
            "http://hooks.partner.example/in",
            "ftp://hooks.partner.example/",
            "https://user:password@hooks.partner.example/",
            "https://hooks.partner.example:80/",
            "https://hooks.partner.example/#part",
            "https://localhost/",
            "https://intranet/",
            "https://router.local/",
            "https://127.0.0.1/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data/",
            "https://100.64.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://0177.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[64:ff9b::a00:1]/",
            "https://[2002:a00:1::]/",
            "https://224.0.0.1/",
            "https://",
            "hooks.partner.example",
            "https://hooks.partner.example/\u0001",
            "https://hooks.partner.example/" + "a" * 2_048,
        ],
    )
    def test_url_that_is_not_public_https_is_refused(self, api: Api, settings: Settings, url: str) -> None:
        settings.WEBHOOK_ALLOW_LOCAL_TARGETS = False
        assert fields_named(api.post(ENDPOINTS, {**BODY, "url": url})) == ["url"]

    @pytest.mark.parametrize(
        "url",
        ["https://hooks.partner.example", "https://hooks.partner.example:8443/a?b=c", "https://8.8.8.8/"],
    )
    def test_public_https_url_is_kept_as_given(self, api: Api, settings: Settings, url: str) -> None:
        settings.WEBHOOK_ALLOW_LOCAL_TARGETS = False
        assert created(api, url=url)["url"] == url

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
