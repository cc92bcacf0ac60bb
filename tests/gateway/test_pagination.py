"""Pages newest first, and cursors that are good for one listing alone (contract §1)."""

import hashlib
from datetime import timedelta
from urllib.parse import quote

import orjson
import pytest
from django.core import signing
from django.test import RequestFactory

from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.gateway.pagination import (
    SALT,
    page,
)
from apps.gateway.requests import PartnerRequest
from apps.ledger.money import top_up
from apps.webhooks.models import Endpoint
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.factories.webhooks import EndpointFactory
from tests.support.api import Api

pytestmark = pytest.mark.django_db
SCOPES = ["webhooks:manage", "flights:book", "hotels:book", "ledger:read"]
LIST = "/v1/webhooks/endpoints"


@pytest.fixture
def api() -> Api:
    return api_of_new_partner(scopes=SCOPES)


def listed(
    api: Api, count: int, *, apart: timedelta = timedelta(seconds=1), later: timedelta = timedelta(0)
) -> list[str]:
    """The ids of `count` new rows, newest first."""
    account, start = Account.objects.get(id=partner_of(api).account_id), clock.now() + later
    rows = [EndpointFactory(account=account, created_at=start + number * apart) for number in range(count)]
    return [row.id for row in sorted(rows, key=lambda row: (row.created_at, row.id), reverse=True)]


def walk(api: Api, path: str, limit: int) -> list[list[str]]:
    """Every page's ids."""
    pages, cursor = [], ""
    while True:
        body = api.get(f"{path}?limit={limit}{cursor}").body
        pages.append([row["id"] for row in body["data"]])
        assert body["hasMore"] == (body["nextCursor"] is not None)
        if not body["hasMore"]:
            return pages
        cursor = f"&cursor={quote(body['nextCursor'])}"


def cursor_of(api: Api, query: str = "") -> str:
    return quote(api.get(f"{LIST}?limit=1{query}").body["nextCursor"])


def refuses_cursor(api: Api, path: str, cursor: str) -> bool:
    reply = api.get(f"{path}{'&' if '?' in path else '?'}cursor={cursor}")
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    return [detail["field"] for detail in reply.error["details"]] == ["cursor"]


@pytest.mark.parametrize(
    ("count", "limit", "sizes"),
    [(0, 5, [0]), (5, 5, [5]), (6, 5, [5, 1]), (7, 3, [3, 3, 1]), (3, 1, [1, 1, 1])],
)
def test_pages_hold_everything_once_newest_first(api: Api, count: int, limit: int, sizes: list[int]):
    ids = listed(api, count)
    pages = walk(api, LIST, limit)

    assert [id for page in pages for id in page] == ids
    assert [len(page) for page in pages] == sizes


def test_rows_of_one_instant_are_ordered_by_id_and_none_is_lost_between_pages(api: Api):
    ids = listed(api, 9, apart=timedelta(0))

    assert [id for page in walk(api, LIST, 2) for id in page] == ids == sorted(ids, reverse=True)


def test_rows_that_come_and_go_shift_no_page(api: Api):
    ids = listed(api, 6)
    first = api.get(f"{LIST}?limit=3").body
    listed(api, 2, later=timedelta(hours=1))
    Endpoint.objects.filter(id__in=[ids[1], ids[2], ids[4]]).delete()  # the cursor's own row among them

    second = api.get(f"{LIST}?limit=3&cursor={quote(first['nextCursor'])}").body

    assert [row["id"] for row in second["data"]] == [ids[3], ids[5]]
    assert second["hasMore"] is False


@pytest.mark.parametrize(
    "path",
    [LIST, "/v1/webhooks/deliveries", "/v1/flights/orders", "/v1/hotels/bookings", "/v1/account/ledger"],
)
def test_limit_is_a_number_from_1_to_100(api: Api, path: str):
    assert [api.get(f"{path}?limit={limit}").status for limit in ("1", "100", "007", "000000001")] == [
        200
    ] * 4
    for limit in (
        "0",
        "101",
        "-1",
        "1.0",
        "1e1",
        "+5",
        "５",
        "",
        "ten",
        "1_0",
        "9" * 30,
        "0000000001",
        "%00",
        " 5",
    ):
        reply = api.get(f"{path}?limit={limit}")
        assert (reply.status, [detail["field"] for detail in reply.error["details"]]) == (400, ["limit"]), (
            limit
        )


