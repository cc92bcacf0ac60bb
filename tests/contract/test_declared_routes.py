"""What the views declare, beside what the contract says: the 43 operations with scope, class, quota and Idempotency-Key."""

from collections import Counter

from apps.gateway.openapi import document
from apps.gateway.operations import ANY_SCOPE
from apps.keys.scopes import ENFORCED
from tests.support.operations import Operation, operations

SEARCH, BOOKING, READ = "SEARCH", "BOOKING", "READ"

# method, path, scope ("" is public), rate class, counts against the search quota, takes an Idempotency-Key
SPECIFIED = """
POST   /v1/flights/searches                     flights:search    SEARCH   counts  required
GET    /v1/flights/offers/{id}                  flights:search    SEARCH   counts  -
POST   /v1/flights/orders/{id}/change-options   flights:book      BOOKING  free    required
POST   /v1/flights/orders/{id}/change           flights:book      BOOKING  free    required
POST   /v1/hotels/searches                      hotels:search     SEARCH   counts  required
GET    /v1/hotels/searches/{id}                 hotels:search     READ     free    -
GET    /v1/hotels/bookings                      hotels:book       READ     free    -
POST   /v1/hotels/bookings/{id}/cancel          hotels:book       BOOKING  free    required
POST   /v1/transfers/searches                   transfers:search  SEARCH   counts  required
GET    /v1/transfers/orders/{orderId}           transfers:book    READ     free    -
GET    /v1/esim/plans                           esim:read         READ     free    -
GET    /v1/esim/orders/{id}/usage               esim:read         READ     free    -
GET    /v1/account                              account:read      READ     free    -
"""
"""The operation table of the specification."""

DECIDED = """
GET    /v1/ping                                 public            READ     free    -
GET    /health                                  public            READ     free    -
GET    /health/ready                            public            READ     free    -
GET    /health/full                             public            READ     free    -
GET    /v1/account/ledger                       ledger:read       READ     free    -
GET    /v1/account/usage                        ledger:read       READ     free    -
GET    /v1/hotels/rates/{rateId}                hotels:search     READ     free    -
POST   /v1/hotels/bookings                      hotels:book       BOOKING  free    required
GET    /v1/hotels/bookings/{id}                 hotels:book       READ     free    -
POST   /v1/flights/orders                       flights:book      BOOKING  free    required
GET    /v1/flights/orders                       flights:book      READ     free    -
GET    /v1/flights/orders/{id}                  flights:book      READ     free    -
POST   /v1/flights/orders/{id}/cancel           flights:book      BOOKING  free    required
POST   /v1/transfers/orders                     transfers:book    BOOKING  free    required
GET    /v1/transfers/orders                     transfers:book    READ     free    -
POST   /v1/transfers/orders/{orderId}/cancel    transfers:book    BOOKING  free    required
GET    /v1/esim/plans/{id}                      esim:read         READ     free    -
POST   /v1/esim/orders                          esim:book         BOOKING  free    required
GET    /v1/esim/orders                          esim:read         READ     free    -
GET    /v1/esim/orders/{id}                     esim:read         READ     free    -
POST   /v1/webhooks/endpoints                   webhooks:manage   BOOKING  free    required
GET    /v1/webhooks/endpoints                   webhooks:manage   READ     free    -
GET    /v1/webhooks/endpoints/{id}              webhooks:manage   READ     free    -
PATCH  /v1/webhooks/endpoints/{id}              webhooks:manage   BOOKING  free    -
DELETE /v1/webhooks/endpoints/{id}              webhooks:manage   BOOKING  free    -
POST   /v1/webhooks/endpoints/{id}/rotate-secret webhooks:manage  BOOKING  free    required
POST   /v1/webhooks/endpoints/{id}/test         webhooks:manage   BOOKING  free    required
GET    /v1/webhooks/deliveries                  webhooks:manage   READ     free    -
GET    /v1/webhooks/deliveries/{id}             webhooks:manage   READ     free    -
POST   /v1/webhooks/deliveries/{id}/resend      webhooks:manage   BOOKING  free    required
"""
"""The rest of the 43, which the contract adds."""

