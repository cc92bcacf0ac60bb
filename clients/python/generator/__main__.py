"""Generates part of the Python client from the live OpenAPI document. No server is needed.

python -m clients.python.generator [DIRECTORY]
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from clients.python.generator.events import events
from clients.python.generator.models import models
from clients.python.generator.operations import operations
from clients.python.generator.resources import resources

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "travel_partner"
HEAD = '"""{}\n\nGenerated from the OpenAPI document by `make clients-generate`; changes by hand are lost.\n"""\n\n'
RUFF = str(Path(sys.executable).with_name("ruff"))


def main(directory: str = "") -> None:
    write(live_document(), Path(directory) if directory else PACKAGE)


def live_document() -> dict[str, Any]:
    """The document of GET /v1/openapi.json."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    import django

    django.setup()
    from apps.gateway.openapi import document

    return document()


def write(document: dict[str, Any], directory: Path) -> None:
    """The four modules, in `directory`."""
    values, structs = models(document)
    found = operations(document, structs)
    texts = {
        "models.py": HEAD.format("The values in requests and responses.") + values,
        "event_types.py": HEAD.format("The events that the service sends.") + events(document),
        "resources.py": HEAD.format("The operations of TravelPartner.")
        + resources(found, asynchronous=False),
        "async_resources.py": HEAD.format("The operations of AsyncTravelPartner.")
        + resources(found, asynchronous=True),
    }
    for name, text in texts.items():
        (directory / name).write_text(_in_order(text))


def _in_order(text: str) -> str:
    """Formatted like the repository, without unused imports."""
    for step in (["check", "--fix-only", "--select=F401,I"], ["format"]):
        command = [RUFF, *step, "--quiet", "--isolated", "--line-length=110", "--stdin-filename=x.py", "-"]
        done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
        text = done.stdout
    return text


if __name__ == "__main__":
    main(*sys.argv[1:])
