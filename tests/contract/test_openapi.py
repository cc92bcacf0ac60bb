"""The document at /v1/openapi.json: valid, complete, drawn without a complaint; and what holds the suite's answers to it."""

import copy
import json
import re
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from django.conf import settings
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from apps.accounts.actors import SUPPORT
from apps.bookings.flow.approval import decline
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.settle import fail
from apps.bookings.models import Operation
from apps.gateway.openapi import document, sandbox_document
from apps.gateway.openapi.schema import event_name
from apps.gateway.periodic import Tally
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.keys.models import ApiKey
from apps.ledger.models import Wallet
from apps.ledger.spend_limits import Limits, set_spend_limits
from apps.portal.notifications.low_balance import report_low_balances
from apps.suppliers.errors import OutcomeUnknown
from apps.webhooks.events import EMITTED
from apps.webhooks.models import Event
from apps.webhooks.services.send_test import send_test
from apps.webhooks.signatures import new_secret, signature_headers
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.factories.webhooks import EndpointFactory
from tests.support.documented import followed, refuse_undocumented
from tests.support.flight_shop import FlightShop
from tests.support.operations import operations, partner_operations, sandbox_operations


@pytest.mark.parametrize("drawn", [document, sandbox_document])
def test_the_document_is_valid_openapi_3_1(drawn):
    assert drawn()["openapi"] == "3.1.0"
    assert list(OpenAPIV31SpecValidator(drawn()).iter_errors()) == []


def test_the_sandbox_has_a_document_of_its_own():
    drawn = {
        (method, path): entry["operationId"]
        for path, entries in sandbox_document()["paths"].items()
        for method, entry in entries.items()
    }
    assert drawn == {(op.method.lower(), op.path): op.route.id for op in sandbox_operations()}
    assert "webhooks" not in sandbox_document()
    assert not any(path.startswith("/sandbox") for path in document()["paths"])


def test_it_is_drawn_without_warnings_or_errors(capsys):
    GENERATOR_STATS.reset()
    SchemaGenerator().get_schema(request=None, public=True)

    assert (dict(GENERATOR_STATS._warn_cache), dict(GENERATOR_STATS._error_cache)) == ({}, {})
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("path", "drawn"), [("/v1/openapi.json", document), ("/sandbox/openapi.json", sandbox_document)]
)
def test_it_is_public_and_names_the_address_of_the_deployment(settings, path, drawn):
    settings.PUBLIC_BASE_URL = "https://api.example.com"
    response = Client().get(path)

    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    served = response.json()
    assert [server.pop("url") for server in served["servers"]] == ["https://api.example.com"]
    kept = copy.deepcopy(drawn())
    assert [server.pop("url") for server in kept["servers"]] == ["/"]
    assert served == kept
    assert path not in served["paths"]


def test_it_names_no_internal_exception_and_no_secret_form():
    text = Client().get("/v1/openapi.json").content.decode()

    here = re.escape(str(settings.BASE_DIR))
    told = rf"Traceback|{here}|localhost|whsec_[A-Za-z0-9]{{8}}|svc_(?:test|live)_\w{{8}}"
    assert re.findall(told, text) == []


