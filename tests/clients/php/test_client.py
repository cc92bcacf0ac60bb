"""The packed PHP client before a service that misbehaves, with curl and, under `php -n`, without extensions."""

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.docs.client_methods import NAMES
from apps.docs.clients import PACKAGES, newest
from apps.webhooks.signatures import new_secret, signature_headers
from tests.clients.python.conftest import answer, keys, refused
from tests.clients.python.conftest import server as server
from tests.clients.test_served import examples
from tests.support.tools import needs
from tests.support.wire import Act, Wire

pytestmark = needs("php")

DONE = answer(
    "200 OK", b'{"reference": "F-1", "newer": {"field": [1]}, "passengers": [{"firstName": "Ada"}]}'
)
BOOK = "$client->flights->orders->create(['offerId' => 'offer_1']"
Run = Callable[..., object]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("php")
    found = newest("PHP")
    assert found is not None
    shutil.unpack_archive(PACKAGES / found.file, place)
    return place


@pytest.fixture(params=[[], ["-n"]], ids=["curl", "streams"])
def run(request: pytest.FixtureRequest, package: Path) -> Run:
    """What a program returns, as JSON. It has a `$client` that does not wait."""

    def run(code: str, url: str = "http://127.0.0.1:9", **settings: object) -> object:
        named = "".join(f", {name}: {value}" for name, value in settings.items())
        text = (
            "<?php\nrequire 'travel-partner/autoload.php';\nuse TravelPartner\\{ApiException, Model, NoAnswerException};\n"
            f"$client = new TravelPartner\\Client('svc_test_secret', '{url}', sleep: fn() => null{named});\n"
            f"echo json_encode((function () use ($client) {{ {code} }})(), JSON_THROW_ON_ERROR);"
        )
        command = ["php", *request.param, "-d", "error_reporting=-1", "-d", "display_errors=stderr"]
        done = subprocess.run(command, input=text, cwd=package, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
        return json.loads(done.stdout)

    return run


def half(server: Wire) -> Act:
    return server.answers(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")


def half_without_length(server: Wire) -> Act:
    return server.answers(b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"reference": "F')


def reset(server: Wire) -> Act:
    return server.resets


def unavailable(server: Wire) -> Act:
    return server.answers(answer("503 Unavailable", refused("upstream_unavailable"), Retry_After="0"))


def running(server: Wire) -> Act:
    return server.answers(answer("409 Conflict", refused("idempotency_key_in_progress"), Retry_After="0"))


def too_many(server: Wire) -> Act:
    return server.answers(answer("429 Too Many", refused("rate_limit_exceeded"), Retry_After="0"))


@pytest.mark.parametrize("fault", [half, half_without_length, reset, unavailable, running, too_many])
def test_a_call_is_sent_again_with_its_key(run: Run, server: Wire, fault: Callable[[Wire], Act]) -> None:
    server.acts = [fault(server), fault(server), server.answers(DONE)]
    assert run(f"return {BOOK})->reference;", server.url) == "F-1"
    assert len(keys(server)) == 3
    assert len(set(keys(server))) == 1


def test_it_gives_up_with_the_key(run: Run, server: Wire) -> None:
    server.acts = [server.resets]
    code = (
        f"try {{ {BOOK}, ['idempotencyKey' => 'order-4711']); }}"
        "catch (NoAnswerException $e) { return [$e->attempts, $e->idempotencyKey]; }"
    )
    assert run(code, server.url) == [4, "order-4711"]
    assert keys(server) == ["order-4711"] * 4


@pytest.mark.parametrize(
    ("status", "type", "headers"),
    [
        ("429 Too Many", "rate_limit_exceeded", {}),
        ("429 Too Many", "rate_limit_exceeded", {"Retry_After": "61"}),
        ("402 Payment Required", "insufficient_funds", {}),
        ("409 Conflict", "price_changed", {}),
    ],
)
def test_a_refusal_is_an_exception(
    run: Run, server: Wire, status: str, type: str, headers: dict[str, str]
) -> None:
    server.acts = [server.answers(answer(status, refused(type), **headers))]
    code = (
        f"try {{ {BOOK}); }} catch (ApiException $e) "
        "{ return [$e->status, $e->type, $e->getMessage(), $e->requestId, $e->details, $e->extras]; }"
    )
    assert run(code, server.url) == [int(status[:3]), type, "No.", "r-1", [], []]
    assert len(server.heard) == 1


def test_details_and_further_fields(run: Run, server: Wire) -> None:
    error = {
        "type": "invalid_request",
        "message": "No.",
        "details": [{"field": "a.0", "message": "b"}],
        "bookingId": 7,
    }
    server.acts = [server.answers(answer("400 Bad", json.dumps({"error": error}).encode()))]
    code = f"try {{ {BOOK}); }} catch (ApiException $e) {{ return [$e->getMessage(), $e->details, $e->extras]; }}"
    assert run(code, server.url) == ["No. a.0: b", error["details"], {"bookingId": 7}]


def test_a_proxys_page_is_no_success(run: Run, server: Wire) -> None:
    server.acts = [server.answers(answer("200 OK", b"<html>"))]
    code = f"try {{ {BOOK}); }} catch (NoAnswerException $e) {{ return $e->attempts; }}"
    assert run(code, server.url, attempts=2) == 2


def test_no_answer_in_time(run: Run, server: Wire) -> None:
    server.acts = [server.trickles(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")]
    code = f"try {{ {BOOK}, ['timeout' => 0.3]); }} catch (NoAnswerException $e) {{ return $e->attempts; }}"
    began = time.monotonic()
    assert run(code, server.url, attempts=1) == 1
    assert time.monotonic() - began < 5


def test_values(run: Run, server: Wire) -> None:
    server.acts = [server.answers(DONE)]
    code = (
        f"$order = {BOOK}); $ada = $order->passengers[0];"
        "return [$ada::class, $ada->firstName, $client->lastResponse->json()->newer];"
    )
    assert run(code, server.url) == ["TravelPartner\\Model\\FlightPassenger", "Ada", {"field": [1]}]


def test_models_and_arrays_are_the_same_body(run: Run, server: Wire) -> None:
    server.acts = [server.answers(DONE)] * 2 + [server.answers(answer("200 OK"))]
    run(
        "$contact = new Model\\ContactInput(email: 'a@b.c', phone: '+1');"
        "$client->flights->orders->create(['contact' => $contact]);"
        "$client->flights->orders->create(new Model\\FlightOrderRequest(contact: $contact));"
        "$client->flights->orders->cancel('a/b');",
        server.url,
    )
    first, second, third = (heard.partition(b"\r\n\r\n") for heard in server.heard)
    assert json.loads(first[2]) == json.loads(second[2]) == {"contact": {"email": "a@b.c", "phone": "+1"}}
    assert (third[0].split()[1], third[2]) == (b"/v1/flights/orders/a%2Fb/cancel", b"{}")


@pytest.mark.parametrize(
    ("answers", "call", "result"),
    [
        ([answer("503 Unavailable", b'{"status": "degraded"}')], "health->ready()->status", "degraded"),
        (
            [answer("200 OK", b"%PDF-1.7", Content_Disposition="attachment")],
            "trips->document([])",
            "%PDF-1.7",
        ),
        ([answer("204 No Content", b"")], "webhooks->endpoints->delete('we_1')", None),
        ([b"", answer("404 Not Found", refused("not_found"))], "webhooks->endpoints->delete('we_1')", None),
    ],
    ids=["not ready", "file", "deleted", "deleted by an attempt whose response was lost"],
)
def test_results_other_than_json(
    run: Run, server: Wire, answers: list[bytes], call: str, result: str | None
) -> None:
    server.acts = [server.answers(each) for each in answers]
    assert run(f"return $client->{call};", server.url) == result
    assert len(server.heard) == len(answers)


def test_all_pages(run: Run, server: Wire) -> None:
    def page(cursor: str | None, *types: str) -> bytes:
        items = [{"bookingType": type, "id": type} for type in types]
        return answer(
            "200 OK", json.dumps({"data": items, "hasMore": bool(cursor), "nextCursor": cursor}).encode()
        )

    server.acts = [server.answers(page("c&2", "hotel", "flight")), server.answers(page(None, "esim"))]
    code = "foreach ($client->bookings->iterate(['limit' => 2]) as $item) { $found[] = $item::class; } return $found;"
    assert run(code, server.url) == [
        f"TravelPartner\\Model\\Listed{name}" for name in ("HotelBooking", "FlightOrder", "EsimOrder")
    ]
    assert [heard.split()[1] for heard in server.heard] == [
        b"/v1/bookings?limit=2",
        b"/v1/bookings?limit=2&cursor=c%262",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "new TravelPartner\\Client('', 'http://a')",
        "new TravelPartner\\Client(\"svc_test_a\\nb\", 'http://a')",
        "new TravelPartner\\Client('svc_test_a', 'ftp://a')",
        "$client->flights->orders->get('')",
        BOOK + ", ['idempotencyKey' => \"a\\r\\nb\"])",
        "new Model\\ContactInput(mail: 'a')",
    ],
)
def test_what_cannot_be_sent_is_refused(run: Run, code: str) -> None:
    assert run(f"try {{ {code}; }} catch (InvalidArgumentException $e) {{ return 'refused'; }}") == "refused"


def test_the_key_is_shown_nowhere(run: Run, server: Wire) -> None:
    server.acts = [server.answers(answer("400 Bad", refused("invalid_request")))]
    code = (
        f"try {{ {BOOK}); }} catch (ApiException $e) {{}}"
        "ob_start(); var_dump($client, $client->flights->orders, $e); print_r($client); return ob_get_clean();"
    )
    shown = run(code, server.url)
    assert "invalid_request" in shown
    assert "svc_test_secret" not in shown


def test_every_operation_is_a_method(run: Run) -> None:
    names = json.dumps(list(NAMES.values()))
    code = (
        "$missing = []; foreach (json_decode(<<<'J'\n" + names + "\nJ) as $name) {"
        " $parts = explode('.', lcfirst(str_replace('_', '', ucwords($name, '_')))); $method = array_pop($parts); $at = $client;"
        " foreach ($parts as $part) { $at = $at->$part; }"
        " if (!method_exists($at, $method)) { $missing[] = $name; } } return $missing;"
    )
    assert run(code) == []


SECRET, OTHER = new_secret(), new_secret()
BODY = json.dumps({"id": "evt_1", "type": "booking.confirmed", "data": {"bookingReference": "F-1"}}).encode()
NOW = 1_763_647_402


@pytest.mark.parametrize(
    ("known", "at", "body", "verdict"),
    [
        ([SECRET], NOW, BODY, "F-1"),
        ([OTHER, SECRET], NOW - 299, BODY, "F-1"),
        ([OTHER], NOW, BODY, "refused"),
        ([SECRET], NOW - 301, BODY, "refused"),
        ([SECRET], NOW, BODY + b" ", "refused"),
    ],
)
def test_deliveries(run: Run, known: list[str], at: int, body: bytes, verdict: str) -> None:
    headers = signature_headers(event_id="evt_1", timestamp=at, body=BODY, signing_secrets=[SECRET])
    given = json.dumps([body.decode(), dict(headers), known])
    code = (
        f"[$body, $headers, $known] = json_decode(<<<'J'\n{given}\nJ, true);"
        f"try {{ return TravelPartner\\Webhooks::verify($body, $headers, $known, now: {NOW})->data->bookingReference; }}"
        "catch (TravelPartner\\WebhookVerificationException $e) { return 'refused'; }"
    )
    assert run(code) == verdict


def test_an_event_of_a_newer_type(run: Run) -> None:
    body = json.dumps({"id": "evt_1", "type": "moon.landed", "data": {"a": {"b": 1}}}).encode()
    headers = signature_headers(event_id="evt_1", timestamp=NOW, body=body, signing_secrets=[SECRET])
    given = json.dumps([body.decode(), dict(headers)])
    code = (
        f"[$body, $headers] = json_decode(<<<'J'\n{given}\nJ, true);"
        f"$event = TravelPartner\\Webhooks::verify($body, $headers, '{SECRET}', now: {NOW});"
        "return [$event::class, $event->data];"
    )
    assert run(code) == ["TravelPartner\\Model\\FeedEvent", {"a": {"b": 1}}]


@pytest.mark.parametrize("example", examples("php", "php"))
def test_every_example_of_the_readme_is_php(example: str) -> None:
    text = example if example.startswith("<?php") else f"<?php {example}"
    done = subprocess.run(["php", "-l"], input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
