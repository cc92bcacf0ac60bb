"""A supplier that signs with one word, serving the live keys of hotels."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.forms.models import model_to_dict
from django.http import HttpResponse
from django.test import Client

from apps.hotels.suppliers import registry
from apps.suppliers.models import SupplierEvent
from apps.suppliers.vendors import Forged, Hint, Vendor, Webhooks
from apps.suppliers.webhooks import hint_stored

pytestmark = pytest.mark.django_db


SIGNED = {"Acme-Signature": "yes"}


def verify(headers: Mapping[str, str], raw_body: bytes) -> Hint | None:
    if headers.get("acme-signature") != "yes":
        raise Forged
    event = json.loads(raw_body)
    if event["kind"] == "ping":
        return None
    return Hint(
        event_id=event["id"],
        kind=event["kind"],
        supplier_reference=event.get("booking", ""),
        client_ref=event.get("our_reference", ""),
        offer_id=event.get("offer", ""),
        object_id=event.get("object", ""),
    )


@pytest.fixture
def acme(monkeypatch: pytest.MonkeyPatch, settings: Any) -> str:
    monkeypatch.setitem(registry.VENDORS, "acme", Vendor("acme", pytest.fail, webhooks=Webhooks(verify)))
    settings.SUPPLIERS = {**settings.SUPPLIERS, "hotels": {"live": "acme"}}
    return "acme"


@pytest.fixture
def send(acme: str, client: Client) -> Callable[..., HttpResponse]:
    """`send({"id": …})` posts a signed event, `send(b"…")` raw bytes."""

    def post(event: object, *, headers: Mapping[str, str] = SIGNED) -> HttpResponse:
        body = event if isinstance(event, bytes) else json.dumps(event).encode()
        return client.post(
            f"/suppliers/{acme}/webhooks", body, content_type="application/json", headers=dict(headers)
        )

    return post


Send = Callable[..., HttpResponse]
EVENT = {"id": "evt_1", "kind": "booking.cancel", "booking": "BK1", "guest": "Ines Prado", "price": 106.2}


@pytest.fixture
def told() -> Any:
    """Grows with every signal of a new hint."""
    heard: list[int] = []

    def hear(**kwargs: object) -> None:
        heard.append(1)

    hint_stored.connect(hear)
    yield heard
    hint_stored.disconnect(hear)


def test_a_signed_event_is_kept_without_its_payload(send: Send, told: list[int]) -> None:
    answer = send(EVENT)

    assert (answer.status_code, answer.content) == (200, b"")
    event = SupplierEvent.objects.get()
    assert model_to_dict(event, exclude=["id"]) == {
        "supplier": "acme",
        "event_id": "evt_1",
        "kind": "booking.cancel",
        "supplier_reference": "BK1",
        "client_ref": "",
        "offer_id": "",
        "object_id": "",
        "handled_at": None,
    }
    assert told == [1]


def test_an_event_sent_again_is_answered_and_kept_once(send: Send, told: list[int]) -> None:
    assert [send(EVENT).status_code for _ in range(3)] == [200, 200, 200]
    assert SupplierEvent.objects.count() == 1
    assert told == [1]


def test_a_wrong_signature_is_401_and_nothing_is_kept(send: Send) -> None:
    answer = send(EVENT, headers={"Acme-Signature": "no"})
    assert (answer.status_code, answer.json()["error"]["type"]) == (401, "invalid_api_key")  # type: ignore[attr-defined]
    assert send(EVENT, headers={}).status_code == 401
    assert not SupplierEvent.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"[" * 5_000,
        json.dumps({**EVENT, "id": ""}).encode(),
        json.dumps({**EVENT, "id": 7}).encode(),
        json.dumps({**EVENT, "id": "zero \0"}).encode(),
        json.dumps({**EVENT, "id": "half \ud800"}).encode(),
        json.dumps({**EVENT, "booking": "b" * 256}).encode(),
        json.dumps({**EVENT, "booking": {"id": "BK1"}}).encode(),
    ],
    ids=lambda body: repr(body[:40]),
)
def test_garbage_is_400_and_not_kept(send: Send, body: bytes) -> None:
    answer = send(body)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request")  # type: ignore[attr-defined]
    assert not SupplierEvent.objects.exists()


def test_what_breaks_the_reader_is_400_and_leaves_no_payload_in_the_log(
    send: Send, caplog: pytest.LogCaptureFixture
) -> None:
    assert send({"Ines Prado": "no kind"}).status_code == 400
    assert "KeyError" in caplog.text
    assert "Prado" not in caplog.text


def test_a_long_event_id_is_kept_as_its_digest(send: Send) -> None:
    long = {**EVENT, "id": "e" * 300}
    assert [send(long).status_code, send(long).status_code] == [200, 200]
    assert len(SupplierEvent.objects.get().event_id) == 64


def test_a_giant_body_is_413_before_it_is_read(send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(headers: Mapping[str, str], raw_body: bytes) -> Hint | None:
        raise AssertionError("read")

    monkeypatch.setitem(registry.VENDORS, "acme", Vendor("acme", pytest.fail, webhooks=Webhooks(never)))
    assert send(b"x" * (256 * 1024 + 1)).status_code == 413


def test_other_methods_are_405(acme: str, client: Client) -> None:
    answer = client.get("/suppliers/acme/webhooks")
    assert (answer.status_code, answer["Allow"]) == (405, "HEAD, POST")


def test_a_supplier_that_nobody_knows_is_404(send: Send, client: Client) -> None:
    for method in ("post", "head"):
        assert getattr(client, method)("/suppliers/nobody/webhooks").status_code == 404


def test_a_supplier_that_serves_no_live_key_is_404(send: Send, settings: Any) -> None:
    settings.SUPPLIERS = {**settings.SUPPLIERS, "hotels": {"live": "simulator"}}
    assert send(EVENT).status_code == 404
    assert not SupplierEvent.objects.exists()