@pytest.mark.parametrize("operation", partner_operations(), ids=str)
def test_each_operation_documents_the_statuses_every_operation_can_return(operation):
    entry = document()["paths"][operation.path][operation.method.lower()]
    always = {"400", "401", "403", "429", "500", "503"} | ({"409"} if operation.method == "POST" else set())

    assert always <= set(entry["responses"])
    assert str(operation.route.status) in entry["responses"]
    assert entry["security"] == ([{"apiKey": [each]} for each in operation.route.scopes] or [{"apiKey": []}])
    for status, response in entry["responses"].items():
        limits = {"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
        headers = followed(response)["headers"]
        assert limits <= set(headers), status
        assert all(followed(header)["description"] for header in headers.values()), status


@pytest.mark.parametrize("operation", [op for op in operations() if op.method == "POST"], ids=str)
def test_each_post_documents_its_idempotency_key_and_a_closed_body(operation):
    entry = document()["paths"][operation.path]["post"]
    told = map(followed, entry["parameters"])
    (key,) = [parameter for parameter in told if parameter["name"] == "Idempotency-Key"]

    assert key["required"] is True
    assert (key["schema"]["minLength"], key["schema"]["maxLength"]) == (8, 255)
    assert re.fullmatch(key["schema"]["pattern"], "with a space")
    schema = entry["requestBody"]["content"]["application/json"]["schema"]
    name = schema["$ref"].rpartition("/")[2]
    assert document()["components"]["schemas"][name]["additionalProperties"] is False


def test_every_header_of_a_delivery_is_described():
    secrets = [new_secret(), new_secret()]
    sent = signature_headers(event_id="evt_1", timestamp=1, body=b"{}", signing_secrets=secrets)
    told = document()["webhooks"]
    assert told
    for name, entry in told.items():
        described = {(parameter["in"], parameter["name"]) for parameter in entry["post"]["parameters"]}
        assert described == {("header", header) for header in sent}, name


def tell_of_what_no_call_does(goods: Goods) -> None:
    """What airlines and companies do by themselves, a refund in credit, a booking that is not there, a hold that ends."""
    orders = Goods(goods.api)
    assert orders.moved_order["scheduleChanges"]
    orders.call("createTransferOrder", X_Partner_Customer_Ref="sbx_supplier_changed")
    poll_suppliers()
    let_a_hold_end(Goods(goods.api))
    shop = FlightShop(goods.api)
    flights = shop.search(origin="LTN", destination="SYD")
    order = shop.ordered(next(offer for offer in flights if offer["conditions"]["refundable"]))
    assert shop.cancel(order["id"], acceptAirlineCredit=True).status == 200
    fail(a_lost_booking(orders), failure="NotFoundAtSupplier")
    esim, other = orders.esim_order["id"], Goods(goods.api).make("requestEsimRefund")["id"]
    goods.api.post("/sandbox/clock", {"advanceSeconds": 6 * 86_400 + 43_200})
    assert goods.api.get(f"/v1/esim/orders/{esim}/usage").body["status"] != "not_installed"
    poll_suppliers()
    assert goods.api.get(f"/v1/esim/orders/{other}").body["status"] == "cancelled"
    decide_about_a_booking(Goods(goods.api))
    Wallet.objects.update(warn_below_cents=10_000_000)
    assert report_low_balances(tally=Tally()) == 1


def decide_about_a_booking(goods: Goods) -> None:
    partner = partner_of(goods.api)
    key = ApiKey.objects.get(pk=partner.key_id)
    set_spend_limits(key=key, limits=Limits(approval_above_cents=0))
    order = goods.make("createTransferOrder")
    decline(partner=partner, booking_id=order["id"], actor=SUPPORT)


def let_a_hold_end(goods: Goods) -> None:
    pay_by = datetime.fromisoformat(goods.held_order["payBy"])
    for instant in (pay_by - timedelta(hours=1), pay_by):
        goods.api.post("/sandbox/clock", {"advanceTo": instant.isoformat().replace("+00:00", "Z")})
        poll_suppliers()


def a_lost_booking(goods: Goods) -> Operation:
    with patch.object(HotelSimulator, "book", side_effect=OutcomeUnknown):
        assert goods.call("createHotelBooking").status == 503
    return Operation.objects.select_related("booking").latest("id")


@pytest.mark.django_db
def test_each_event_carries_what_the_document_says_and_no_more():
    api = api_of_new_partner(cents=10_000_000)
    goods = Goods(api)
    endpoint = EndpointFactory(account_id=partner_of(api).account_id, events=sorted(EMITTED))
    send_test(endpoint=endpoint)
    made = (
        "changeFlightOrder",
        "cancelFlightOrder",
        "cancelHotelBooking",
        "cancelTransferOrder",
        "createEsimTopUp",
    )
    for operation_id in made:
        goods.make(operation_id)
    tell_of_what_no_call_does(goods)

    payloads = [json.loads(event.payload) for event in Event.objects.all()]
    told = {payload["type"]: payload["data"] for payload in payloads}
    assert set(told) == set(document()["webhooks"])
    for name, data in told.items():
        described = document()["components"]["schemas"][f"{event_name(name)}Data"]
        whole = {**described, "components": document()["components"]}  # which it refers to
        assert Draft202012Validator(whole).is_valid(data), name
        assert set(data) == set(described["properties"]), name


# --- The hook that holds every answer of the suite to the document -------------------------------------------------
OK = {"status": "ok", "time": "2026-11-20T14:03:22.120Z"}
ENVELOPE = {"error": {"type": "t", "message": "m", "requestId": "r"}}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"status": "ok"}),
        (200, {**OK, "more": 1}),
        (200, {**OK, "status": "fine"}),
        (200, {**OK, "time": "yesterday"}),
        (200, None),
        (418, ENVELOPE),
    ],
)
def test_an_answer_that_is_not_as_documented_is_noticed(status: int, body: object):
    refuse_undocumented("GET", "/v1/ping", 200, OK)

    with pytest.raises(AssertionError, match="ping"):
        refuse_undocumented("GET", "/v1/ping", status, body)


def schemas(name: str) -> dict:
    return document()["components"]["schemas"][name]["properties"]


@pytest.mark.parametrize(
    ("body", "field", "good", "bad"),
    [
        ("FlightSearchRequest", "origin", "LHR", "lhr"),
        ("FlightOrderRequest", "externalReference", " A-1 ", "a\tb"),
        ("ContactInput", "phone", "+351210000000", "+0351"),
        ("HotelDestinationInput", "countryCode", "PT", "PRT"),
        ("HotelDestinationInput", "city", "São Paulo", " \t "),
        ("HotelDestinationInput", "city", "\x1fa", " \x1f\x85"),
        ("TransferSearchRequest", "outbound", "2027-02-03T14:30:00", "2027-13-03T14:30:00"),
        ("TransferSearchRequest", "outbound", "2027-02-03T14:30", "2027-02-03T14:30:00Z"),
        ("WebhookEndpointRequest", "url", "https://partner.example/hooks", "ftp://partner.example"),
    ],
)
def test_a_request_says_what_a_text_looks_like(body, field, good, bad):
    pattern = schemas(body)[field]["pattern"]

    assert re.search(pattern, good)
    assert not re.search(pattern, bad)
