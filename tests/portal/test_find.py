"""Paste any id: one hit leads to its page, several are listed, none is said plainly; another account's is none."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Role
from apps.bookings.models import Booking
from apps.common import clock
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction
from apps.portal.find.lookups import Pasted
from apps.portal.requests.pages import RequestDetailView
from apps.webhooks.models import Event
from tests.contract.goods import Goods
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.portal.crowd import crowd
from tests.portal.person import Person, member_of
from tests.portal.reading import text_of
from tests.portal.sample_data import add_sample_data, write_down
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.plans import explained

pytestmark = pytest.mark.django_db
FIND = "/portal/test/find/"
REQUEST = "00000000-0000-4000-8000-000000000000"
KEY = "8a6e0804-2bd0-4672-b79d-d97027f9071a"


def main_of(answer) -> str:
    """What is found, without the text that was searched for."""
    page = answer.content.decode()
    found = page[page.index('id="results"') : page.index("</main>")]
    return found.replace(answer.context["find_text"], "").replace(quote(answer.context["find_text"]), "")


def led_to(person: Person, text: str, path: str = FIND) -> str:
    answer = person.get(path, q=text)
    assert answer.status_code == 302, text_of(answer)
    return str(answer["Location"])


def every_name_of(account, api: Api) -> dict[str, str]:
    """What the account has, and by which address the page of it is found."""
    goods = Goods(api)
    hotel, flight, esim = goods.hotel_booking, goods.flight_order, goods.esim_order
    named = api.post(
        "/v1/esim/orders", {"planId": esim["plan"]["id"], "externalReference": "your-ref 7"}, key=KEY
    )
    assert named.status == 201, named.body
    plans = api.get(f"/v1/esim/orders/{esim['id']}/topups").body["plans"]
    topped_up = api.post(f"/v1/esim/orders/{esim['id']}/topups", {"planId": plans[0]["id"]})
    assert topped_up.status == 201, topped_up.body
    refused = api.get("/v1/hotels/bookings/hbk_unheard_of")
    write_down()
    endpoint = EndpointFactory(account=account)
    delivery = DeliveryFactory(endpoint=endpoint, event=EventFactory(account=account))
    Booking.objects.filter(pk=hotel["id"]).update(supplier_reference="SUP/99-1")
    line = LedgerTransaction.objects.filter(account=account, booking_reference=flight["reference"]).latest(
        "created_at"
    )
    key = ApiKey.objects.get(account=account)
    of_flight = Event.objects.filter(booking_id=flight["id"]).latest("id")
    at = "/portal/test"
    request_id = refused.headers["X-Request-Id"]
    return {
        request_id: f"{at}/requests/{request_id}/",
        hotel["id"]: f"{at}/bookings/{hotel['id']}/",
        hotel["reference"]: f"{at}/bookings/{hotel['id']}/",
        flight["reference"].lower(): f"{at}/bookings/{flight['id']}/",
        "SUP/99-1": f"{at}/bookings/{hotel['id']}/",
        flight["pnr"].lower(): f"{at}/bookings/{flight['id']}/",
        esim["iccid"]: f"{at}/bookings/{esim['id']}/",
        topped_up.body["id"]: f"{at}/bookings/{topped_up.body['id']}/",
        "your-ref 7": f"{at}/bookings/{named.body['id']}/",
        KEY: f"{at}/call-outcomes/?q={KEY}",
        delivery.pk: f"{at}/webhooks/deliveries/{delivery.pk}/",
        delivery.event_id: f"{at}/webhooks/events/{delivery.event_id}/",
        of_flight.pk: f"{at}/webhooks/events/{of_flight.pk}/",
        endpoint.pk: f"{at}/webhooks/{endpoint.pk}/",
        key.pk: f"{at}/keys/{key.pk}/",
        key.secrets.get().prefix: f"{at}/keys/{key.pk}/",
        line.pk: "ledger",
    }


def test_one_hit_leads_to_its_page(portal, account, api):
    names = every_name_of(account, api)
    assert len(names) == 17
    for text, address in names.items():
        to = led_to(portal, text)
        if address == "ledger":
            shown = portal.get(to.split("#")[0])
            ids = re.findall(r'<tr id="(led_[^"]+)">', shown.content.decode())
            assert (to.split("#")[1], ids[0]) == (text, text), "The page begins with the line"
        else:
            assert to == address, text
            assert portal.get(to).status_code == 200


def test_members_and_the_invited_are_found_by_their_address(portal, account):
    names = add_sample_data(account, portal.user)
    for email, row in ((portal.user.email.upper(), f"member-{portal.membership.pk}"),):
        assert led_to(portal, email) == f"/portal/team/#{row}"
        assert f'<tr id="{row}">' in portal.get("/portal/team/").content.decode()
    invited = account.invitations.get(pk=names["invitation"])
    assert led_to(portal, invited.email) == f"/portal/team/#invitation-{invited.pk}"


def test_nothing_found_is_said_plainly(portal):
    page = text_of(portal.get(FIND, q=REQUEST))
    assert "Nothing found" in page
    assert "What can be searched" in page
    assert "Nothing found" not in text_of(portal.get(FIND))


def test_what_is_of_another_account_is_as_if_it_did_not_exist(portal, account, api):
    """The same words, and the same statements."""
    stranger = member_of(AccountFactory(name="Borealis Tours"), Role.OWNER)
    names = [*every_name_of(account, api), portal.user.email]
    assert len(names) == 18
    for text in names:
        unknown = re.sub(r"[0-9a-km-z]", lambda found: "2" if found[0].isdigit() else "a", text)
        if text.startswith(("svc_", "evt_", "hbk_", "whd_", "we_", "key_", "led_")):
            unknown = text[:-2] + "zz"
        elif text[1] == "-" or len(text) == 36:
            unknown = text[:-2] + "00"
        pages, costs = [], []
        for asked in (text, unknown):
            with CaptureQueriesContext(connection) as captured:
                pages.append(main_of(stranger.get(FIND, q=asked)))
            costs.append(len(captured))
        assert "Nothing found" in pages[0], text
        assert (pages[0], costs[0]) == (pages[1], costs[1]), text


def test_what_is_in_the_other_environment_is_named_with_a_link_that_switches(portal, account, api):
    order = FlightShop(api).ordered()
    page = portal.get("/portal/live/find/", q=order["reference"])
    link = f'href="{FIND}?q={order["reference"]}"'
    assert ("This names a booking in test." in text_of(page), link in page.content.decode()) == (True, True)
    assert led_to(portal, order["reference"]) == f"/portal/test/bookings/{order['id']}/"

    account.live_approved_until = clock.now() + timedelta(days=9)
    account.save()
    key, _ = issued_key(account, environment="live")
    page = portal.get(FIND, q=key.pk)
    assert "This names an API key in live." in text_of(page)
    assert led_to(portal, key.pk, "/portal/live/find/") == f"/portal/live/keys/{key.pk}/"


def test_what_is_in_another_sandbox_is_named_with_a_button_that_switches(portal, account):
    from apps.accounts.sandboxes import sandboxes_of
    from apps.onboarding.sandboxes import open_sandbox

    open_sandbox(account=account, name="Second")
    [other] = [each for each in sandboxes_of(account.pk) if each.name == "Second"]
    key, _ = issued_key(other.account)
    page = portal.get(FIND, q=key.pk)
    assert "This names an API key in the sandbox Second." in text_of(page)
    back = portal.post("/portal/switch/sandbox/", {"sandbox": "Second", "find": key.pk})
    assert back["Location"] == f"{FIND}?q={key.pk}"
    assert led_to(portal, key.pk) == f"/portal/test/keys/{key.pk}/"


def test_who_may_not_see_a_page_does_not_find_its_rows(portal_as: Callable[[str], Person], api, monkeypatch):
    request_id = api.get("/v1/account").headers["X-Request-Id"]
    write_down()
    viewer = portal_as(Role.VIEWER)
    assert led_to(viewer, request_id) == f"/portal/test/requests/{request_id}/"
    monkeypatch.setattr(RequestDetailView, "allowed_roles", frozenset({Role.OWNER}))
    assert "Nothing found" in text_of(viewer.get(FIND, q=request_id))
    assert led_to(portal_as(Role.OWNER), request_id) == f"/portal/test/requests/{request_id}/"


def addresses(person: Person, text: str, path: str = FIND) -> list[str]:
    """What is found, in the order in which it is shown."""
    answer = person.get(path, q=text, list="1")
    return [hit.address for group in answer.context["groups"] for hit in group.hits]


def test_every_page_and_action_opens(portal):
    for path in (FIND, "/portal/live/find/"):
        choices = addresses(portal, "", path)
        assert len(choices) > 20
        assert {address: portal.get(address).status_code for address in choices} == dict.fromkeys(
            choices, 200
        )


def test_a_whole_secret_finds_its_key_with_a_warning(portal, account):
    key, secret = issued_key(account)
    answer = portal.client.get(FIND, {"q": secret}, follow=True)
    assert answer.redirect_chain == [(f"/portal/test/keys/{key.pk}/", 302)]
    assert "You pasted a whole secret" in text_of(answer)


def test_it_costs_at_most_twelve_queries_and_each_look_up_uses_an_index(portal, account, monkeypatch):
    monkeypatch.setattr("tests.portal.crowd.CALLS", 5_000)
    names = add_sample_data(account, portal.user)
    crowd(account, names)
    texts = [
        " ".join(names[name] for name in ("request", "booking", "delivery", "key", "endpoint")),
        f"{names['key']} H-00000000 evt_{1:026} led_{1:026} svc_test_zzzz {REQUEST}",
        "ABCDEF",
        "8935101234567890123",
        "nobody@partner.example",
    ]
    seen: set[str] = set()
    for text in texts:
        with CaptureQueriesContext(connection) as captured:
            assert portal.client.get(f"{FIND}?q={quote(text)}").status_code == 200
        assert len(captured) <= 12
        looks = [query["sql"] for query in captured.captured_queries if '"kind_"' in query["sql"]]
        assert looks
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # small tables are read whole, and tell nothing
        for look in looks:
            plan = explained(look)
            assert "Seq Scan" not in plan, plan
            seen |= set(re.findall(r"Index(?: Only)? Scan (?:using|on) (\w+)", plan))
    assert seen >= {
        "logged_call_once",
        "bookings_booking_pkey",
        "bookings_booking_reference_key",
        "booking_by_partners_reference",
        "booking_by_suppliers_reference",
        "booking_by_pnr",
        "booking_by_iccid",
        "idempotency_key_once",
        "past_key_by_key",
        "logged_call_by_idempotency_key",
        "webhooks_delivery_pkey",
        "webhooks_event_pkey",
        "key_secret_by_prefix",
    }, seen


LOGGED = "9eef26dd-1bce-474a-aa89-9046dd70e931"


def test_a_line_of_a_log_gives_the_ids_in_it():
    line = (
        f'ERROR 409 {{"error":{{"requestId":"{LOGGED}"}}}} on /v1/flights/orders/ford_01kb2c8x000000000000000000 '
        "(F-7KQ2M9XD), event EVT_01KB2C8X000000000000000000"
    )
    pasted = Pasted.of(line)
    assert pasted.requests == (uuid.UUID(LOGGED),)
    assert pasted.ids == ("ford_01kb2c8x000000000000000000", "evt_01kb2c8x000000000000000000")
    assert pasted.references == ("F-7KQ2M9XD",)


@pytest.mark.parametrize("text", [f' "{LOGGED}",', LOGGED.upper(), LOGGED.replace("-", "")])
def test_a_request_id_is_known_in_every_spelling(text):
    assert Pasted.of(text).requests == (uuid.UUID(LOGGED),)
