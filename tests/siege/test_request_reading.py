"""One reading of a request: each oddity is refused, or read as its sender meant. Over raw sockets, against the web processes."""

import pytest

from tests.siege.reading import http2
from tests.siege.reading.cancelling import TRANSPORTS, Buyer
from tests.siege.reading.cases import BODY, CASES, Case
from tests.siege.reading.sending import SECONDS, details, filled, send
from tests.siege.stage import Stage
from tests.siege.wire import connected, read_by, received

pytestmark = pytest.mark.stack

PROBE = (
    b"POST /v1/flights/searches HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
    b"Idempotency-Key: {unique}\r\nContent-Type: application/json\r\nContent-Length: 11\r\n"
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_request_is_refused_or_read_as_its_sender_meant(case: Case, stage: Stage) -> None:
    victim = stage.partners["victim"]
    result = send(case, stage.port, victim["testKey"], victim["accountId"])
    assert result.is_fine, str(result)


def test_two_requests_in_one_go_are_answered_in_their_order(stage: Stage) -> None:
    key = stage.partners["victim"]["testKey"]
    first, second = (
        filled(PROBE + b"\r\n" + BODY.replace(b"probe", name), stage.port, key)
        for name in (b"prob1", b"prob2")
    )
    with connected(stage.port) as connection:
        connection.sendall(first + second)
        answers = received(connection, until=b"prob2", seconds=SECONDS)
    assert answers.count(b"HTTP/1.1 400") == 2
    assert 0 < answers.find(b'"prob1"') < answers.find(b'"prob2"')


def test_a_body_is_asked_for_where_its_sender_waits_for_that(stage: Stage) -> None:
    head = filled(PROBE + b"Expect: 100-continue\r\n\r\n", stage.port, stage.partners["victim"]["testKey"])
    with connected(stage.port) as connection:
        connection.sendall(head)
        connection.settimeout(SECONDS)
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(BODY)
        assert "probe" in details(read_by(connection, seconds=SECONDS))


def test_http_2_is_refused_or_its_bodies_are_read_to_their_end(stage: Stage) -> None:
    key = stage.partners["victim"]["testKey"]
    for said in (True, False):
        answer = http2.post(stage.port, "/v1/flights/searches", key, BODY, with_length=said)
        assert answer is None or b'"probe"' in answer, answer


@pytest.fixture(scope="module")
def buyer(stage: Stage) -> Buyer:
    return Buyer(stage)


@pytest.mark.parametrize("transport", TRANSPORTS, ids=list(TRANSPORTS))
def test_no_transport_loses_the_most_a_cancellation_may_cost(transport: str, buyer: Buyer) -> None:
    """A booking that costs something to cancel, and `{"maxPenaltyCents": 0}`: it is never cancelled."""
    booking = buyer.book()
    status = TRANSPORTS[transport](buyer, booking)
    assert buyer.status_of(booking) == "confirmed"
    assert status in {409, *range(400, 500), 501, 505, None}
    if transport == "HTTP/1.1 with a length":
        assert status == 409