ADDED = """
POST   /v1/flights/orders/{id}/schedule-changes/{changeId}/accept flights:book BOOKING free required 1.2
POST   /v1/flights/orders/{id}/pay              flights:book      BOOKING  free    required  1.3
GET    /v1/hotels/properties                    hotels:search     READ     free    -         1.3
GET    /v1/hotels/properties/{hotelId}          hotels:search     READ     free    -         1.3
POST   /v1/hotels/bookings/{id}/cancellation-quote hotels:book BOOKING free required 1.3
POST   /v1/hotels/bookings/{id}/correct-guest   hotels:book       BOOKING  free    required  1.3
POST   /v1/hotels/bookings/{id}/change-options  hotels:book       BOOKING  free    required  1.3
POST   /v1/hotels/bookings/{id}/change          hotels:book       BOOKING  free    required  1.3
POST   /v1/flights/orders/{id}/cancellation-quote flights:book BOOKING free required 1.3
POST   /v1/transfers/orders/{orderId}/cancellation-quote transfers:book BOOKING free required 1.3
POST   /v1/esim/orders/{id}/refund-requests     esim:book         BOOKING  free    required  1.3
GET    /v1/esim/orders/{id}/topups              esim:read         READ     free    -         1.2
POST   /v1/esim/orders/{id}/topups              esim:book         BOOKING  free    required  1.2
GET    /v1/esim/orders/{id}/instructions        esim:read         READ     free    -         1.2
GET    /v1/operations                           any               READ     free    -         1.2
GET    /v1/bookings                             hotels:book       READ     free    -         1.3
GET    /v1/account/statements                   ledger:read       READ     free    -         1.3
GET    /v1/account/statements/{month}           ledger:read       READ     free    -         1.3
GET    /v1/trips/document                       hotels:book       READ     free    -         1.3
GET    /v1/places                               hotels:search     READ     free    -         1.3
GET    /v1/events                               webhooks:manage   READ     free    -         1.2
GET    /v1/flights/searches/{id}                flights:search    READ     free    -         1.3
GET    /v1/flights/offers/{id}/services         flights:search    SEARCH   free    -         1.3
GET    /v1/flights/offers/{id}/seat-maps        flights:search    SEARCH   free    -         1.3
GET    /v1/flights/orders/{id}/services         flights:book      SEARCH   free    -         1.3
POST   /v1/flights/orders/{id}/services         flights:book      BOOKING  free    required  1.3
POST   /v1/hotels/min-rates                     hotels:search     SEARCH   counts  required  1.3
GET    /v1/hotels/bookings/{id}/document        hotels:book       READ     free    -         1.3
GET    /v1/flights/orders/{id}/document         flights:book      READ     free    -         1.3
GET    /v1/transfers/orders/{orderId}/document  transfers:book    READ     free    -         1.3
GET    /v1/esim/orders/{id}/document            esim:read         READ     free    -         1.3
"""
"""What came since, with the release that added it."""

ALL_MUST_EXIST = True
"""Whether an operation of the tables that no view declares is a failure, too."""

Line = tuple[str, ...]


def lines(table: str) -> list[Line]:
    return [tuple(line.split()) for line in table.strip().splitlines()]  # type: ignore[misc]


def declared(operation: Operation) -> Line:
    route = operation.route
    return (
        operation.method,
        operation.path,
        route.scope or "public",
        str(route.rate_class),
        "counts" if route.counts_quota else "free",
        "required" if operation.method == "POST" else "-",
    )


def test_the_tables_hold_the_43_operations_once_each():
    assert len(lines(SPECIFIED)) == 13
    paths = Counter((method, path) for method, path, *_ in lines(SPECIFIED + DECIDED.strip()))
    assert (len(paths), set(paths.values())) == (43, {1})


def test_views_declare_what_the_specification_says():
    """Prints the declared table (`pytest -s`), for reading beside the specification's."""
    found = sorted((declared(operation) for operation in operations()), key=lambda line: line[1])
    print("\n" + "\n".join(f"{m:7}{p:50}{s:18}{c:9}{q:8}{k}" for m, p, s, c, q, k in found))
    added: list[Line] = [line[:6] for line in lines(ADDED)]
    expected = sorted([*lines(SPECIFIED + DECIDED.strip()), *added], key=lambda line: line[1])
    if not ALL_MUST_EXIST:
        present = {line[:2] for line in found}
        expected = [line for line in expected if line[:2] in present]

    assert sorted(found) == sorted(expected)


def test_what_came_since_says_with_which_release():
    since = {(op.method, op.path): op.route.since for op in operations() if op.route.since}
    described = {
        (method.upper(), path): operation["x-since"]
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
        if "x-since" in operation
    }
    assert since == described == {(line[0], line[1]): line[6] for line in lines(ADDED)}


def test_operation_ids_are_distinct_and_camel_case():
    ids = [operation.route.id for operation in operations()]

    assert [name for name, times in Counter(ids).items() if times > 1] == []
    assert [name for name in ids if not (name.isalnum() and name[0].islower())] == []


def test_every_enforced_scope_opens_something():
    assert {operation.route.scope for operation in operations()} - {"", ANY_SCOPE} == set(ENFORCED)


def test_only_the_flight_change_answers_402_to_an_account_that_is_not_active():
    statuses = {operation.route.id: operation.route.inactive_status for operation in operations()}

    assert {name for name, status in statuses.items() if status != 403} == {"changeFlightOrder"}
    assert statuses["changeFlightOrder"] == 402


def test_searches_can_be_replayed_from_their_own_record_and_are_billed_under_a_product():
    counting = [operation for operation in operations() if operation.route.counts_quota]

    assert {operation.route.product for operation in counting} == {"flights", "hotels", "transfers"}
    assert all(operation.route.stored_body for operation in counting if operation.route.status == 201)


def test_the_document_describes_exactly_the_declared_operations():
    described = {
        (method.upper(), path) for path, methods in document()["paths"].items() for method in methods
    }

    assert described == {(operation.method, operation.path) for operation in operations()}
