"""A client generated from the document that the service serves, by a generator that partners use. Never committed."""

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
import urllib3

from tests.generators.catalogue import PACKAGE, openapi_python_client
from tests.support.own_service import Service


@pytest.fixture(scope="module")
def generated(
    service: Service, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], ModuleType]]:
    """Imports a module of the generated client: `generated("models")`. A warning of the generator is an error."""
    place = tmp_path_factory.mktemp("client")
    document = place / "openapi.json"
    document.write_bytes(urllib3.request("GET", f"{service.url}/v1/openapi.json").data)
    said = subprocess.run(openapi_python_client(document, place), capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "WARNING" not in said.stdout + said.stderr
    yield from importable(place)


def importable(place: Path) -> Iterator[Callable[[str], ModuleType]]:
    sys.path.insert(0, str(place))
    try:
        yield lambda name: importlib.import_module(f"{PACKAGE}.{name}")
    finally:
        sys.path.remove(str(place))
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
