"""What the record of a call contains: of one that succeeded, was rejected or replayed, crashed, or never reached a view."""

import uuid
from collections.abc import Callable

import pytest
from django.test import Client

from apps.common.errors import Conflict, GatewayError, InvalidRequest
from apps.common.ids import new_id
from apps.gateway.value_forms import HIDDEN
from apps.keys.models import KeySecret
from apps.keys.scopes import ENFORCED
from apps.keys.secrets import digest
from apps.request_log.models import CallHour, LoggedCall
from apps.request_log.records import why
from apps.request_log.writer import MAX_OWNERLESS
from tests.contract.attempts import FAULTS, Attempt, Fault
from tests.factories.gateway import api_of_new_partner
from tests.request_log.calls import call, ended
from tests.support.flight_shop import PASSENGER, FlightShop, order_body
from tests.support.operations import Operation, operation_of, partner_operations, sandbox_operations

pytestmark = pytest.mark.django_db
SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}
Logged = Callable[[], list[LoggedCall]]


def test_a_read_says_who_asked_for_what_and_how_long_it_took(logged: Logged):
    api = api_of_new_partner()
    reply = api.get("/v1/account", User_Agent="acme-booking/1.2 (python 3.12)")
    [call] = logged()

    secret = KeySecret.objects.get(digest=digest(api.secret))
    assert call.request_id == uuid.UUID(reply.headers["X-Request-Id"])
    assert (call.account_id, call.environment) == (secret.key.account_id, "test")
    assert (call.key, call.secret) == (secret.key, secret)
    assert (call.method, call.path, call.query) == ("GET", "/v1/account", "")
    assert (call.operation, call.product) == ("getAccount", "account")
    assert (call.status, call.error_type, call.why) == (200, "", "")
    assert (call.billable, call.replayed) == (None, False)
    assert (call.client_address, call.user_agent) == (api.address, "acme-booking/1.2")
    assert [step.name for step in call.steps][::13] == ["bearer_key", "operation"]
    assert all(step.passed for step in call.steps)
    assert 0 < call.duration_ms < 60_000
    assert call.response_body == {"id": secret.key.account_id, "status": "active"}


def test_a_search_is_billable_and_its_replay_is_not_and_says_so(logged: Logged):
    api = api_of_new_partner()
    key = new_id("idem")
    for _ in range(2):
        api.post("/v1/flights/searches", SEARCH, key=key)
    first, again = logged()

    assert (first.status, first.billable, first.replayed) == (201, True, False)
    assert (again.status, again.billable, again.replayed) == (201, False, True)
    assert first.request_body == again.request_body == SEARCH
    assert (first.idempotency_key, again.idempotency_key) == (key,) * 2
    assert set(first.response_body) == {"id", "createdAt"}
    assert again.response_body is None


OURS_WITH_DETAILS = InvalidRequest(
    "Too early.", ours=True, details=[{"field": "planId", "message": "Sent in the evening."}]
)


@pytest.mark.parametrize(
    ("refusal", "message", "details"),
    [
        (
            Conflict("The order is cancelled, not ticketed.", ours=True),
            "The order is cancelled, not ticketed.",
            None,
        ),
        (OURS_WITH_DETAILS, "Too early.", ["Sent in the evening."]),
        (Conflict("Ada has flown."), HIDDEN, None),
        (InvalidRequest.field("planId", "Ada has it."), InvalidRequest.default_message, [HIDDEN]),
        (Conflict(), Conflict.default_message, None),
    ],
    ids=str,
)
def test_the_replay_of_a_refusal_keeps_of_its_texts_what_the_first_call_kept(
    refusal: GatewayError, message: str, details: list[str] | None, monkeypatch, logged: Logged
):
    def refuse(**_asked: object) -> None:
        raise refusal

    monkeypatch.setattr("apps.esim.views.order_esim", refuse)
    api = api_of_new_partner(scopes=ENFORCED)
    sent = [api.post("/v1/esim/orders", {"planId": "plan_1"}, key="one-and-the-same") for _ in range(2)]
    first, again = logged()

    assert (first.replayed, again.replayed) == (False, True)
    assert {reply.error["message"] for reply in sent} == {refusal.message}
    for logged_call in (first, again):
        kept = logged_call.response_body["error"]
        assert kept["message"] == message
        assert [one["message"] for one in kept["details"]] == details if details else "details" not in kept


