"""Whatever is sent: no 500, the envelope, a refusal of bounded size that names what is wrong, and nothing wrong silently taken.

A few thousand bodies go through the parser and the validation alone, every ninth through the whole of the service.
"""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Account
from apps.common.errors import InvalidRequest
from apps.gateway import parsers
from apps.gateway.exceptions import error_response
from apps.gateway.models import IdempotencyRecord
from apps.gateway.serializers import validate
from apps.keys.scopes import GRANTABLE
from tests.contract.attempts import VALID_SEARCHES
from tests.contract.goods import ENDPOINT, GUESTS, LEAD
from tests.factories.gateway import api_of_new_partner
from tests.fuzz.hostile import Case, bodies, queries
from tests.support.flight_shop import CONTACT, PASSENGER
from tests.support.operations import Operation, operations

pytestmark = pytest.mark.django_db
EVERY = 9
LARGEST_REFUSAL = 64 * 1024
UNLIMITED = {"rate_search": 10**6, "rate_booking": 10**6, "rate_read": 10**6, "search_quota": 10**6}
VALID: dict[str, dict[str, Any]] = {
    **VALID_SEARCHES,
    "createHotelBooking": {"rateId": "rate_x", "guests": GUESTS, "contact": CONTACT},
    "requestEsimRefund": {"reason": "trip_cancelled"},
    "correctHotelGuest": {"guest": 0, "firstName": "Ada", "lastName": "Byron"},
    "findHotelChangeOptions": {"checkOut": "2027-02-10"},
    "changeHotelBooking": {"changeId": "change_x"},
    "createFlightOrder": {"offerId": "offer_x", "passengers": [PASSENGER], "contact": CONTACT},
    "createTransferOrder": {"quoteId": "quote_x", "leadPassenger": LEAD},
    "createEsimOrder": {"planId": "plan_x"},
    "createEsimTopUp": {"planId": "plan_x"},
    "listFlightChangeOptions": {
        "removeSliceId": "slice_x",
        "add": {"origin": "LIS", "destination": "BER", "departureDate": "2027-02-10"},
    },
    "changeFlightOrder": {"changeId": "change_x"},
    "addFlightOrderServices": {"services": [{"serviceId": "service_x"}]},
    "createWebhookEndpoint": ENDPOINT,
}
WITH_BODY = [operation for operation in operations() if operation.route.body is not None]
WITH_QUERY = [operation for operation in operations() if operation.route.query]
WITH_ID = [operation for operation in operations() if operation.takes_id]
# fmt: off
IDS = (
    "%00", "%0a", "%20", "%ff", "%C0%80", "%ED%A0%80", "é", "日本", "x" * 4_000, "'--", "%27%20OR%201=1", "%2e%2e", "a%2Fb",
    "null", "-1", "0", "1e400", "NaN", "[]", "{}", "%25", "%", "hbk_", "HBK_01KB2C0000000000000000000A", "x;y", "x%3Fy=1",
)
# fmt: on

Send = Callable[..., Any]


@pytest.fixture
def send() -> Send:
    """`send("POST", url, body)` by a partner without limits."""
    secret = api_of_new_partner(scopes=GRANTABLE).secret
    Account.objects.update(**UNLIMITED)
    client = Client(raise_request_exception=False)

    def send(method: str, url: str, body: bytes = b"") -> Any:
        headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": uuid.uuid4().hex}
        return client.generic(method, url, body, content_type="application/json", headers=headers)

    return send


def cases_of(operation: Operation) -> list[Case]:
    return list(bodies(operation.route.body, VALID.get(operation.route.id, {})))  # type: ignore[arg-type]


def faults(response: Any, *, wrong: bool, path: str = "") -> list[str]:
    """What is the matter with an answer. `wrong`: what was sent must be refused with 400, which names `path`."""
    status, error = response.status_code, json.loads(response.content).get("error", {})
    found = [f"answered {status}"] if status >= 500 or (wrong and status != 400) else []
    if status >= 400 and not {"type", "message", "requestId"} <= set(error):
        found.append("without the envelope")
    if status >= 400 and len(response.content) > LARGEST_REFUSAL:
        found.append(f"{len(response.content)} bytes")
    named = [detail["field"] for detail in error.get("details", [])]
    if path and not any(same_branch(field, path) for field in named):
        found.append(f"{path} is not among {named}")
    return found


