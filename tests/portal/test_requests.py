"""The list of requests with its filters, and the page of one call."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest

from apps.bookings.models import Booking
from apps.ledger.models import LedgerTransaction
from apps.portal.requests import pages as requests
from apps.request_log.models import LoggedCall
from apps.webhooks.models import Delivery, Event
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import approved_account, issued_key
from tests.factories.webhooks import EndpointFactory
from tests.mcp.assistant import Assistant
from tests.portal.reading import text_of
from tests.portal.sample_data import write_down
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db


def shown(answer) -> list[str]:
    """The calls in a list, as `METHOD path`."""
    links = re.findall(r'class="row-link mono" href="[^"]+">(.+?)</a>', answer.content.decode())
    return [re.sub("<[^>]+>", "", link) for link in links]


LIST = "/portal/test/requests/"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"status": "errors"}, ["GET /v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce"]),
        ({"status": "2"}, ["GET /v1/account"]),
        ({"product": "hotels"}, ["GET /v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce"]),
        ({"error_type": "not_found"}, ["GET /v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce"]),
        ({"error_type": "conflict"}, []),
        ({"since": "2100-01-01"}, []),
        ({"until": "2020-01-01"}, []),
        (
            {"since": "yesterday"},
            ["GET /v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce", "GET /v1/account"],
        ),
        ({"since": "9999-12-31", "until": "9999-12-31"}, []),
        ({"status": "teapot"}, ["GET /v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce", "GET /v1/account"]),
        ({"cursor": "forged"}, ["GET /v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce", "GET /v1/account"]),
    ],
)
def test_filters_narrow_the_list_and_what_cannot_be_read_does_not(portal, api, query, expected):
    api.get("/v1/account")
    api.get("/v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce")
    write_down()
    answer = portal.get(LIST, **query)
    assert (answer.status_code, shown(answer)) == (200, expected)


def test_a_key_is_asked_for_by_a_link_however_many_there_are(portal, account, api, monkeypatch):
    monkeypatch.setattr(requests, "KEYS_OFFERED", 1)
    late, _ = issued_key(account, name="Zanzibar")  # the last by name
    foreign, _ = issued_key(name="Zebra")
    of_live, _ = issued_key(approved_account(), environment="live", name="Zulu")
    api.get("/v1/account")
    write_down()

    answer = portal.get(LIST, key=late.pk)

    assert (shown(answer), answer.context["form"].errors) == ([], {})
    [chip] = [chip for chip in answer.context["form"].chips if chip.value]
    assert (chip.field.name, chip.value) == ("key", "Zanzibar")
    assert f'<input type="hidden" name="key" value="{late.pk}" id="id_key">' in answer.content.decode()
    assert "Zanzibar" not in text_of(portal.get(LIST))
    for key in (foreign, of_live):
        refused = portal.get(LIST, key=key.pk)
        assert (list(refused.context["form"].errors), "Z" in text_of(refused)) == (["key"], False)
        assert shown(refused) == ["GET /v1/account"]


def test_a_whole_request_id_leads_to_its_call(portal, api):
    request_id = api.get("/v1/account").headers["X-Request-Id"]
    write_down()
    answer = portal.get(LIST, request_id=request_id)
    assert (answer.status_code, answer["Location"]) == (302, f"{LIST}{request_id}/")
    assert shown(portal.get(LIST, request_id=request_id[:9])) == ["GET /v1/account"]


def test_the_owner_reads_why_an_address_was_refused(portal, account):
    api = api_of_new_partner(account=account, allowed_ips=["203.0.113.9"])
    refused = api.get("/v1/account")
    write_down()
    text = text_of(portal.get(f"{LIST}{refused.headers['X-Request-Id']}/"))
    assert (refused.status, refused.body["error"]["message"]) == (403, "Not allowed.")
    assert "which is not in the key's list: 203.0.113.9" in text
    assert "Address list of the key: ip_not_allowed" in text
    assert "Scope not come to" in text


def test_a_booking_shows_neither_travellers_nor_secrets(portal, api):
    answer = api.post(
        "/v1/hotels/bookings",
        {
            "rateId": "rate_01jd3m8q6w9z5n2b7rxk4t0vce",
            "guests": [{"firstName": "Ines", "lastName": "Prado-Lima", "type": "adult"}],
            "contact": {"email": "ines@example.org", "phone": "+351210000000"},
        },
    )
    write_down()
    page = portal.get(f"{LIST}{answer.headers['X-Request-Id']}/")
    text = text_of(page)
    assert "rate_01jd3m8q6w9z5n2b7rxk4t0vce" in text
    assert [
        name for name in ("Ines", "Prado-Lima", "ines@", "351210000000", api.secret) if name in text
    ] == []
    assert "replaces what is not stored" in text


def test_what_a_call_sent_in_vain_is_shown_without_its_values(portal, api):
    slips = api.get("/v1/account?page_size=17&Ines+Prado=Lima")
    right = api.get("/v1/account")
    write_down()
    text = text_of(portal.get(f"{LIST}{slips.headers['X-Request-Id']}/"))
    assert "Ignored page_size, •••" in text
    assert [word for word in ("17", "Ines", "Prado") if f" {word} " in text] == []
    assert "Ignored" not in text_of(portal.get(f"{LIST}{right.headers['X-Request-Id']}/"))


def test_a_call_that_is_not_written_down_yet_can_be_looked_for_again(portal, api):
    path = f"{LIST}{api.get('/v1/account').headers['X-Request-Id']}/"
    early = portal.get(path)
    assert early.status_code == 404
    assert f'href="{path}">Look again' in early.content.decode()
    write_down()
    assert portal.get(path).status_code == 200


ACCOUNT, MISSING = "GET /v1/account", "GET /v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce"
SEARCH = "POST /v1/hotels/searches"
KEY = "8a6e0804-2bd0-4672-b79d-d97027f9071a"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"operation": "getAccount"}, [ACCOUNT]),
        ({"operation": "GETHOTEL"}, [MISSING]),
        ({"operation": "noSuchOperation"}, []),
        ({"operation": "/v1/account"}, [ACCOUNT]),
        ({"operation": "/v1/hotels/searches"}, [SEARCH]),
        ({"operation": "GET /v1/hotels/searches"}, []),
        ({"operation": "POST /v1/hotels/searches"}, [SEARCH]),
        ({"operation": "/v1/hotels/bookings/{id}"}, [MISSING]),
        ({"operation": MISSING}, [MISSING]),
        ({"operation": "/v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vcf"}, []),
        ({"operation": "/v1/hot"}, [SEARCH, MISSING]),
        ({"operation": "/portal/test/"}, []),
        ({"operation": "/portal/team/members/5/role/"}, []),
        ({"booking": "hbk_01jd3m8q6w9z5n2b7rxk4t0vce"}, [MISSING]),
        ({"booking": "hbk_01jd3m8q6w9z5n2b7rxk4t0vcf"}, []),
        ({"idempotency_key": KEY}, [SEARCH]),
        ({"idempotency_key": KEY[:-1]}, []),
        ({"idempotency_key": KEY, "operation": "getAccount"}, []),
    ],
)
def test_calls_are_found_by_operation_path_booking_and_key(portal, api, query, expected):
    api.get("/v1/account")
    api.get("/v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce")
    api.post("/v1/hotels/searches", {}, key=KEY)
    write_down()
    answer = portal.get(LIST, **query)
    assert (answer.status_code, shown(answer)) == (200, expected)
    chips = {chip.field.name: chip.value for chip in answer.context["form"].chips}
    assert {name: value for name, value in chips.items() if value} == query


def test_a_key_that_the_log_does_not_keep_is_found_by_its_digest(portal, api):
    api.post("/v1/hotels/searches", {}, key="order-seven")
    write_down()
    assert shown(portal.get(LIST, idempotency_key="order-seven")) == [SEARCH]
    assert "order-seven" not in LoggedCall.objects.get().idempotency_key


def test_each_tab_has_the_count_of_what_it_lists(portal, api):
    api.get("/v1/account")
    api.get("/v1/hotels/bookings/hbk_01jd3m8q6w9z5n2b7rxk4t0vce")
    write_down()

    def tabs(**query):
        return {tab.label: tab.shown for tab in portal.get(LIST, **query).context["tabs"]}

    assert tabs() == {"All": "2", "Errors": "1", "2xx": "1", "4xx": "1", "5xx": "0"}
    assert tabs(status="5") == tabs()
    assert tabs(operation="getAccount") == {"All": "1", "Errors": "0", "2xx": "1", "4xx": "0", "5xx": "0"}
    assert set(tabs(since="2100-01-01").values()) == {"0"}
    assert set(tabs(product="hotels").values()) == {""}, "No index finds them: nothing is counted"
    assert set(tabs(operation="/v1/hot").values()) == {""}
    page = portal.get(LIST, status="4", product="hotels", cursor="1-1").content.decode()
    assert 'href="?product=hotels" aria-current' not in page
    assert '<a href="?product=hotels">All' in page
    assert '<a href="?status=4&amp;product=hotels" aria-current="page">4xx' in page


def test_an_open_page_is_told_how_many_calls_are_newer(portal, api):
    def newer(page, **query):
        asked = re.search(r'data-newer="([^"]+)"', page.content.decode())
        assert asked is not None
        return portal.client.get(LIST + unescape(asked[1])).json()

    empty = portal.get(LIST)
    assert newer(empty) == {"newer": 0}
    api.get("/v1/account")
    write_down()
    assert newer(empty) == {"newer": 1}
    page, errors = portal.get(LIST), portal.get(LIST, status="errors")
    for _ in range(2):
        api.get("/v1/account/ledger")
    write_down()
    assert (newer(page), newer(errors), newer(empty)) == ({"newer": 2}, {"newer": 0}, {"newer": 3})
    assert "data-newer" not in portal.get(LIST, cursor="1-1").content.decode(), "An older page stays as it is"
    assert portal.get(LIST, newer_than="nonsense").json() == {"newer": 0}


def test_a_window_shows_the_calls_within_it_and_stays_with_other_filters(portal, api):
    api.get("/v1/account")
    write_down()
    LoggedCall.objects.update(created_at=datetime(2026, 11, 23, 13, 30, tzinfo=UTC))
    hour = "2026-11-23T13:00:00Z/2026-11-23T14:00:00Z"
    answer = portal.get(LIST, within=hour)
    assert (shown(answer), f'value="{hour}"' in answer.content.decode()) == (["GET /v1/account"], True)
    for other in ("2026-11-23T13:30:01Z/2026-11-23T14:00:00Z", "2026-11-23T13:00:00Z/2026-11-23T13:30:00Z"):
        assert shown(portal.get(LIST, within=other)) == []
    assert 'name="within"' not in portal.get(LIST).content.decode()


def page_of(portal, answer):
    return portal.get(f"{LIST}{answer.headers['X-Request-Id']}/")


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
    assert "https://two.example/hooks 0 attempts" in text, "Without the query, in which receivers put tokens"
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


def test_a_call_by_an_assistant_is_shown_as_such(portal, api):
    made = Assistant(api).ask("tools/call", name="get_balance", arguments={})
    direct = api.get("/v1/account")
    write_down()
    by_request = [
        text_of(portal.get(f"{LIST}{answer.headers['X-Request-Id']}/")) for answer in (made, direct)
    ]
    assert ["Via an assistant" in text for text in by_request] == [True, False]
