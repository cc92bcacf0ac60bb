"""Three questions to each generator: does it take our document, does its client compile, does a program on it do its work?"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.generators.catalogue import PACKAGE, Command, Generator
from tests.generators.tools import NODE, PLACE, PYTHON_TOOLS

HERE = Path(__file__).parent
STEP_SECONDS = 300
LAST_LINES = 25
IMPORT_ALL = f"""
import importlib, pkgutil, {PACKAGE}
for module in pkgutil.walk_packages({PACKAGE}.__path__, "{PACKAGE}."):
    importlib.import_module(module.name)
"""


class Refused(Exception):
    """A step that failed, with the last words of what was run."""


@dataclass
class Verdict:
    """Each step is True, False, or None where it was not come to."""

    generator: str
    version: str
    generated: bool | None = None
    compiled: bool | None = None
    ran: bool | None = None
    notes: str = ""
    last_words: str = ""

    @property
    def good(self) -> bool:
        return self.generated is True and self.compiled is True and self.ran is True


def make(generator: Generator, document: Path) -> Verdict:
    """Generate and compile."""
    verdict = Verdict(generator.name, generator.version())
    place = place_of(generator)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    try:
        verdict.generated = False
        run(generator.generate(document, place / "client"), place, PYTHONPATH=str(PYTHON_TOOLS))
        verdict.generated, verdict.compiled = True, False
        compile_typescript(generator, place) if generator.in_typescript else compile_python(generator, place)
        verdict.compiled = True
    except Refused as refusal:
        verdict.last_words = str(refusal)
    return verdict


def compile_python(generator: Generator, place: Path) -> None:
    """Every module is imported, and the program's use of them is typed."""
    program = shutil.copy(HERE / generator.folder / "partner.py", place)
    run([sys.executable, "-c", IMPORT_ALL], place, PYTHONPATH=str(place / "client"))
    checker = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports",
        "silent",
        "--config-file",
        os.devnull,
    ]
    run([*checker, "--cache-dir", str(PLACE / "mypy"), str(program)], place, MYPYPATH=str(place / "client"))


def compile_typescript(generator: Generator, place: Path) -> None:
    shutil.copy(HERE / generator.folder / "partner.ts", place)
    (place / "tsconfig.json").write_text(json.dumps({"extends": "../tsconfig.json", "include": ["."]}))
    run([str(NODE / "node_modules" / ".bin" / "tsc"), "--project", "."], place)


def try_out(verdict: Verdict, generator: Generator, event: dict[str, Any], **told: str) -> None:
    """Run the program and look at what it says; `event` is what it should read in the delivery."""
    place = place_of(generator)
    command = ["node", "partner.js"] if generator.in_typescript else [sys.executable, "partner.py"]
    try:
        verdict.ran = False
        said = json.loads(run(command, place, PYTHONPATH=str(place / "client"), **told))
        expected = expected_of(said, event)
        if said != expected:
            raise Refused(f"said {json.dumps(said)}\nnot  {json.dumps(expected)}")
        verdict.ran = True
        verdict.notes = (
            f"{said['rates']} rates, {said['booking']['status']}, 4 refusals read, webhook verified"
        )
    except Refused as refusal:
        verdict.last_words = str(refusal)


def expected_of(said: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    """What a program prints when all is well, whichever rates there were and whatever was booked."""
    rates, booking_id = max(1, said["rates"]), said["booking"]["id"]
    return {
        "rates": rates,
        "booking": {"id": booking_id, "status": "confirmed", "asQuoted": True},
        "sameKeyGivesSameBooking": True,
        "keyReused": "idempotency_key_reuse",
        "duplicate": {"type": "conflict", "bookingId": booking_id},
        "wrongFields": ["guests"],
        "unknown": "not_found",
        "event": event,
        "forgedIsRefused": True,
    }


def place_of(generator: Generator) -> Path:
    return (NODE if generator.in_typescript else PLACE / "python") / generator.folder


def run(command: Command, place: Path, **variables: str) -> str:
    """What it printed. Raises Refused with its last lines."""
    try:
        done = subprocess.run(
            command,
            cwd=place,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=STEP_SECONDS,
        )
    except subprocess.TimeoutExpired as slow:
        raise Refused(f"{command[0]} did not end within {STEP_SECONDS} s") from slow
    if done.returncode != 0:
        words = (done.stdout + done.stderr).strip().splitlines()
        raise Refused("\n".join([f"{command[0]} ended with code {done.returncode}:", *words[-LAST_LINES:]]))
    return done.stdout
