import json
import re
from datetime import timedelta

import pytest

from apps.common import clock
from apps.portal.requests import pages as requests
from apps.request_log.models import LoggedCall
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import approved_account, issued_key
from tests.portal.requests.reading import shown, text_of
from tests.portal.sample_data.requests import write_down
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/portal/test/requests/"


def test_calls_are_listed_the_newest_first(portal, api):
    api.get("/v1/account")
    api.get("/v1/account/ledger")
    write_down()
    assert shown(portal.get(LIST)) == ["GET /v1/account/ledger", "GET /v1/account"]
    assert shown(portal.get("/portal/live/requests/")) == []


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


def test_a_date_that_is_none_is_said_beside_its_field(portal):
    assert "Write a date and a time, as in" in text_of(portal.get(LIST, since="yesterday"))


def test_a_key_is_asked_for_by_a_link_however_many_there_are(portal, account, api, monkeypatch):
    monkeypatch.setattr(requests, "KEYS_OFFERED", 1)
    late, _ = issued_key(account, name="Zanzibar")  # the last by name
    foreign, _ = issued_key(name="Zebra")
    of_live, _ = issued_key(approved_account(), environment="live", name="Zulu")
    api.get("/v1/account")
    write_down()

    answer = portal.get(LIST, key=late.pk)

    assert (shown(answer), answer.context["form"].errors) == ([], {})
    assert f'<option value="{late.pk}" selected>Zanzibar</option>' in answer.content.decode()
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
    assert "stands for what is not kept" in text


def test_what_a_call_sent_in_vain_is_shown_without_its_values(portal, api):
    slips = api.get("/v1/account?page_size=17&Ines+Prado=Lima")
    right = api.get("/v1/account")
    write_down()
    text = text_of(portal.get(f"{LIST}{slips.headers['X-Request-Id']}/"))
    assert "Ignored page_size, •••" in text
    assert [word for word in ("17", "Ines", "Prado") if f" {word} " in text] == []
    assert "Ignored" not in text_of(portal.get(f"{LIST}{right.headers['X-Request-Id']}/"))


def test_the_operation_shows_its_own_time(portal, api):
    answer = api.get("/v1/account")
    write_down()
    LoggedCall.objects.update(trace="bearer_key 250;operation 1500", duration_ms=2.0)

    checks = portal.get(f"{LIST}{answer.headers['X-Request-Id']}/").context["timeline"].checks

    assert (checks[0].title, checks[0].milliseconds, checks[0].tone) == ("API key", 0.25, "good")
    assert (checks[1].milliseconds, checks[1].tone) == (None, "")
    assert (checks[-1].title, checks[-1].milliseconds, checks[-1].tone) == ("The operation", 1.5, "good")


def test_a_fault_that_the_sandbox_was_asked_for_is_named(portal, api):
    assert api.send("PUT", "/sandbox/faults", {"lostAnswerShare": 1}).status == 200
    lost = api.post("/v1/hotels/searches", {})
    write_down()

    checks = portal.get(f"{LIST}{lost.headers['X-Request-Id']}/").context["timeline"].checks

    assert (checks[-1].title, checks[-1].verdict) == ("Fault that the sandbox was asked for", "lost_answer")
    assert (checks[-2].title, checks[-2].tone) == ("The operation", "good")


def test_the_curl_line_is_the_same_call(portal, api):
    answer = api.post(
        "/v1/flights/searches",
        {"origin": "LIS", "destination": "BER", "limit": 1},
        key="8a6e0804-2bd0-4672-b79d-d97027f9071a",
    )
    write_down()
    page = portal.get(f"{LIST}{answer.headers['X-Request-Id']}/").context["timeline"]
    assert "/v1/flights/searches \\\n" in page.curl
    assert "-H 'Idempotency-Key: 8a6e0804-2bd0-4672-b79d-d97027f9071a'" in page.curl
    [body] = re.findall(r"-d '(.*)'$", page.curl)
    assert json.loads(body) == {"origin": "LIS", "destination": "BER", "limit": 1}


def test_a_call_of_another_account_or_environment_is_not_found(portal, api):
    other = api_of_new_partner().get("/v1/account").headers["X-Request-Id"]
    own = api.get("/v1/account").headers["X-Request-Id"]
    write_down()
    paths = [f"{LIST}{other}/", f"/portal/live/requests/{own}/", f"{LIST}nonsense/"]
    assert [portal.get(path).status_code for path in paths] == [404, 404, 404]


def test_a_call_that_is_not_written_down_yet_can_be_looked_for_again(portal, api):
    path = f"{LIST}{api.get('/v1/account').headers['X-Request-Id']}/"
    early = portal.get(path)
    assert early.status_code == 404
    assert f'href="{path}">Look again' in early.content.decode()
    write_down()
    assert portal.get(path).status_code == 200


def test_an_empty_log_says_the_next_step(portal):
    assert "Make the first call" in text_of(portal.get(LIST))
    assert "No call matches" in text_of(portal.get(LIST, status="5"))


def test_older_calls_are_a_page_away(portal, api):
    api.get("/v1/account")
    write_down()
    [call] = LoggedCall.objects.all()
    for number in range(60):
        call.pk, call.request_id = None, f"00000000-0000-4000-8000-{number:012}"
        call.created_at = clock.now() - timedelta(minutes=number + 1)
        call.save(force_insert=True)
    first = portal.get(LIST)
    older = re.search(r'href="(\?cursor=[^"]+)"', first.content.decode())[1].replace("&amp;", "&")
    second = portal.get(LIST + older)
    assert (len(shown(first)), len(shown(second))) == (50, 11)


def test_a_call_leads_to_its_booking_and_to_the_ledger_lines_of_it(portal, api):
    order = FlightShop(api).ordered()
    write_down()
    call = LoggedCall.objects.get(booking_reference=order["reference"])
    page = portal.get(f"{LIST}{call.request_id}/").content.decode()
    ledger = f"/portal/test/balance/?booking={order['reference']}"
    assert (f'href="/portal/test/bookings/{order["id"]}/"' in page, f'href="{ledger}"' in page) == (
        True,
        True,
    )
    assert portal.get(ledger).content.decode().count('<tr id="led_') == 2