def test_a_booking_is_named_by_whoever_makes_reads_or_alters_it(logged: Logged):
    shop = FlightShop(api_of_new_partner(cents=10_000_000))
    order = shop.ordered()
    shop.read(order["id"])
    shop.cancel(order["id"])
    calls = [call for call in logged() if call.operation != "searchFlights"]

    assert [call.operation for call in calls] == ["createFlightOrder", "getFlightOrder", "cancelFlightOrder"]
    assert [(call.booking_id, call.booking_reference) for call in calls] == [
        (order["id"], order["reference"])
    ] * 3


def test_the_query_shows_what_the_operation_knows(logged: Logged):
    api = api_of_new_partner()
    api.get("/v1/flights/orders?limit=5&status=ticketed&externalReference=Ada+Lovelace&colour=blue")
    [call] = logged()

    assert call.query == "limit=5&status=ticketed&externalReference=•••"
    assert call.ignored_parameters == "colour"


def test_an_unknown_id_of_our_form_is_shown_and_what_else_was_typed_there_is_not(logged: Logged):
    api = api_of_new_partner()
    typed = ["ford_1234", "htl_99_1", "we_does-not-exist", "ada_lovelace", "Ada", f"ford_{'a' * 41}"]
    for each in typed:
        assert api.get(f"/v1/flights/orders/{each}").status == 404
    shown = [call.path.rpartition("/")[2] for call in logged()]
    assert shown == [*typed[:3], HIDDEN, HIDDEN, HIDDEN]


@pytest.mark.parametrize(
    ("method", "path", "headers", "expected"),
    [
        ("GET", "/v1/passengers/John", {}, (404, "not_found", "/v1/•••/•••")),
        ("POST", "/v1/flights/searches", {"Content-Length": "999999"}, (413, "payload_too_large", None)),
        ("GET", "/v1/account", {"Host": "evil.example"}, (400, "invalid_request", None)),
    ],
)
def test_what_never_reaches_a_view_is_nobodys_call(
    method: str, path: str, headers: dict[str, str], expected: tuple[int, str, str | None], logged: Logged
):
    response = Client(raise_request_exception=False).generic(method, path, headers=headers)
    [call] = logged()

    assert call.request_id == uuid.UUID(response["X-Request-Id"])
    assert (call.status, call.error_type, call.path) == (*expected[:2], expected[2] or path)
    assert (call.account, call.environment, call.key) == (None, "", None)
    assert CallHour.objects.count() == 0


def test_a_crash_inside_an_operation_is_its_callers_500(monkeypatch, logged: Logged):
    def fail(*_: object) -> None:
        raise ValueError("a secret of ours")

    monkeypatch.setattr("apps.account_api.views.overview_of", fail)
    api = api_of_new_partner()
    api.get("/v1/account")
    [call] = logged()

    assert (call.status, call.error_type) == (500, "internal_error")
    assert call.account_id is not None
    assert call.steps[-1][:2] == ("operation", "ValueError")


def test_nothing_planted_in_a_body_is_in_its_entry(logged: Logged):
    """Whatever the operations make of it: their refusals may quote what was sent, and the log must not."""
    api = api_of_new_partner(scopes=list(ENFORCED), cents=10_000_000)
    operations = [one for one in partner_operations() if one.route.body is not None]
    for each in operations:
        for planted in ("Quillon", [{"Quillon": "Quillon"}], {"type": "Quillon", "Quillon": ["Quillon"]}):
            body = dict.fromkeys(each.route.body().fields, planted)
            api.send(each.method, each.url, body, Idempotency_Key=new_id("idem"))
    offer = FlightShop(api).offer()
    names = {"firstName": "Quillon", "lastName": "Quillon", "notes": "Quillon"}
    api.post("/v1/flights/orders", order_body(offer, passengers=[{**PASSENGER, **names}]))
    api.post("/v1/flights/orders", order_body(offer, passengers=[{**PASSENGER, "lastName": "Quillon"}]))

    assert len(logged()) == 3 * len(operations) + 3
    rows = list(LoggedCall.objects.values())
    assert {row["status"] for row in rows} >= {400, 201}
    assert [row for row in rows if "quillon" in str(row).lower()] == []


