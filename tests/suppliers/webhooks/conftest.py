"""A supplier that signs with one word, serving the live keys of hotels."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from apps.hotels.suppliers import registry
from apps.suppliers.vendors import Forged, Hint, Vendor, Webhooks

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