def same_branch(field: str, path: str) -> bool:
    """Whether one is the other, or holds it."""
    return f"{field}.".startswith(f"{path}.") or f"{path}.".startswith(f"{field}.")


def refused(operation: Operation, raw: bytes) -> Any:
    """The refusal by parser or validation; None where both take the body."""
    try:
        validate(operation.route.body, parsers.parse(raw))  # type: ignore[arg-type]
    except InvalidRequest as refusal:
        return error_response(refusal, "an-id")
    return None


@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_every_wrong_body_is_refused_by_name_and_at_no_great_length(operation: Operation) -> None:
    wrong = [case for case in cases_of(operation) if case.wrong]
    bad = []
    for case in wrong:
        response = refused(operation, case.body)
        if response is None or faults(response, wrong=True, path=case.path):
            bad.append((case.path, case.body[:300]))

    assert bad == []
    assert len(wrong) > 50


@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_every_ninth_hostile_body_is_answered_well_by_the_whole_service(
    operation: Operation, send: Send
) -> None:
    bad = []
    for case in cases_of(operation)[::EVERY]:
        response = send(operation.method, operation.url, case.body)
        if found := faults(response, wrong=case.wrong, path=case.path):
            bad.append((case.path, case.body[:300], found))

    assert bad == []


@pytest.mark.parametrize("operation", WITH_QUERY, ids=str)
def test_every_hostile_query_is_answered_well(operation: Operation, send: Send) -> None:
    cases = [case for parameter in operation.route.query for case in queries(parameter)]
    cases += [("&" * 2_000, True), ("&".join(f"a{n}=1" for n in range(2_000)), True), ("x" * 20_000, False)]
    bad = []
    for query, wrong in cases:
        # Without the parameters that it needs, a call is wrong by itself.
        address, _, needed = operation.url.partition("?")
        needed = "" if f"{needed.partition('=')[0]}=" in query else needed
        if found := faults(send(operation.method, f"{address}?{needed}&{query}"), wrong=wrong):
            bad.append((query[:100], found))

    assert bad == []


@pytest.mark.parametrize("operation", WITH_ID, ids=str)
def test_every_hostile_id_is_as_good_as_unknown(operation: Operation, send: Send) -> None:
    body = json.dumps(VALID.get(operation.route.id, {})).encode() if operation.route.body else b""
    answered = {id: send(operation.method, operation.url_of(id), body) for id in IDS}

    assert {id: found for id, each in answered.items() if (found := faults(each, wrong=False))} == {}
    assert {each.status_code for each in answered.values()} <= {404, 405, 409, 410}


def test_there_are_thousands_of_cases() -> None:
    in_bodies = sum(len(cases_of(each)) for each in WITH_BODY)
    in_queries = sum(len(list(queries(parameter))) for each in WITH_QUERY for parameter in each.route.query)

    assert in_bodies + in_queries + len(IDS) * len(WITH_ID) > 4_000


ATTACKS = {
    "passengers by the thousand": b'{"passengers":[' + b"{}," * 80_000 + b"{}]}",
    "passengers as many as the parser lets pass": b'{"passengers":[' + b"{}," * 900 + b"{}]}",
    "unknown names": ("{" + ",".join(f'"{"n" * 200}{number}":1' for number in range(900)) + "}").encode(),
    "one long name": b'{"' + b"\\u0001" * 40_000 + b'":1}',
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_refusal_is_small_and_so_is_what_is_kept_of_it(name: str, send: Send) -> None:
    """Answers below 500 are kept for a day; one body once made 25 MB of them."""
    response = send("POST", "/v1/flights/orders", ATTACKS[name])

    assert response.status_code == 400
    assert len(response.content) < LARGEST_REFUSAL
    assert sum(len(record.body or "") for record in IdempotencyRecord.objects.all()) < LARGEST_REFUSAL


def test_of_too_many_passengers_it_is_said_that_there_are_too_many_and_nothing_of_each(send: Send) -> None:
    attack = ATTACKS["passengers as many as the parser lets pass"]
    error = json.loads(send("POST", "/v1/flights/orders", attack).content)["error"]

    assert [detail for detail in error["details"] if detail["field"].startswith("passengers")] == [
        {"field": "passengers", "message": "must have at most 18 items"}
    ]
