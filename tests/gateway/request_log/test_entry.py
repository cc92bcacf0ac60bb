"""What an entry says of a call that came through, was replayed, crashed, or never reached a view."""

import uuid
from collections.abc import Callable

import pytest
from django.test import Client

from apps.common.errors import Conflict, GatewayError, InvalidRequest
from apps.common.ids import new_id
from apps.gateway.request_log import writer
from apps.gateway.request_log.buffer import MAX_OWNERLESS
from apps.gateway.request_log.models import CallHour, LoggedCall
from apps.gateway.request_log.redaction import HIDDEN
from apps.keys.models import KeySecret
from apps.keys.scopes import ENFORCED
from apps.keys.secrets import digest
from tests.factories.gateway import api_of_new_partner
from tests.support.flight_shop import PASSENGER, FlightShop, order_body
from tests.support.operations import partner_operations
from tests.support.trips import counted_redis_trips

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


def test_the_replay_of_a_refusal_has_its_type(logged: Logged):
    api = api_of_new_partner()
    for _ in range(2):
        api.post("/v1/flights/searches", {**SEARCH, "origin": "?"}, key="one-and-the-same")
    calls = logged()

    assert [(call.status, call.error_type, call.replayed) for call in calls] == [
        (400, "invalid_request", False),
        (400, "invalid_request", True),
    ]


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
    for call in (first, again):
        kept = call.response_body["error"]
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


def test_a_booking_that_is_refused_is_known_by_its_path(logged: Logged):
    api = api_of_new_partner(scopes=["esim:read"])
    unknown = "ford_01kb2c0000000000000000000a"
    api.get(f"/v1/flights/orders/{unknown}")
    [call] = logged()

    assert (call.status, call.booking_id, call.booking_reference) == (403, unknown, "")


def test_the_query_shows_what_the_operation_knows(logged: Logged):
    api = api_of_new_partner()
    api.get("/v1/flights/orders?limit=5&status=ticketed&externalReference=Ada+Lovelace&colour=blue")
    [call] = logged()

    assert call.query == "limit=5&status=ticketed&externalReference=•••"
    assert call.ignored_parameters == "colour"


def test_ignored_parameters_are_shown_where_they_are_words_or_a_slip_in_a_name_of_ours(logged: Logged):
    api = api_of_new_partner()
    api.get(
        "/v1/flights/orders?page_size=5&Limit=7&status[]=x&Ada+Lovelace=1&ada@x.example=2&limit=3&CHECK-IN=4&[]=5"
    )
    api.get("/v1/flights/orders")
    [slips, none] = logged()

    assert slips.ignored_parameters == "page_size, Limit, status[], •••, CHECK-IN"
    assert (slips.query, none.ignored_parameters) == ("limit=3", "")


def test_an_unknown_id_of_our_form_is_shown_and_what_else_was_typed_there_is_not(logged: Logged):
    api = api_of_new_partner()
    typed = ["ford_1234", "htl_99_1", "we_does-not-exist", "ada_lovelace", "Ada", f"ford_{'a' * 41}"]
    for each in typed:
        assert api.get(f"/v1/flights/orders/{each}").status == 404
    shown = [call.path.rpartition("/")[2] for call in logged()]
    assert shown == [*typed[:3], HIDDEN, HIDDEN, HIDDEN]


def test_the_city_of_a_search_is_shown(logged: Logged):
    api = api_of_new_partner()
    cities = ["Lisbn", "São Paulo", "St. John’s", "मुंबई", "ada@x.example", "+351 210 000 000", "12 Main St"]
    for city in cities:
        api.post("/v1/hotels/searches", {"destination": {"city": city}})
    kept = [call.request_body["destination"]["city"] for call in logged()]
    assert kept == [*cities[:4], HIDDEN, HIDDEN, HIDDEN]


def test_a_path_is_kept_to_255_characters(logged: Logged):
    api = api_of_new_partner()
    path = "/v1" + "/account" * 40
    assert api.get(path).status == 404
    [call] = logged()

    assert call.path == path[:255]


def test_a_query_with_too_many_parameters_is_logged_as_the_refusal_it_was(logged: Logged):
    api = api_of_new_partner()
    assert api.get(f"/v1/flights/orders?{'limit=5&' * 1_001}").status == 400
    [call] = logged()

    assert (call.status, call.error_type, call.query) == (400, "invalid_request", "•••")


def test_a_trigger_is_told_with_whether_it_fired(logged: Logged):
    api = api_of_new_partner()
    api.post("/v1/flights/searches", SEARCH, X_Partner_Customer_Ref="sbx_supplier_error")
    api.get("/v1/account", X_Partner_Customer_Ref="sbx_slow")
    fired, ignored = logged()

    assert (fired.trigger, fired.trigger_fired, fired.status) == ("sbx_supplier_error", True, 502)
    assert (ignored.trigger, ignored.trigger_fired, ignored.status) == ("sbx_slow", False, 200)


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
    for operation in operations:
        for planted in ("Quillon", [{"Quillon": "Quillon"}], {"type": "Quillon", "Quillon": ["Quillon"]}):
            body = dict.fromkeys(operation.route.body().fields, planted)
            api.send(operation.method, operation.url, body, Idempotency_Key=new_id("idem"))
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


def test_turned_off_nothing_is_taken_down(settings, logged: Logged):
    settings.REQUEST_LOG = False
    api_of_new_partner().get("/v1/account")
    Client().get("/v1/nowhere")

    assert logged() == []


def test_logging_a_call_asks_neither_redis_nor_the_database(monkeypatch, django_assert_num_queries):
    api, taken = api_of_new_partner(), []
    with monkeypatch.context() as patched:
        patched.setattr(writer, "log_call", lambda *ended, **how: taken.append((ended, how)))
        api.get("/v1/account")

    with counted_redis_trips() as trips, django_assert_num_queries(0):
        [(ended, how)] = taken
        writer.log_call(*ended, **how)

    assert (trips, len(writer.buffer)) == ([], 1)
