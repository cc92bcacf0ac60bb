"""The product guides, walked from the search to after the sale: each call as shown, in curl and through the Python library."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from apps.docs.clients import PACKAGES, newest
from apps.docs.guides import GUIDES
from apps.esim.services.sync import sync_environment
from apps.keys.scopes import GRANTABLE
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api
from tests.support.tools import needs, needs_curl

PYTHON = Path(settings.BASE_DIR) / "clients" / "python" / "src"
HANDLE = re.compile(r"\b([a-z]+)_(?:[0-9a-z]{20,}\w*|[0-9]+_\w+)")
PLACEHOLDER = re.compile(r"\b([a-z]+)_…")
AS_JSON = """
import itertools, json
told = answer.to_dict() if hasattr(answer, "to_dict") else {"data": [each.to_dict() for each in itertools.islice(answer, 3)]}
print(json.dumps(told, default=str))
"""
CALLS = {"hotels": 13, "flights": 18, "transfers": 8, "esim": 8}
"""At least so many calls a guide shows."""


def samples(slug: str, language: str) -> list[str]:
    text = next(guide for guide in GUIDES if guide.slug == slug).text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def wanted(offer: dict[str, Any]) -> bool:
    """A fare with which everything works that the guide shows."""
    conditions = offer["conditions"]
    return conditions["refundable"] and conditions["changeable"] and offer["holdable"]


class Walk:
    """Fills in the handles that earlier answers gave."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.known: dict[str, str] = {}

    def fill(self, code: str) -> str:
        if "schedule_…" in code:  # what only the airline can begin
            order = self.known["ford"]
            assert (
                self.api.post(f"/sandbox/bookings/{order}/simulate", {"what": "airline_moves"}).status == 200
            )
            self.learn(self.api.get(f"/v1/flights/orders/{order}").body)
        return PLACEHOLDER.sub(lambda found: self.known[found[1]], code)

    def learn(self, answer: dict[str, Any]) -> None:
        offers = answer.get("offers", [])
        if offers and "conditions" in offers[0]:
            if "offer" in self.known:
                return
            offers.sort(key=lambda offer: not wanted(offer))
        fresh: dict[str, str] = {}
        for found in HANDLE.finditer(json.dumps(answer)):
            fresh.setdefault(found[1], found[0])
        self.known |= fresh


@pytest.fixture
def walk(live_server: Any) -> Walk:
    sync_environment("test")
    return Walk(api_of_new_partner(cents=10_000_000, scopes=GRANTABLE))


@pytest.fixture
def run(walk: Walk, live_server: Any, tmp_path: Path):
    names = {"BASE": live_server.url, "KEY": walk.api.secret, "PYTHONPATH": str(PYTHON)}

    def run(command: list[str], text: str) -> str:
        done = subprocess.run(
            [*command, text],
            env={**os.environ, **names},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, ""), text
        return done.stdout

    return run


@needs_curl
@pytest.mark.parametrize("slug", CALLS)
def test_each_call_of_a_guide_works_in_curl(slug: str, walk: Walk, run: Any, tmp_path: Path) -> None:
    calls = samples(slug, "bash")
    assert len(calls) >= CALLS[slug]
    for call in calls:
        printed = run(["bash", "-c"], walk.fill(call))
        if printed:  # else a file was saved
            answer = json.loads(printed)
            assert "error" not in answer, (call, answer)
            walk.learn(answer)
    assert [path.read_bytes()[:5] for path in tmp_path.iterdir()] == [b"%PDF-"]


@pytest.mark.slow
@pytest.mark.parametrize("slug", CALLS)
def test_each_call_of_a_guide_works_through_the_python_library(slug: str, walk: Walk, run: Any) -> None:
    for call in samples(slug, "python"):
        shown = walk.fill(call).replace("print(answer)", AS_JSON)
        if printed := run([sys.executable, "-c"], shown):
            walk.learn(json.loads(printed))


@pytest.mark.slow
@needs("node")
@pytest.mark.parametrize("slug", CALLS)
def test_each_call_of_a_guide_works_through_the_typescript_library(
    slug: str, walk: Walk, run: Any, tmp_path: Path
) -> None:
    unpack(tmp_path / "node_modules" / "travel-partner")
    for call in samples(slug, "typescript"):
        script = (
            walk.fill(call)
            .replace("process.env.KEY!", "process.env.KEY")
            .replace("process.env.BASE!", "process.env.BASE")
        )
        shown = script.replace("console.log(answer)", "console.log(JSON.stringify(answer))")
        if printed := run(["node", "--input-type=module", "--eval"], shown):
            walk.learn(json.loads(printed))


def unpack(folder: Path) -> None:
    """The package that /docs/clients serves."""
    shutil.unpack_archive(PACKAGES / newest("TypeScript").file, folder.parent)
    (folder.parent / "package").rename(folder)
