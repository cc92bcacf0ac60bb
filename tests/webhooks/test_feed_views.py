"""The feed of events as a partner reads it."""

import orjson
import pytest

from apps.keys.scopes import ENFORCED
from apps.webhooks.models import Event
from tests.factories.gateway import api_of_new_partner
from tests.factories.webhooks import EventFactory
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop
from tests.webhooks.conftest import Partners

EVENTS = "/v1/events"


def ids(reply: Reply) -> list[str]:
    assert reply.status == 200, reply.body
    return [event["id"] for event in reply.body["data"]]


@pytest.fixture
def cancelled(db: None) -> tuple[Api, list[str]]:
    """A partner without an endpoint, and the events of its one order, which it cancelled."""
    api = api_of_new_partner(scopes=ENFORCED, cents=10**8)
    shop = FlightShop(api)
    shop.cancel(shop.order(shop.offer(), externalReference="PO-1").body["id"])
    return api, list(Event.objects.order_by("arrival").values_list("pk", flat=True))


def test_events_are_there_as_they_are_delivered_without_any_endpoint(
    cancelled: tuple[Api, list[str]],
) -> None:
    api, written = cancelled
    reply = api.get(EVENTS)
    stored = [orjson.loads(event.payload) for event in Event.objects.order_by("arrival")]
    assert reply.body == {"data": stored, "hasMore": False, "nextAfter": written[-1]}
    assert [(event["type"], event["sequence"]) for event in stored] == [
        ("booking.confirmed", 1),
        ("booking.cancelled", 2),
        ("payment.refunded", 3),
    ]


def test_page_by_page_and_then_on_from_the_end(cancelled: tuple[Api, list[str]]) -> None:
    api, written = cancelled
    first = api.get(f"{EVENTS}?limit=2")
    assert (ids(first), first.body["hasMore"], first.body["nextAfter"]) == (written[:2], True, written[1])
    second = api.get(f"{EVENTS}?limit=2&after={written[1]}")
    assert (ids(second), second.body["hasMore"], second.body["nextAfter"]) == (
        written[2:],
        False,
        written[2],
    )
    end = api.get(f"{EVENTS}?after={written[2]}").body
    assert end == {"data": [], "hasMore": False, "nextAfter": written[2]}


def test_filters(cancelled: tuple[Api, list[str]]) -> None:
    api, written = cancelled
    reference = Event.objects.values_list("booking_reference", flat=True)[0]
    assert ids(api.get(f"{EVENTS}?type=payment.refunded,booking.confirmed")) == [written[0], written[2]]
    assert ids(api.get(f"{EVENTS}?bookingReference={reference}")) == written
    assert ids(api.get(f"{EVENTS}?bookingReference={reference}&type=booking.cancelled")) == [written[1]]
    nothing = api.get(f"{EVENTS}?bookingReference=F-2K7M9QXR").body
    assert nothing == {"data": [], "hasMore": False, "nextAfter": written[-1]}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("after=", "after"),
        ("type=", "type"),
        ("type=booking.confirmed,", "type"),
        ("type=booking.unknown", "type"),
        ("bookingReference=", "bookingReference"),
        ("bookingReference=%00", "bookingReference"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
    ],
)
def test_a_value_that_means_nothing_is_named(api: Api, query: str, field: str) -> None:
    reply = api.get(f"{EVENTS}?{query}")
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert [detail["field"] for detail in reply.error["details"]] == [field]


@pytest.mark.parametrize("after", ["evt_01kb2c0000000000000000000a", "%00", "1", "evt_" + "a" * 300])
def test_an_unknown_after_is_gone_and_the_oldest_is_named(api: Api, partners: Partners, after: str) -> None:
    reply = api.get(f"{EVENTS}?after={after}")
    assert (reply.status, reply.error_type, reply.error["oldest"]) == (410, "event_forgotten", None)
    own = EventFactory(account_id=partners.account_id, account=None)
    assert api.get(f"{EVENTS}?after={after}").error["oldest"] == own.pk


def test_a_stranger_and_the_other_environment_see_nothing(partners: Partners) -> None:
    own = EventFactory(
        account_id=partners.account_id,
        account=None,
        payload='{"id":"evt_1","type":"booking.confirmed","createdAt":"2026-11-20T14:03:22.120Z","environment":"test","data":{}}',
    )
    assert ids(partners.test.get(EVENTS)) == ["evt_1"]
    for other in (partners.stranger, partners.live):
        assert ids(other.get(EVENTS)) == []
        assert other.get(f"{EVENTS}?after={own.pk}").status == 410
