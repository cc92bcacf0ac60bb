"""Endpoints as a partner reads, changes and deletes them."""

from collections.abc import Callable

import pytest

from apps.webhooks.models import Endpoint
from tests.factories.webhooks import DeliveryFactory
from tests.support.api import Api
from tests.webhooks.conftest import Partners
from tests.webhooks.endpoint_calls import ENDPOINTS, created, fields_named, without_secret

UNKNOWN = "we_01kb2c0000000000000000000a"


class TestListAndRead:
    def test_endpoints_are_listed_newest_first_page_by_page(self, api: Api) -> None:
        ids = [created(api)["id"] for _ in range(5)]
        first = api.get(f"{ENDPOINTS}?limit=2").body
        second = api.get(f"{ENDPOINTS}?limit=2&cursor={first['nextCursor']}").body
        third = api.get(f"{ENDPOINTS}?limit=2&cursor={second['nextCursor']}").body
        listed = [endpoint["id"] for page in (first, second, third) for endpoint in page["data"]]
        assert listed == ids[::-1]
        assert [page["hasMore"] for page in (first, second, third)] == [True, True, False]
        assert third["nextCursor"] is None

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

    @pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "cursor=x"])
    def test_bad_pages_are_refused(self, api: Api, query: str) -> None:
        assert fields_named(api.get(f"{ENDPOINTS}?{query}")) == [query.partition("=")[0]]


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
