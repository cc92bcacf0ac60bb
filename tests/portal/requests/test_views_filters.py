"""The list of requests: its filters, tabs and periods, and what is newer than it."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from apps.common import clock
from apps.request_log.models import LoggedCall
from tests.portal.requests.reading import shown, text_of
from tests.portal.sample_data.requests import write_down
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/portal/test/requests/"


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
    assert 'class="folded-filters" open' in answer.content.decode() or "operation" in query


def test_a_key_that_the_log_does_not_keep_is_found_by_its_digest(portal, api):
    api.post("/v1/hotels/searches", {}, key="order-seven")
    write_down()
    assert shown(portal.get(LIST, idempotency_key="order-seven")) == [SEARCH]
    assert "order-seven" not in LoggedCall.objects.get().idempotency_key


def test_a_booking_is_named_by_any_beginning_of_its_references(portal, api):
    order = FlightShop(api).ordered()
    api.get(f"/v1/flights/orders/{order['id']}")
    api.get("/v1/account")
    write_down()
    both = [f"GET /v1/flights/orders/{order['id']}", "POST /v1/flights/orders"]
    for text in (order["id"], order["reference"], order["reference"][:6].lower()):
        assert shown(portal.get(LIST, booking=text)) == both


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


def test_a_reversed_period_is_refused_in_words_and_narrows_nothing(portal, api):
    api.get("/v1/account")
    write_down()
    for since, until in (
        ("2026-11-02", "2026-11-01"),
        ("2026-11-02T10:00", "2026-11-02T09:59"),
        ("2026-11-02T10:00", "2026-11-02T10:00"),
    ):
        answer = portal.get(LIST, since=since, until=until)
        assert "To is not after From. Give the earlier time first." in text_of(answer)
        assert shown(answer) == [ACCOUNT]
    assert "To is not after From" not in text_of(portal.get(LIST, since="2026-11-01", until="2026-11-01"))


def test_a_period_up_to_now_is_chosen_with_one_click(portal, api):
    for path in ("/v1/account", "/v1/account/ledger"):
        api.get(path)
    write_down()
    LoggedCall.objects.filter(path="/v1/account/ledger").update(created_at=clock.now() - timedelta(days=2))
    page = portal.get(LIST)
    assert [preset.label for preset in page.context["form"].presets()] == ["1 h", "24 h", "7 d", "30 d"]
    ledger = "GET /v1/account/ledger"
    for name, expected in {
        "1h": [ACCOUNT],
        "24h": [ACCOUNT],
        "7d": [ACCOUNT, ledger],
        "soon": [ACCOUNT, ledger],
    }.items():
        answer = portal.get(LIST, last=name)
        assert (name, shown(answer)) == (name, expected)
        current = [each.name for each in answer.context["form"].presets() if each.is_current]
        assert current == [name] * (name != "soon")
    dated = portal.get(LIST, last="1h", since="2020-01-01")
    assert shown(dated) == [ACCOUNT, ledger], "From and To are written, and count"
    assert [each.name for each in dated.context["form"].presets() if each.is_current] == []


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


def test_times_are_relative_with_utc_beside_them(portal, api):
    api.get("/v1/account")
    write_down()
    times = re.findall(
        r'<td class="bare" data-label="Time">(<time .*?</time>)', portal.get(LIST).content.decode()
    )
    assert len(times) == 1
    assert re.fullmatch(
        r'<time datetime="[^"]+Z" title="\d+ \w{3} \d{4}, [\d:]{8} UTC" data-age="\d+">\d+ (s|min) ago</time>',
        times[0],
    )


# --- A window of time, which notices link to ------------------------------------------------------------------------


def test_a_window_shows_the_calls_within_it_and_stays_with_other_filters(portal, api):
    api.get("/v1/account")
    write_down()
    LoggedCall.objects.update(created_at=datetime(2026, 11, 23, 13, 30, tzinfo=UTC))
    hour = "2026-11-23T13:00:00Z/2026-11-23T14:00:00Z"
    answer = portal.get(LIST, within=hour)
    assert (shown(answer), f'value="{hour}"' in answer.content.decode()) == (["GET /v1/account"], True)
    for other in (
        "2026-11-23T13:30:01Z/2026-11-23T14:00:00Z",
        "2026-11-23T13:00:00Z/2026-11-23T13:30:00Z",
    ):
        assert shown(portal.get(LIST, within=other)) == []
    assert 'name="within"' not in portal.get(LIST).content.decode()


@pytest.mark.parametrize(
    ("window", "says"),
    [
        ("yesterday", "Write two times"),
        ("2026-11-23T13:00:00Z", "Write two times"),
        ("2026-11-23T13:00:00Z/2026-13-23T13:00:00Z", "Write two times"),
        ("2026-11-23T14:00:00Z/2026-11-23T13:00:00Z", "Give the earlier one first"),
        ("x" * 65, "at most 64 characters"),
    ],
)
def test_a_window_that_is_none_narrows_nothing_and_is_said(portal, api, window, says):
    api.get("/v1/account")
    write_down()
    answer = portal.get(LIST, within=window)
    assert (answer.status_code, shown(answer), says in text_of(answer)) == (200, ["GET /v1/account"], True)