LISTINGS = ["/v1/hotels/bookings", "/v1/flights/orders", "/v1/transfers/orders", "/v1/esim/orders"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *((path, name) for path in LISTINGS for name in ("externalReference", "tripReference")),
        ("/v1/account/ledger", "bookingReference"),
        ("/v1/webhooks/deliveries", "endpointId"),
        ("/v1/events", "bookingReference"),
    ],
)
def test_a_filter_by_any_text_takes_255_characters(path: str, name: str):
    api = api_of_new_partner(scopes=[*SCOPES, "transfers:book", "esim:read"])
    for sought in ("x" * 255, "%20", "%ED%A0%80"):
        assert api.get(f"{path}?{name}={sought}").status == 200
    for wrong in ("", "x" * 256, "%00"):
        reply = api.get(f"{path}?{name}={wrong}")
        assert (reply.status, reply.error["details"]) == (
            400,
            [
                {
                    "field": name,
                    "message": "must have 1 to 255 characters, none of them NUL",
                }
            ],
        ), wrong


@pytest.mark.parametrize("cursor", ["", "x", "e30", "%00", "a:b:c", "%ff", "é", "x" * 5000, "..", "null"])
def test_a_cursor_that_was_made_up_is_refused(api: Api, cursor: str):
    assert refuses_cursor(api, LIST, cursor)


def test_a_cursor_that_was_tampered_with_is_refused(api: Api):
    listed(api, 2)
    cursor = cursor_of(api)
    for place in range(0, len(cursor), 7):
        tampered = cursor[:place] + ("A" if cursor[place] != "A" else "B") + cursor[place + 1 :]
        assert refuses_cursor(api, LIST, tampered)


@pytest.mark.parametrize("value", [None, 1, [], ["x"], [1, 2, 3], ["x", "yesterday", "id"], {"a": 1}])
def test_a_signed_value_of_another_form_is_refused(api: Api, value: object):
    assert refuses_cursor(api, LIST, quote(signing.dumps(value, salt=SALT)))
    assert refuses_cursor(api, LIST, quote(signing.dumps(value, salt="another")))


def test_a_cursor_is_good_for_its_account_environment_and_listing_alone(api: Api):
    listed(api, 2)
    cursor = cursor_of(api)
    account = Account.objects.get()
    account.live_approved_until = clock.now() + timedelta(days=1)
    account.save()
    live = api_of_new_partner(account=account, environment=Environment.LIVE, scopes=SCOPES)

    assert refuses_cursor(live, LIST, cursor)
    assert refuses_cursor(api_of_new_partner(scopes=SCOPES), LIST, cursor)
    for other in (
        "/v1/webhooks/deliveries",
        "/v1/flights/orders",
        "/v1/hotels/bookings",
        "/v1/account/ledger",
    ):
        assert refuses_cursor(api, other, cursor)
    sibling = api_of_new_partner(account=account, scopes=SCOPES)
    assert sibling.get(f"{LIST}?cursor={cursor}").status == 200, "keys of one account share their lists"


def test_a_cursor_is_good_for_its_filters_alone():
    api = api_of_new_partner(cents=100, scopes=SCOPES)
    partner = partner_of(api)
    for number in range(3):
        top_up(
            account_id=partner.account_id,
            environment="test",
            amount_cents=1,
            currency="EUR",
            reference=f"bank-{number}",
        )
    path = "/v1/account/ledger"
    cursor = quote(api.get(f"{path}?limit=1&type=top_up").body["nextCursor"])

    assert api.get(f"{path}?type=top_up&cursor={cursor}&limit=50").status == 200
    for filters in ("", "?type=hold", "?type=top_up&bookingReference=F-12345678"):
        assert refuses_cursor(api, path + filters, cursor)


def call_of(api: Api, query: str = "") -> PartnerRequest:
    call = PartnerRequest(RequestFactory().get(f"{LIST}?{query}"))
    call.known_partner = partner_of(api)
    return call


def test_a_cursor_of_the_release_before_is_good_for_this_one(api: Api):
    """Its form is a promise: pages are read on while a new release is rolled out."""
    ids, partner = listed(api, 3), partner_of(api)
    shown = Endpoint.objects.get(pk=ids[0])
    bound_to = hashlib.sha256(
        orjson.dumps([partner.account_id, partner.environment, "endpoints", [["status", "active"]]])
    )
    cursor = signing.dumps(
        [bound_to.hexdigest()[:16], shown.created_at.isoformat(), shown.pk], salt=SALT, compress=True
    )

    found = page(
        call_of(api, f"cursor={quote(cursor)}"),
        Endpoint.objects.all(),
        lambda row: row.pk,
        listing="endpoints",
        filters={"status": "active"},
    )

    assert found["data"] == ids[1:]
