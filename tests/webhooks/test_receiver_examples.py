"""The receiver examples partners copy, each run by its own interpreter against deliveries of the real engine."""

import http.client
import os
import queue
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.services.endpoints import rotate_secret
from apps.webhooks.services.resend import resend
from apps.webhooks.signatures import new_secret, signature_headers
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.ports import free_port
from tests.webhooks.conftest import Deliver, due_deliveries

# Not inside one transaction: a compiler may take longer than PostgreSQL lets one idle.
pytestmark = pytest.mark.django_db(transaction=True)

RECEIVERS = Path(settings.BASE_DIR) / "static" / "examples" / "receivers"
EXAMPLES: dict[str, Callable[[int], list[str]]] = {
    "python3": lambda port: ["python3", str(RECEIVERS / "python" / "receiver.py")],
    "node": lambda port: ["node", str(RECEIVERS / "node" / "receiver.js")],
    "php": lambda port: ["php", "-S", f"127.0.0.1:{port}", str(RECEIVERS / "php" / "receiver.php")],
    "go": lambda port: ["go", "run", str(RECEIVERS / "go" / "receiver.go")],
}
# An interpreter that is not on this machine makes no test, and none that is skipped. Only Python and Node must be there.
HERE = [name for name in EXAMPLES if shutil.which(name)]


@dataclass
class Example:
    """A running example: the endpoint that points at it, and what it says it has processed."""

    endpoint: Endpoint
    port: int
    lines: "queue.SimpleQueue[str]"

    def processed(self) -> str:
        """The next event worked on, as `id type`."""
        while True:
            words = self.lines.get(timeout=60).split()
            if words[:1] == ["processed"]:
                return " ".join(words[1:])

    def post(self, body: bytes, headers: dict[str, str]) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("POST", "/hooks", body, headers)
            return connection.getresponse().status
        finally:
            connection.close()


@pytest.fixture(params=HERE)
def example(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Example]:
    port = free_port()
    endpoint = EndpointFactory(url=f"http://127.0.0.1:{port}/hooks")
    process = subprocess.Popen(
        EXAMPLES[request.param](port),
        env={
            **os.environ,
            "WEBHOOK_SECRET": endpoint.secret,
            "PORT": str(port),
            "INBOX": str(tmp_path / "inbox"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # `go run` has a child of its own
    )
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    assert process.stdout is not None
    threading.Thread(target=lambda out: [lines.put(line) for line in out], args=(process.stdout,)).start()
    try:
        wait_for(port)
        yield Example(endpoint, port, lines)
    finally:
        os.killpg(process.pid, 9)
        process.wait()


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError("The example did not start")


def test_python_and_node_are_on_this_machine() -> None:
    assert {"python3", "node"} <= set(HERE)


def test_example_accepts_deliveries_and_works_on_each_event_once(example: Example, deliver: Deliver) -> None:
    sent = due_deliveries(example.endpoint, 3)
    assert deliver() == 3
    assert set(Delivery.objects.values_list("status", flat=True)) == {"DELIVERED"}
    resend(delivery=Delivery.objects.get(pk=sent[0].pk))  # a duplicate, as a lost answer would make it
    assert deliver() == 1
    last = DeliveryFactory(endpoint=example.endpoint)
    assert deliver() == 1
    events = [delivery.event_id for delivery in (*sent, last)]  # type: ignore[attr-defined]
    assert sorted(example.processed() for _ in range(4)) == sorted(f"{id} booking.confirmed" for id in events)
    assert set(Attempt.objects.values_list("status_code", flat=True)) == {204}
    assert example.lines.empty()


def test_example_goes_on_with_the_secret_it_has_while_it_is_rotated(
    example: Example, deliver: Deliver, move_clock: Callable[..., None]
) -> None:
    rotate_secret(endpoint=example.endpoint)
    DeliveryFactory(endpoint=example.endpoint)
    deliver()
    assert Attempt.objects.get().status_code == 204
    rotate_secret(endpoint=example.endpoint, immediate=True)
    DeliveryFactory(endpoint=example.endpoint)
    deliver()
    assert list(Attempt.objects.order_by("pk").values_list("status_code", flat=True)) == [204, 400]


def test_example_refuses_what_is_not_ours_or_old_or_changed(example: Example) -> None:
    body = b'{"id":"evt_1","type":"booking.confirmed"}'
    now = int(time.time())

    def headers(secret: str = example.endpoint.secret, timestamp: int = now) -> dict[str, str]:
        return signature_headers(event_id="evt_1", timestamp=timestamp, body=body, signing_secrets=[secret])

    changed = body.replace(b"confirmed", b"cancelled")
    assert example.post(body, headers(new_secret())) == 400
    assert example.post(body, headers(timestamp=now - 400)) == 400
    assert example.post(body, headers(timestamp=now + 400)) == 400
    assert example.post(changed, headers()) == 400
    assert example.post(body, {}) == 400
    for nonsense in (
        "",
        "t=",
        "v1=",
        "t=now,v1=00",
        f"t={now}",
        f"t={now},v1=é",
        "=,=,=",
        f"t={'9' * 5000},v1=00",
    ):
        assert example.post(body, {"X-Service-Signature": nonsense.encode().decode("latin-1")}) == 400
    assert example.post(body, headers(timestamp=now - 200)) == 204
    assert example.processed() == "evt_1 booking.confirmed"


def test_an_event_that_cannot_be_worked_on_stops_none_after_it(example: Example) -> None:
    """What was answered with 2xx is not sent again: work that ends with one event would lose all that follow."""
    odd, usual = b'{"id":"evt_1"}', b'{"id":"evt_2","type":"booking.confirmed"}'
    for body in (odd, usual):
        signed = signature_headers(
            event_id="evt", timestamp=int(time.time()), body=body, signing_secrets=[example.endpoint.secret]
        )
        assert example.post(body, signed) == 204
    worked_on = example.processed()
    if worked_on.startswith("evt_1"):  # some languages print what is not there
        worked_on = example.processed()
    assert worked_on == "evt_2 booking.confirmed"


@pytest.mark.parametrize("example", [name for name in HERE if name == "php"], indirect=True)
def test_an_event_that_cannot_be_stored_is_not_answered_as_taken(example: Example, tmp_path: Path) -> None:
    """Only PHP's example stores in files. What is answered with 2xx and kept nowhere is lost."""
    (tmp_path / "inbox").write_text("no directory")
    body = b'{"id":"evt_1","type":"booking.confirmed"}'
    signed = signature_headers(
        event_id="evt", timestamp=int(time.time()), body=body, signing_secrets=[example.endpoint.secret]
    )
    assert example.post(body, signed) == 500
    (tmp_path / "inbox").unlink()
    assert example.post(body, signed) == 204
    assert example.processed() == "evt_1 booking.confirmed"
