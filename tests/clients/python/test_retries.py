"""A service that misbehaves: how often a call is sent, with which key, and after which waits."""

import asyncio
import re
import socket
from collections.abc import Callable

import httpx
import pytest
from travel_partner import AsyncTravelPartner, NoAnswerError, Retries, TravelPartner, errors
from travel_partner.models import ContactInput, EsimOrder, Ping

from tests.clients.python.conftest import KEY, Handler, StillClock, answer, keys, refused
from tests.support.wire import Act, Wire, nobody

PING = b'{"status": "ok", "time": "2026-11-20T14:03:22.120Z"}'
CONTACT = ContactInput(email="ada@example.com", phone="+351210000000")
DONE = answer("200 OK", b'{"done": true}')
Patient = Callable[..., TravelPartner]


def book(client: TravelPartner, **settings: object) -> object:
    return client.request("POST", "/v1/flights/orders", body={"offerId": "offer_1"}, **settings)


def half_an_answer(server: Wire) -> Act:
    return server.answers(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")


def half_without_length(server: Wire) -> Act:
    return server.answers(b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"done": tr')


def no_answer(server: Wire) -> Act:
    return server.answers(b"")


def reset(server: Wire) -> Act:
    return server.resets


def bad_gateway_of_a_proxy(server: Wire) -> Act:
    return server.answers(answer("502 Bad Gateway", b"<html>"))


def unavailable_in_latin_1(server: Wire) -> Act:
    """As a proxy may say it: JSON, but not in UTF-8."""
    return server.answers(answer("503 Unavailable", '{"message": "Momentanément"}'.encode("latin-1")))


def done_in_latin_1(server: Wire) -> Act:
    return server.answers(answer("200 OK", '{"done": "réservé"}'.encode("latin-1")))


def unavailable(server: Wire) -> Act:
    return server.answers(answer("503 Unavailable", refused("upstream_unavailable"), Retry_After="0"))


def internal_error(server: Wire) -> Act:
    return server.answers(answer("500 Oops", refused("internal_error")))


def in_progress(server: Wire) -> Act:
    return server.answers(answer("409 Conflict", refused("idempotency_key_in_progress"), Retry_After="0"))


def too_many(server: Wire) -> Act:
    return server.answers(answer("429 Too Many", refused("rate_limit_exceeded"), Retry_After="0"))


def too_late(server: Wire) -> Act:
    return server.answers(answer("408 Timeout", refused("request_timeout")))


PASSING = [
    half_an_answer,
    half_without_length,
    no_answer,
    reset,
    bad_gateway_of_a_proxy,
    unavailable_in_latin_1,
    done_in_latin_1,
    unavailable,
    internal_error,
    in_progress,
    too_many,
    too_late,
]


@pytest.mark.parametrize("trouble", PASSING)
def test_what_passes_is_tried_again_with_the_same_key(
    server: Wire, client: TravelPartner, still: StillClock, trouble: Callable[[Wire], Act]
) -> None:
    server.acts = [trouble(server), trouble(server), server.answers(DONE)]

    assert book(client) == {"done": True}
    assert len(server.heard) == 3
    assert len(set(server.heard)) == 1
    assert len(set(keys(server))) == 1
    assert len(keys(server)[0]) == 36
    assert still.waits == [0.5, 1.0]
    assert client.last_response.attempts == 3


@pytest.mark.parametrize(
    ("status", "kind", "error"),
    [
        ("400 Bad Request", "invalid_request", errors.InvalidRequestError),
        ("402 Payment Required", "insufficient_funds", errors.InsufficientFundsError),
        ("409 Conflict", "price_changed", errors.PriceChangedError),
        ("409 Conflict", "idempotency_key_reuse", errors.IdempotencyKeyReuseError),
        ("410 Gone", "offer_expired", errors.OfferExpiredError),
        ("429 Too Many", "rate_limit_exceeded", errors.RateLimitExceededError),
    ],
)
def test_what_stays_is_not(
    server: Wire,
    client: TravelPartner,
    still: StillClock,
    status: str,
    kind: str,
    error: type[errors.ApiError],
) -> None:
    server.acts = [server.answers(answer(status, refused(kind)))]

    with pytest.raises(error):
        book(client)
    assert (len(server.heard), still.waits) == (1, [])


def test_it_gives_up_after_four_tries_and_tells_the_key(
    server: Wire, client: TravelPartner, still: StillClock
) -> None:
    server.acts = [server.resets]

    with pytest.raises(NoAnswerError) as lost:
        book(client)
    assert keys(server) == [lost.value.idempotency_key] * 4
    assert lost.value.attempts == 4
    assert still.waits == [0.5, 1.0, 2.0]


def test_a_key_of_the_callers_own_is_sent(server: Wire, client: TravelPartner) -> None:
    server.acts = [server.resets, server.answers(DONE)]
    book(client, idempotency_key="order-4711")
    assert keys(server) == ["order-4711"] * 2


@pytest.mark.parametrize("name", ["idempotency_key", "customer_ref"])
@pytest.mark.parametrize(
    "value", ["order\r\nX-A: 1", "order-4711\n", "order-4711 ", "order\t4711", "örder-4711"]
)
def test_what_no_header_can_hold_is_a_mistake_and_nothing_is_sent(
    server: Wire, client: TravelPartner, name: str, value: str
) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be printable ASCII"):
        client.flights.orders.create(offer_id="offer_1", passengers=[], contact=CONTACT, **{name: value})
    assert server.connections == 0


def test_a_key_that_is_empty_by_mistake_is_sent_for_the_service_to_refuse(
    server: Wire, client: TravelPartner
) -> None:
    """A random one in its place would book again after a restart, and nobody would have been told."""
    server.acts = [server.answers(answer("400 Bad Request", refused("idempotency_key_required")))]
    with pytest.raises(errors.IdempotencyKeyRequiredError):
        book(client, idempotency_key="")
    assert re.search(rb"(?im)^idempotency-key: ?\r$", server.heard[0])


def test_a_read_has_no_key_and_is_tried_again(server: Wire, client: TravelPartner) -> None:
    server.acts = [server.resets, server.answers(answer("200 OK", PING))]
    assert isinstance(client.ping(), Ping)
    assert (len(server.heard), keys(server)) == (2, [])


def test_silence_ends_in_time(server: Wire, patient: Patient) -> None:
    server.acts = [server.hangs]
    with pytest.raises(errors.TimedOutError) as late:
        book(patient(attempts=3), timeout=0.2)
    assert late.value.attempts == 3


def drips(server: Wire) -> Act:
    """An answer that comes a byte at a time: never silent for long, and never done."""

    def act(sock: socket.socket) -> None:
        server.hear(sock)
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        for _ in range(100):
            sock.sendall(b" ")
            if server.over.wait(0.05):
                return

    return act


def test_an_answer_that_drips_ends_in_time(server: Wire) -> None:
    server.acts = [drips(server)]
    with (
        TravelPartner(KEY, server.url, retries=Retries(attempts=1)) as client,
        pytest.raises(errors.TimedOutError),
    ):
        book(client, timeout=0.3)


def test_an_awaited_answer_that_drips_ends_in_time(server: Wire) -> None:
    server.acts = [drips(server)]

    async def call() -> None:
        async with AsyncTravelPartner(KEY, server.url, retries=Retries(attempts=1)) as client:
            await client.request("POST", "/v1/flights/orders", body={}, timeout=0.3)

    with pytest.raises(errors.TimedOutError):
        asyncio.run(call())


def test_nobody_listens(still: StillClock) -> None:
    with pytest.raises(NoAnswerError, match=r"GET /v1/ping: ConnectError \(attempts: 4\)"):
        TravelPartner(KEY, nobody(), clock=still.clock).ping()


def test_a_request_that_cannot_be_sent_is_not_tried_again(
    scripted: Callable[[Handler], TravelPartner], still: StillClock
) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.LocalProtocolError("illegal", request=request)

    with pytest.raises(NoAnswerError) as hopeless:
        scripted(refuse).ping()
    assert (hopeless.value.attempts, still.waits) == (1, [])


def test_retry_after_comes_before_the_wait_of_chance(
    server: Wire, client: TravelPartner, still: StillClock
) -> None:
    busy = answer("503 Unavailable", refused("upstream_unavailable"), Retry_After="7")
    server.acts = [server.answers(busy), server.answers(DONE)]
    book(client)
    assert still.waits == [7.5]


def test_a_longer_retry_after_than_the_cap_is_left_to_the_caller(
    server: Wire, client: TravelPartner, still: StillClock
) -> None:
    server.acts = [server.answers(answer("429 Too Many", refused("rate_limit_exceeded"), Retry_After="61"))]
    with pytest.raises(errors.RateLimitExceededError) as refusal:
        book(client)
    assert (refusal.value.retry_after, still.waits) == (61.0, [])


def running(server: Wire) -> Act:
    """As long as a call has the key, for 45 seconds at most, the service asks to come back in five."""
    return server.answers(answer("409 Conflict", refused("idempotency_key_in_progress"), Retry_After="5"))


def test_a_lost_answer_is_waited_for_as_long_as_the_first_call_may_run(
    server: Wire, client: TravelPartner, still: StillClock
) -> None:
    def as_the_service_does(sock: socket.socket) -> None:
        (running(server) if still.now < 45 else server.answers(DONE))(sock)

    server.acts = [server.resets, as_the_service_does]
    assert book(client) == {"done": True}
    assert 45 <= still.now <= 60
    assert len(set(keys(server))) == 1


def test_who_wants_one_try_is_told_that_the_first_call_runs(server: Wire, patient: Patient) -> None:
    server.acts = [running(server)]
    with pytest.raises(errors.IdempotencyKeyInProgressError):
        book(patient(attempts=1))
    assert len(server.heard) == 1


def test_a_call_that_runs_for_ever_is_waited_for_until_the_deadline(
    server: Wire, client: TravelPartner, still: StillClock
) -> None:
    server.acts = [running(server)]
    with pytest.raises(errors.IdempotencyKeyInProgressError):
        book(client)
    assert 100 < still.now < 120


def test_no_try_begins_after_the_deadline(server: Wire, patient: Patient, still: StillClock) -> None:
    server.acts = [
        server.answers(answer("503 Unavailable", refused("upstream_unavailable"), Retry_After="5"))
    ]
    with pytest.raises(errors.UpstreamUnavailableError):
        book(patient(attempts=100, deadline=20))
    assert still.waits == [5.5, 6.0, 7.0]
    assert len(server.heard) == 4


def test_the_waits_grow_to_a_bound(server: Wire, patient: Patient, still: StillClock) -> None:
    server.acts = [server.resets]
    with pytest.raises(NoAnswerError):
        book(patient(attempts=7))
    assert still.waits == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]


def test_a_deletion_whose_answer_was_lost_is_done(server: Wire, client: TravelPartner) -> None:
    server.acts = [server.resets, server.answers(answer("404 Not Found", refused("not_found")))]
    client.webhooks.endpoints.delete("we_1")
    assert len(server.heard) == 2


def test_what_never_was_cannot_be_deleted(server: Wire, client: TravelPartner) -> None:
    server.acts = [server.answers(answer("404 Not Found", refused("not_found")))]
    with pytest.raises(errors.NotFoundError):
        client.webhooks.endpoints.delete("we_1")


def test_an_answer_that_is_none_is_told_and_not_asked_for_again(server: Wire, client: TravelPartner) -> None:
    server.acts = [server.answers(answer("200 OK", b'{"id": 1}', X_Request_Id="r-1"))]
    with pytest.raises(errors.UnreadableAnswerError, match=rf"no {EsimOrder.__name__}.*\[request r-1\]"):
        client.esim.orders.create(plan_id="plan_1")
    assert len(server.heard) == 1


def test_reads_have_30_seconds_and_writes_more_than_the_service_has(
    scripted: Callable[..., TravelPartner],
) -> None:
    seconds = []

    def note(request: httpx.Request) -> httpx.Response:
        seconds.append(request.extensions["timeout"]["read"])
        return httpx.Response(200, content=PING)

    client = scripted(note)
    client.ping()
    book(client)
    book(client, timeout=90)
    assert seconds == [30.0, 60.0, 90]


def test_the_last_try_is_cut_short_at_the_deadline(still: StillClock) -> None:
    seconds = []

    def stall(request: httpx.Request) -> httpx.Response:
        seconds.append(request.extensions["timeout"]["read"])
        still.now += seconds[-1]
        raise httpx.ReadTimeout("late", request=request)

    http = httpx.Client(transport=httpx.MockTransport(stall))
    client = TravelPartner(KEY, "http://service", retries=Retries(deadline=100), http=http, clock=still.clock)
    with pytest.raises(errors.TimedOutError):
        book(client)
    assert seconds == [60.0, 39.5]


def test_an_awaited_call_is_as_patient(server: Wire, still: StillClock) -> None:
    server.acts = [server.resets, half_an_answer(server), server.answers(DONE)]

    async def call() -> tuple[object, int]:
        async with AsyncTravelPartner(KEY, server.url, clock=still.clock) as client:
            found = await client.request("POST", "/v1/flights/orders", body={})
            return found, client.last_response.attempts

    assert asyncio.run(call()) == ({"done": True}, 3)
    assert len(set(keys(server))) == 1
    assert still.waits == [0.5, 1.0]