def test_a_flood_without_a_key_leaves_the_partners_calls_alone(logged: Logged):
    api, stranger = api_of_new_partner(), Client(raise_request_exception=False)
    for number in range(3 * MAX_OWNERLESS):
        stranger.get(f"/v1/nowhere/{number}")
    api.get("/v1/account")
    calls = logged()

    assert [call.account_id is None for call in calls] == [True] * MAX_OWNERLESS + [False]


def test_probes_and_pages_are_no_calls(logged: Logged):
    for path in ("/v1/ping", "/v1/openapi.json", "/health", "/nowhere"):
        Client(raise_request_exception=False).get(path)

    assert logged() == []


@pytest.mark.parametrize("operation", [*partner_operations(), *sandbox_operations()], ids=str)
def test_the_path_of_every_operation_is_kept_whole(operation: Operation):
    path = operation.url_of("ford_01kb2c0000000000000000000a").partition("?")[0]

    assert ended(call(path), {}).path == path


STEP_NAMES = {
    4: "bearer_key",
    5: "environment",
    6: "client_ip",
    7: "method",
    8: "account_status",
    9: "scope",
    10: "rate_limit",
    11: "body",
    12: "idempotency_key",
    13: "sandbox_trigger",
    14: "idempotency_claim",
    15: "validation",
    16: "quota",
}
OWNERLESS = {"no key", "not bearer", "junk key", "wrong checksum", "key never issued"}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_every_refusal_has_an_entry_that_names_its_step(fault: Fault, logged: Logged):
    attempt = Attempt(operation_of("searchFlights"))
    fault.plant(attempt)
    response = attempt.send()
    [call] = logged()

    assert call.request_id == uuid.UUID(response["X-Request-Id"])
    assert (call.status, call.error_type) == (response.status_code, fault.type)
    assert (call.method, call.response_body["error"]["type"]) == (attempt.method, fault.type)
    if fault.step < 4:
        assert (call.account_id, call.steps) == (None, [])
        return
    assert [step.name for step in call.steps if not step.passed] == [STEP_NAMES[fault.step]]
    assert [step.name for step in call.steps] == list(STEP_NAMES.values())[: fault.step - 3]
    owner = None if fault.name in OWNERLESS else attempt.api_key.id
    assert (call.key_id, call.secret_id) == (owner, attempt.secret_row.pk if owner else None)
    assert call.client_address == attempt.api.address


WHY = {
    "revoked key": "Whoever calls from {address} still uses this key, which was revoked.",
    "wrong address": "The call came from {address}, which is not in the key's list: 198.51.100.7.",
    "missing scope": "The operation needs the scope flights:search; the key has bookings:read.",
    "unknown property": "••• is not a property of this request",
    "no quota left": "The day's 0 searches of the account were used up.",
}


@pytest.mark.parametrize("name", WHY)
def test_the_owner_reads_why(name: str, logged: Logged):
    attempt = Attempt(operation_of("searchFlights"))
    next(fault for fault in FAULTS if fault.name == name).plant(attempt)
    attempt.send()
    [call] = logged()

    assert call.why == WHY[name].format(address=attempt.api.address)


def test_a_reason_is_the_first_fields_and_never_what_was_sent():
    details = [
        {"field": "checkIn", "message": "must not be in the past"},
        {"field": "rooms.0.adults", "message": "must be at least 1"},
        {"field": "destination.city", "message": 'is not "Ada Byron"'},
        {"field": "currency", "message": "must be EUR"},
    ]
    assert why(InvalidRequest(details=details)) == (
        "checkIn must not be in the past; rooms.0.adults must be at least 1; destination.city is not valid; and 1 more"
    )
