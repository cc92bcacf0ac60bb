"""An exchange with each supplier's stand-in is recorded over HTTP, without travellers and secrets, and played again."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings
from django.utils.module_loading import import_string

from apps.suppliers.management.commands.record_supplier import TRAVELLER, secrets_of
from apps.suppliers.vendors import vendors_of
from tests.suppliers.kit.connectors import CONNECTORS
from tests.suppliers.kit.world import World
from tests.suppliers.leaks import holds
from tests.support.replay import Replay
from tests.support.supplier_stub import serving


def recorded(world: World, to: Path) -> dict[str, Any]:
    call_command("record_supplier", world.bench.product, "--book", "--to", str(to))
    told: dict[str, Any] = json.loads(to.read_text())
    return told


@pytest.mark.parametrize("connector", CONNECTORS)
def test_a_recording_has_no_traveller_and_no_secret(connector: str, world: World, tmp_path: Path) -> None:
    told = recorded(world, tmp_path / "recording.json")
    text = (tmp_path / "recording.json").read_text()
    sent = b"".join(heard.body for heard in world.bench.stub.heard).decode()
    assert len(told["exchanges"]) > 3
    canaries = [word for word in TRAVELLER.values() if holds(sent, word)]
    assert bool(canaries) == (world.bench.product != "esim")
    secrets = secrets_of(world.bench.vendor)
    assert secrets
    assert [word for word in (*TRAVELLER.values(), *secrets) if holds(text, word)] == []


@pytest.mark.parametrize("connector", CONNECTORS)
def test_a_recording_is_played_again_through_the_connector(
    connector: str, world: World, tmp_path: Path
) -> None:
    """The connector reads of it what it read then."""
    path = tmp_path / "recording.json"
    recorded(world, path)
    travel = import_string(f"apps.{world.bench.product}.suppliers.sample_journey.travel")
    with serving(Replay(path)) as replay:
        anew = {
            name: replay.url if isinstance(value, str) and "://" in value else value
            for name, value in world.bench.credentials().items()
        }
        every = {**settings.SUPPLIER_CREDENTIALS, world.bench.vendor: anew}
        with override_settings(SUPPLIER_CREDENTIALS=every):
            adapter = vendors_of(world.bench.product)[world.bench.vendor].build()
            answers = travel(adapter, replay.client_ref, TRAVELLER, book=True)
    assert None not in answers
    made = world.bench.made()[0]
    booked = next(answer for answer in answers if hasattr(answer, "supplier_reference"))
    assert booked.supplier_reference == made.reference
